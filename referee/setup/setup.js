// The set-up page: asks the server how things stand, shows it, and tells it what was changed.

import { get, post } from "./api.js";
import { showCamera, showChecks, showHalves, showMasks, showSeats, showZones } from "./panels.js";
import { Rules } from "./rules.js";
import { Stage } from "./stage.js";
import { language, speak, t } from "./words.js";
import { LANGUAGES, keepLanguage } from "/static/language.js";

const CHECK_MS = 1000;
const HINTS = new Set(["camera", "table", "seats", "zones", "masks", "cards"]);

const $ = (selector) => document.querySelector(selector);

let state = null;
let checks = [];
let rules = null;
const ASK_EVERY_MS = 5000;
let askedAt = -ASK_EVERY_MS; // when the table was last searched for without being told to
let streaming = false;
let named = false; // whether players that the server named have been looked at

const stage = new Stage($("#stage"), {
  corners: () => change({ corners_px: stage.draft.corners_px }),
  seats: () => change({ seats: stage.draft.seats }),
  zones: ({ name, at_px, size_mm }) => change({ zones: { [name]: { at_px, size_mm } } }),
  masks: () => send("/masks", { masks_px: stage.draft.masks_px }),
  half: (i) => judge(i),
});

// ---- telling the server

async function send(path, body) {
  try {
    adopt(await post(path, body));
    return true;
  } catch (error) {
    say(error.message, "error");
    await refresh(); // what was dragged goes back to where the server has it
    return false;
  }
}

function change(body) {
  return send("/table", body);
}

async function busy(button, work) {
  button.disabled = true;
  button.setAttribute("aria-busy", "true");
  try {
    await work();
  } finally {
    button.disabled = false;
    button.removeAttribute("aria-busy");
  }
}

function say(text, kind = "note") {
  const said = $("#said");
  said.textContent = text;
  said.dataset.kind = kind;
  said.hidden = false;
  clearTimeout(say.timer);
  say.timer = setTimeout(() => (said.hidden = true), kind === "error" ? 9000 : 4000);
}

// ---- showing what the server tells

function adopt(now) {
  state = now;
  show();
}

function show() {
  const { draft, game, picture } = state;
  const running = Boolean(game?.running);
  showCamera(picture, checks);
  if (picture.size_px) {
    stage.fit(picture.size_px);
    stream();
  }
  document.body.dataset.mode = running ? "game" : "setup";
  $("#trouble").textContent = state.trouble;
  $("#trouble").hidden = !state.trouble;
  $("#running").hidden = !running;
  $("#hint").hidden = running;
  $("#steps").hidden = running;
  $("#go").hidden = running;
  if (running) showGame(game);
  showProblems(running);
  if (!draft) return;
  stage.show(draft, state.read, running);
  showHalves(state.read, { half: judge });
  showSeats(draft, seatChanges, running);
  showZones(draft, zoneChanges, running);
  showMasks(draft, maskChanges);
  rules?.show(draft, running);
  for (const [i, id] of ["width", "depth"].entries()) {
    const input = $(`#${id}`);
    if (input !== document.activeElement) input.value = draft.size_mm[i];
  }
  const size = draft.size_mm.join("x");
  const preset = $("#preset");
  if (preset !== document.activeElement) preset.value = [...preset.options].some((one) => one.value === size) ? size : "";
  $("#note").textContent = state.note;
  showDone(draft);
}

// What is missing before a game can begin, and what can be done when nothing is.
function showProblems(running) {
  const { problems, game, saved, file } = state;
  const items = problems.map((text) => Object.assign(document.createElement("li"), { textContent: text }));
  $("#problems").replaceChildren(...items);
  $("#start").disabled = $("#save").disabled = problems.length > 0;
  $("#download").hidden = problems.length > 0;
  $("#go-on").hidden = !game || running || problems.length > 0;
  $("#saved").textContent = t(saved ? "saved_in" : "goes_to");
  $("#file").textContent = file;
}

function showGame(game) {
  const players = game.players.join(", ");
  $("#running-text").textContent = t(game.over ? "running_over" : "running_text", { players, moves: game.moves });
  $("#record").textContent = game.record;
  $("#obs-link").value = new URL("/overlay", location.href).href;
}

function showDone(draft) {
  const light = (name) => checks.find((one) => one.name === name)?.light;
  const done = {
    camera: light("camera") === "good",
    table: Boolean(draft.found),
    seats: !draft.seats.some((seat) => isUsual(seat.name)),
    zones: draft.zones.every((zone) => zone.placed),
    masks: step.seen.has("masks") || draft.masks_px.length > 0,
    game: step.seen.has("game"),
    cards: light("cards") === "good",
  };
  for (const item of document.querySelectorAll("#steps > li")) {
    item.dataset.done = done[item.dataset.step];
  }
}

// The picture comes as a stream of its own, once there is one, and is asked for again when it
// broke off: the server may have been away.
function stream() {
  if (streaming) return;
  streaming = true;
  $("#video").src = `/api/setup/video?width=1600&fps=12&at=${Date.now()}`;
}
$("#video").addEventListener("error", () => setTimeout(() => (streaming = false), 1000));

async function refresh() {
  const [nowChecks, now] = await Promise.all([get("/checks"), get("")]);
  checks = nowChecks;
  showChecks(checks);
  adopt(now);
}

async function watch() {
  try {
    if (!document.hidden) await refresh();
    if (!named) named = Boolean(state?.draft) && ((await nameSeats()), true);
    if (document.body.dataset.away) {
      delete document.body.dataset.away;
      streaming = false;
    }
    // Cards may come to lie there later: ask again, until the table is found or dragged.
    const due = performance.now() - askedAt > ASK_EVERY_MS;
    if (due && !document.hidden && state?.draft && !state.draft.found && !state.game?.running) {
      await find();
      askedAt = performance.now();
    }
  } catch {
    document.body.dataset.away = "1";
    const pill = $("#camera-pill");
    pill.dataset.light = "poor";
    pill.lastElementChild.textContent = t("no_answer");
  }
  setTimeout(watch, CHECK_MS);
}

// ---- steps

function step(name, focus = false) {
  stage.step = name;
  $("#stage").dataset.step = name;
  step.seen.add(name);
  for (const item of document.querySelectorAll("#steps > li")) {
    const open = item.dataset.step === name;
    const button = item.querySelector("h2 button");
    button.setAttribute("aria-expanded", open);
    item.querySelector("div").hidden = !open;
    if (open && focus) button.focus();
  }
  $("#hint").textContent = HINTS.has(name) ? t(`hint.${name}`) : "";
  stage.draw();
}
step.seen = new Set();

for (const item of document.querySelectorAll("#steps > li")) {
  const button = item.querySelector("h2 button");
  button.addEventListener("click", () =>
    step(button.getAttribute("aria-expanded") === "true" ? "" : item.dataset.step),
  );
  item.querySelector(".next")?.addEventListener("click", () =>
    step(item.nextElementSibling.dataset.step, true),
  );
}

// ---- camera and table

for (const box of document.querySelectorAll("#locks input")) {
  box.addEventListener("change", () => {
    const boxes = [...document.querySelectorAll("#locks input")];
    send("/camera", { locks: boxes.filter((one) => one.checked).map((one) => one.value) });
  });
}

async function find() {
  await busy($("#find"), async () => {
    $("#note").textContent = t("looking");
    await send("/find");
  });
}
$("#find").addEventListener("click", find);

function resized() {
  const size = [Number($("#width").value), Number($("#depth").value)];
  if (size.every((side) => side >= 20)) change({ size_mm: size });
}
$("#width").addEventListener("change", resized);
$("#depth").addEventListener("change", resized);
$("#preset").addEventListener("change", (event) => {
  if (!event.target.value) return;
  // A sheet or a card is measured by its corners: they are to be dragged onto it.
  const size = event.target.value.split("x").map(Number);
  change({ size_mm: size, corners_px: stage.draft.corners_px });
});

// ---- players, piles, masks

const seatChanges = {
  rename: (i, name) => {
    if (!name.trim()) return refresh();
    const seats = structuredClone(state.draft.seats);
    const first = state.draft.first === seats[i].name ? name.trim() : state.draft.first;
    seats[i].name = name;
    return change(first ? { seats, first } : { seats });
  },
  remove: (i) => change({ seats: state.draft.seats.filter((_, other) => other !== i) }),
};
$("#add-seat").addEventListener("click", () => {
  const seats = structuredClone(state.draft.seats);
  const names = new Set(seats.map((seat) => seat.name));
  let number = seats.length + 1;
  while (names.has(t("player_n", { number }))) number += 1;
  change({ seats: [...seats, { name: t("player_n", { number }) }] });
});
$("#spread").addEventListener("click", () =>
  change({ seats: state.draft.seats.map(({ name }) => ({ name })) }),
);
$("#first").addEventListener("change", (event) =>
  change(event.target.value ? { first: event.target.value } : { anyone_first: true }),
);

const zoneChanges = {
  resize: (zone, size) => change({ zones: { [zone.name]: { at_px: zone.at_px, size_mm: size } } }),
};

const maskChanges = {
  more: (i) => {
    const masks = structuredClone(state.draft.masks_px);
    const mask = masks[i];
    const [last, first] = [mask[mask.length - 1], mask[0]];
    mask.push([(last[0] + first[0]) / 2, (last[1] + first[1]) / 2]);
    return send("/masks", { masks_px: masks });
  },
  remove: (i) =>
    send("/masks", { masks_px: state.draft.masks_px.filter((_, other) => other !== i) }),
};
$("#add-mask").addEventListener("click", () => {
  const [w, h] = state.picture.size_px;
  const fresh = [
    [0.38, 0.78],
    [0.62, 0.78],
    [0.62, 1],
    [0.38, 1],
  ].map(([x, y]) => [Math.round(x * w), Math.round(y * h)]);
  send("/masks", { masks_px: [...state.draft.masks_px, fresh] });
});

// ---- test with cards

function judge(i) {
  // Whoever taps one has looked at them all: the others are right.
  const right = state.read.map((half) => half.right ?? true);
  right[i] = state.read[i].right === false;
  send("/read/right", { right });
}

$("#all-right").addEventListener("click", () =>
  send("/read/right", { right: state.read.map(() => true) }),
);
$("#read").addEventListener("click", () =>
  busy($("#read"), async () => {
    if (!(await send("/read"))) return;
    const { length } = state.read;
    say(length ? t("read_count", { count: length }) : t("read_none"));
  }),
);

// ---- save, begin, stop

$("#save").addEventListener("click", async () => {
  if (await send("/save")) say(t("saved", { file: state.file }));
});
$("#start").addEventListener("click", () =>
  busy($("#start"), async () => {
    if (await send("/start")) $("#running a").focus();
  }),
);
$("#go-on").addEventListener("click", () => busy($("#go-on"), () => send("/go-on")));
$("#stop").addEventListener("click", () => $("#sure").showModal());
$("#sure").addEventListener("close", async () => {
  if ($("#sure").returnValue !== "yes") return;
  $("#sure").returnValue = "";
  if (await send("/stop")) step("table", true);
});
$("#copy").addEventListener("click", async () => {
  $("#obs-link").select();
  try {
    await navigator.clipboard.writeText($("#obs-link").value);
    say(t("copied"));
  } catch {
    say(t("copy_by_hand")); // it is selected
  }
});

// ---- language

const USUAL = /^Player (\d+)$/; // as the server names them

/** Whether a player has no name of their own yet. */
function isUsual(name) {
  const number = /\d+$/.exec(name)?.[0];
  return USUAL.test(name) || name === t("player_n", { number });
}

/** Players that the server named are named in the page's language. */
function nameSeats() {
  const seats = state?.draft?.seats.map(({ name, at_px }) => {
    const number = USUAL.exec(name)?.[1];
    return { name: number ? t("player_n", { number }) : name, at_px };
  });
  const named = seats?.some((seat, i) => seat.name !== state.draft.seats[i].name);
  if (named && !state.game?.running) return change({ seats });
}

async function begin(wanted) {
  await speak(wanted);
  const games = await get("/games");
  rules = new Rules(games, (game, options) => change({ game, options }));
  $("#hint").textContent = HINTS.has(stage.step) ? t(`hint.${stage.step}`) : "";
  if (state) await refresh();
}

const choice = $("#language");
choice.append(...Object.entries(LANGUAGES).map(([tag, name]) => new Option(name, tag)));
choice.addEventListener("change", () => {
  keepLanguage(choice.value);
  begin(choice.value);
});

// ---- begin

choice.value = language;
await begin(language);
step("table");
watch();
