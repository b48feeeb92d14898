// The banner: what nobody may miss. An illegal move with its reason and pictures from before and
// after, a doubt, an action and what it does, the end. It stays long enough to be read, then makes
// room.

import { halfCard, sign } from "/static/cards.js";
import { icon, make } from "/static/panels.js";

const SHOWN_MS = {
  illegal: 12000,
  unsure: 9000,
  taken_back: 4500,
  corrected: 7000,
  effect: 6000,
  round: 6000,
};
// A fault is not wiped off the screen by a quick next move.
const LEAST_MS = 5000;

const CROSS = `<svg viewBox="0 0 60 60" fill="none" stroke="currentColor" stroke-width="11"
  stroke-linecap="round"><path d="M11 11 49 49M49 11 11 49"/></svg>`;
const BACK = `<svg viewBox="0 0 60 60" fill="none" stroke="currentColor" stroke-width="7"
  stroke-linecap="round" stroke-linejoin="round"><path d="M20 8 7 21l13 13"/><path
  d="M8 21h27a16 16 0 0 1 0 32H20"/></svg>`;
const CUP = `<svg viewBox="0 0 60 60" fill="currentColor"><path d="M15 5h30v17a15 15 0 0 1-30 0Z"/>
  <path d="M5 9h8v6h-3c0 6 3 9 6 10v6C8 29 5 21 5 9ZM55 9h-8v6h3c0 6-3 9-6 10v6c8-2 11-10 11-22Z"/>
  <path d="M27 36h6v9h10v9H17v-9h10Z"/></svg>`;
const PEN = `<svg viewBox="0 0 60 60" fill="currentColor"><path d="m9 40 27-27 11 11-27 27-15 4Z"/>
  <path d="m40 9 4-4 11 11-4 4Z"/></svg>`;
const CARDS = `<svg viewBox="0 0 60 60" fill="none" stroke="currentColor" stroke-width="5"
  stroke-linejoin="round"><rect x="8" y="17" width="25" height="36" rx="4" transform="rotate(-12 20
  35)"/><rect x="26" y="10" width="25" height="36" rx="4" transform="rotate(12 38 28)"/></svg>`;
const UNEQUAL = `<svg class="unequal" viewBox="0 0 40 40" fill="none" stroke="currentColor"
  stroke-width="6" stroke-linecap="round"><path d="M5 14h30M5 27h30M28 4 12 37"/></svg>`;
const SIGNS = {
  skip: "S",
  reverse: "R",
  owe: "D",
  penalty: "D",
  swap: "X",
  pass: "P",
  call: "C",
  wild: "W",
};

export class Banner {
  /** `box` shows the banner, `proof` the pictures of a fault. */
  constructor(box, proof, wanted) {
    this.box = box;
    this.proof = proof;
    this.wanted = wanted;
    this.labels = {};
    this.kind = null;
    this.since = 0;
    this.timer = null;
  }

  /** Show what is new. */
  update(state, { first, moves, corrected }) {
    const newest = state.entries.at(-1);
    if (newest === undefined) {
      this.hide();
    } else if (first) {
      // On a page that has just been opened, only what still stands is worth a banner.
      const told = message(newest);
      if (["illegal", "win"].includes(told?.kind)) this.offer(told);
    } else if (moves.length > 0) {
      this.offer(message(moves.at(-1)));
    } else if (corrected !== null) {
      this.offer(message(corrected, "corrected"));
    }
  }

  /** Show `told` now, or once the fault on the screen has been there long enough. */
  offer(told) {
    const urgent = ["illegal", "unsure", "win", "taken_back", "corrected"].includes(told?.kind);
    const age = performance.now() - this.since;
    if (this.kind === "illegal" && !urgent && age < LEAST_MS) {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.show(told), LEAST_MS - age);
      return;
    }
    this.show(told);
  }

  show(told) {
    clearTimeout(this.timer);
    this.proof.hidden = true;
    if (told === null || !this.wanted) {
      this.hide();
      return;
    }
    this.kind = told.kind;
    this.since = performance.now();
    this.box.dataset.kind = told.kind;
    this.box.dataset.cue = told.entry.cue ?? "";
    this.box.replaceChildren(...this.content(told));
    this.box.hidden = false;
    this.box.style.animation = "none"; // so that it plays for each banner anew
    void this.box.offsetWidth;
    this.box.style.animation = "";
    document.body.classList.toggle("alarm", told.kind === "illegal");
    if (told.kind === "illegal") this.prove(told.entry);
    const shown = SHOWN_MS[told.kind];
    if (shown !== undefined) this.timer = setTimeout(() => this.hide(), shown);
  }

  hide() {
    clearTimeout(this.timer);
    this.kind = null;
    this.box.hidden = true;
    this.proof.hidden = true;
    document.body.classList.remove("alarm");
  }

  content(told) {
    const { entry, kind } = told;
    const heads = {
      illegal: this.labels.illegal,
      unsure: this.labels.cannot_tell,
      corrected: this.labels.corrected,
    };
    const [first, ...rest] = told.texts;
    const head = heads[kind] ?? first;
    const lines = heads[kind] === undefined ? rest : told.texts;
    const reason = make("p", "banner-reason", lines.join(" "));
    if (entry.rules.length > 0 && kind === "illegal") {
      reason.append(make("span", "banner-rule", ` § ${entry.rules.join(", ")}`));
    }
    const text = make("div", "banner-text");
    if (kind === "effect") text.append(make("p", "banner-kicker", this.labels[`cue.${entry.cue}`]));
    text.append(make("p", "banner-head", head ?? ""));
    if (reason.textContent !== "") text.append(reason);
    const parts = [make("div", "banner-sign", told.sign()), text];
    if (entry.violations.includes("no_match") && kind === "illegal") {
      parts.push(
        make(
          "div",
          "banner-pair",
          halfCard(entry.covered_by, "all"),
          icon(UNEQUAL),
          halfCard(entry.onto, "all"),
        ),
      );
    }
    return parts;
  }

  /** The pictures of a fault, once both are there: they are made while it is being called. */
  async prove(entry, tries = 4) {
    const load = (which) =>
      new Promise((resolve) => {
        const picture = new Image();
        picture.alt = this.labels[which] ?? which;
        picture.onload = () => resolve(picture);
        picture.onerror = () => resolve(null);
        picture.src = `/moments/${entry.key}/${which}.jpg`;
      });
    const since = this.since;
    const after = await load("after");
    if (since !== this.since) return;
    if (after === null) {
      if (tries > 1) setTimeout(() => since === this.since && this.prove(entry, tries - 1), 400);
      return;
    }
    const before = await load("before");
    if (since !== this.since) return;
    const figures = [before, after].filter((picture) => picture !== null);
    this.proof.replaceChildren(
      ...figures.map((picture) => {
        const figure = make("figure", "", picture, make("figcaption", "", picture.alt));
        figure.classList.toggle("at-fault", picture === after);
        return figure;
      }),
    );
    this.proof.hidden = false;
  }
}

/** What a banner would say of an entry: kind, sentences, sign; null where nothing needs one. */
function message(entry, kind = undefined) {
  const texts = (...kinds) => entry.said.filter((s) => kinds.includes(s.kind)).map((s) => s.text);
  const tell = (of, what, draw) => ({ kind: of, texts: what, sign: draw, entry });
  if (kind === "corrected") {
    return tell("corrected", texts("move", "violation", "effect").slice(0, 2), () => icon(PEN));
  }
  switch (entry.cue) {
    case "illegal":
      return tell("illegal", texts("violation"), () => icon(CROSS));
    case "unsure":
      return tell("unsure", texts("doubt"), () => sign("C"));
    case "win":
    case "game_over":
      return tell("win", [texts("win").at(-1), ...texts("score")], () => icon(CUP));
    case "taken_back":
      return tell("taken_back", texts("move"), () => icon(BACK));
    case "round":
      return tell("round", texts("move"), () => icon(CARDS));
    default:
      return entry.cue in SIGNS
        ? tell("effect", texts("effect"), () => sign(SIGNS[entry.cue]))
        : null;
  }
}
