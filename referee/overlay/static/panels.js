// The parts of the page that always show how things stand. Each is drawn anew only when what it
// shows has changed, so that nothing flickers and its animation plays once.

import { card, halfCard, shape } from "/static/cards.js";

const ARROW = `<svg class="arrow" viewBox="0 0 30 30" fill="none" stroke="currentColor"
  stroke-width="3.4" stroke-linecap="round" stroke-linejoin="round"><path
  d="M24.5 15a9.5 9.5 0 1 1-3.2-7.1"/><path d="M22 2.5v6h-6"/></svg>`;
const PILE = `<svg class="pile-icon" viewBox="0 0 24 28" fill="none" stroke="currentColor"
  stroke-width="2.4"><rect x="1.5" y="6.5" width="15" height="20" rx="2.5"/><path
  d="M6 2h13.5A2.5 2.5 0 0 1 22 4.5V22"/></svg>`;
const FLAG = `<svg viewBox="0 0 17 19" fill="currentColor"><path d="M1 0h2.4v19H1Z"/><path
  d="M3 1h13l-3 4.6 3 4.6H3Z"/></svg>`;
const MANY = 6;
const HAND = 16;

const drawn = new WeakMap();

/** Whether `element` has to be drawn for `what`; remembers that it was. */
function isNew(element, what) {
  const text = JSON.stringify(what);
  if (drawn.get(element) === text) return false;
  drawn.set(element, text);
  return true;
}

export function make(name, className, ...content) {
  const element = document.createElement(name);
  element.className = className;
  element.append(...content);
  return element;
}

export function icon(svg) {
  const template = document.createElement("template");
  template.innerHTML = svg;
  return template.content.firstElementChild;
}

/** The players in seat order, with whose turn it is and which way it goes. */
export function drawPlayers(panel, state, labels, wanted) {
  panel.hidden = !wanted || state.seats.length === 0;
  if (panel.hidden) return;
  const direction = panel.querySelector("#direction");
  if (isNew(direction, [state.direction, labels.left])) {
    direction.dataset.direction = state.direction;
    if (!direction.firstChild) direction.append(icon(ARROW), make("span", ""));
    direction.lastChild.textContent = labels[state.direction] ?? "";
  }
  const pile = panel.querySelector("#pile");
  if (isNew(pile, state.draw_pile)) {
    pile.hidden = state.draw_pile === null;
    pile.replaceChildren(icon(PILE), make("b", "", String(state.draw_pile ?? "")));
  }
  const seats = panel.querySelector("#seats");
  seats.classList.toggle("many", state.seats.length > MANY);
  while (seats.children.length > state.seats.length) seats.lastChild.remove();
  state.seats.forEach((seat, i) => {
    const row = seats.children[i] ?? seats.appendChild(make("li", "seat"));
    if (isNew(row, [seat, labels.owes])) drawSeat(row, seat, labels);
  });
}

function drawSeat(row, seat, labels) {
  row.classList.toggle("on-turn", seat.on_turn);
  row.classList.toggle("last-card", seat.cards === 1);
  const marks = make("span", "seat-marks");
  if (seat.owes > 0) marks.append(make("span", "mark mark-owes", `${labels.owes} ${seat.owes}`));
  if (seat.faults > 0) {
    marks.append(make("span", "mark mark-fault", icon(FLAG), String(seat.faults)));
  }
  if (seat.winner) marks.append(make("span", "mark mark-winner", labels.winner ?? ""));
  else if (seat.points !== null) {
    marks.append(make("span", "mark mark-points", `${seat.points} ${labels.points ?? ""}`));
  }
  const hand = make("span", "seat-hand");
  for (let i = 0; i < Math.min(seat.cards ?? 0, HAND); i += 1) hand.append(make("i", ""));
  row.replaceChildren(
    make("span", "seat-name", seat.name),
    marks,
    make("span", "seat-cards", seat.cards === null ? "–" : String(seat.cards)),
    hand,
  );
}

/** What the referee is doing; loud only where what is shown cannot be trusted. */
export function drawStatus(panel, state, labels, stale, wanted) {
  const light = stale ? "stale" : lightOf(state);
  panel.hidden = !wanted || (state === null && !stale);
  if (!isNew(panel, [light, labels.watching])) return;
  panel.dataset.light = light;
  panel.querySelector(".status-text").textContent = labels[light] ?? "";
  panel.querySelector(".status-detail").textContent = labels[`${light}.detail`] ?? "";
}

/** The one thing about the referee that viewers should know. */
function lightOf(state) {
  if (state === null) return "watching";
  if (state.safe_mode) return "safe_mode";
  if (state.camera === "gone" || state.light === "no_camera") return "no_camera";
  if (state.camera === "frozen") return "frozen";
  return state.paused ? "paused" : state.light;
}

/** The open ends, and between them the newest move. */
export function drawLine(panel, state, labels, wanted) {
  panel.hidden = !wanted || state.seats.length === 0;
  if (panel.hidden) return;
  const [left, right] = state.ends.length > 1 ? state.ends : [state.ends[0], undefined];
  drawEnd(panel.querySelector("#end-left"), left, right === undefined ? "all" : "left");
  drawCalled(panel.querySelector("#end-left"), left, state.colour);
  drawEnd(panel.querySelector("#end-right"), right, "right");
  drawPlay(panel.querySelector("#play"), state, labels);
}

function drawEnd(box, half, edge) {
  if (!isNew(box, [half, edge])) return;
  if (half === undefined) {
    box.replaceChildren();
    return;
  }
  const drawnHalf = halfCard(half, edge);
  if (box.firstChild) drawnHalf.classList.add("enters");
  box.replaceChildren(drawnHalf);
}

/** The colour that was called for a wild on top of SOLO's pile; a question mark if nobody told. */
function drawCalled(box, top, colour) {
  if (!/^k/.test(top ?? "") || box.firstChild === null) return;
  box.querySelector(".called")?.remove();
  const badge = make("span", "called");
  if (/^[rygb]$/.test(colour ?? "")) {
    badge.dataset.colour = colour;
    badge.append(shape(colour));
  } else {
    badge.textContent = "?";
  }
  box.firstChild.append(badge);
}

function drawPlay(box, state, labels) {
  const entry = state.provisional ?? state.entries.at(-1) ?? null;
  const checking = state.provisional !== null || state.light === "checking";
  if (!isNew(box, [entry, checking, state.phase, labels.waiting])) return;
  box.classList.toggle("checking", checking);
  const text = make("div", "play-text");
  if (checking) {
    text.append(make("p", "play-what", labels.checking ?? ""));
    text.append(make("p", "play-next", sentence(entry, "move")));
  } else if (entry === null) {
    text.append(make("p", "play-what", labels.waiting ?? ""));
  } else {
    const what = make("p", "play-what", sentence(entry, "move"));
    what.classList.toggle("long", what.textContent.length > 44);
    const after = entry.said.filter((s) => ["effect", "turn"].includes(s.kind));
    const next = after.map((s) => s.text).join(" ") || sentence(entry, "win");
    text.append(what, make("p", "play-next", next));
  }
  text.classList.add("enters");
  const shown = checking && state.provisional === null ? [] : (entry?.cards ?? []);
  const cards = shown.map((one) => card(one));
  for (const one of cards) one.classList.add("enters");
  box.replaceChildren(...cards, text);
}

function sentence(entry, kind) {
  return entry?.said.find((s) => s.kind === kind)?.text ?? "";
}
