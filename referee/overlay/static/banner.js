// The banner: what nobody may miss. An illegal move with its reason, a doubt, an action and what
// it does, the end. It stays long enough to be read, then makes room.

import { halfCard, sign } from "/static/cards.js";
import { icon, make } from "/static/panels.js";

const SHOWN_MS = { illegal: 12000, unsure: 9000, taken_back: 4500, corrected: 7000, effect: 6000 };
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
const UNEQUAL = `<svg class="unequal" viewBox="0 0 40 40" fill="none" stroke="currentColor"
  stroke-width="6" stroke-linecap="round"><path d="M5 14h30M5 27h30M28 4 12 37"/></svg>`;
const EFFECT_SIGNS = {
  skip: "S",
  change_direction: "R",
  owe_draw: "D",
  penalty_draw: "D",
  swap_hands: "X",
  pass_hands: "P",
  call_for_card: "C",
  choose_colour: "W",
};

export class Banner {
  constructor(box, wanted) {
    this.box = box;
    this.wanted = wanted;
    this.labels = {};
    this.known = null; // what was said of each entry, to notice corrections
    this.kind = null;
    this.since = 0;
    this.pending = null;
    this.timer = null;
  }

  /** Show what is new in `state`. */
  update(state) {
    const entries = state.entries;
    const first = this.known === null;
    const before = this.known ?? new Map();
    this.known = new Map(entries.map((entry) => [entry.of, fingerprint(entry)]));
    const newest = entries.at(-1);
    if (newest === undefined) {
      this.hide();
      return;
    }
    const corrected = entries.findLast(
      (entry) => before.has(entry.of) && before.get(entry.of) !== fingerprint(entry),
    );
    if (corrected !== undefined && before.has(newest.of)) {
      // A ruling that arrives after its move is no correction.
      const was = JSON.parse(before.get(corrected.of));
      const kind = was.verdict === null ? undefined : "corrected";
      this.offer(message(corrected, kind));
    } else if (!before.has(newest.of)) {
      const told = message(newest);
      // On a page that has just been opened, only what still stands is worth a banner.
      if (!first || ["illegal", "win"].includes(told?.kind)) this.offer(told);
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
    if (told === null || !this.wanted) {
      this.hide();
      return;
    }
    this.kind = told.kind;
    this.since = performance.now();
    this.box.dataset.kind = told.kind;
    this.box.replaceChildren(...this.content(told));
    this.box.hidden = false;
    this.box.style.animation = "none"; // so that it plays for each banner anew
    void this.box.offsetWidth;
    this.box.style.animation = "";
    document.body.classList.toggle("alarm", told.kind === "illegal");
    const shown = SHOWN_MS[told.kind];
    if (shown !== undefined) this.timer = setTimeout(() => this.hide(), shown);
  }

  hide() {
    clearTimeout(this.timer);
    this.kind = null;
    this.box.hidden = true;
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
    const text = make("div", "banner-text", make("p", "banner-head", head ?? ""));
    if (reason.textContent !== "") text.append(reason);
    const mark = make("div", "banner-sign", told.sign());
    const parts = [mark, text];
    if (entry.violations.includes("no_match") && kind === "illegal") {
      parts.push(
        make("div", "banner-pair", halfCard(entry.covered_by, "all"), icon(UNEQUAL),
          halfCard(entry.onto, "all")),
      );
    }
    return parts;
  }
}

/** What a banner would say of an entry: kind, sentences, sign; null where nothing needs one. */
function message(entry, kind = undefined) {
  const texts = (...kinds) => entry.said.filter((s) => kinds.includes(s.kind)).map((s) => s.text);
  const tell = (of, what, draw) => ({ kind: of, texts: what, sign: draw, entry });
  if (kind === "corrected") {
    return tell("corrected", texts("move", "violation", "effect").slice(0, 2), () => icon(PEN));
  }
  if (entry.verdict === "illegal") return tell("illegal", texts("violation"), () => icon(CROSS));
  if (entry.verdict === "unsure") return tell("unsure", texts("doubt"), () => sign("C"));
  const wins = texts("win");
  if (wins.length > 0) return tell("win", [wins.at(-1), ...texts("score")], () => icon(CUP));
  if (entry.type === "take_back") return tell("taken_back", texts("move"), () => icon(BACK));
  const effects = entry.said.filter((s) => s.kind === "effect");
  if (effects.length > 0) {
    const code = effects[0].code.split(".")[1];
    return tell("effect", texts("effect"), () => sign(EFFECT_SIGNS[code] ?? "C"));
  }
  return null;
}

function fingerprint(entry) {
  return JSON.stringify({ verdict: entry.verdict, said: entry.said });
}
