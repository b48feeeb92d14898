// The log, newest first: one row for each move, which opens to what can be put right in it.

import { card } from "./cards.js";
import { clock, h, icon } from "./dom.js";
import { panel } from "./entry.js";
import { t } from "./words.js";

const SIGNS = {
  draw: "draw",
  shout: "shout",
  take_back: "back",
  choose_player: "swap",
  choose_direction: "swap",
  choose_colour: "swap",
  end_turn: "check",
  deal: "round",
  end: "stop",
  state: "state",
  start: "start",
};
const VERDICTS = { legal: "check", illegal: "cross", unsure: "question" };

export class Log {
  /** `desk` is the page: its state, and `act` to change it. */
  constructor(list, desk) {
    this.list = list;
    this.desk = desk;
    this.open = null; // the number of the move that is open
    this.only = "all";
    this.rows = new Map();
    list.addEventListener("keydown", (event) => this.move(event));
  }

  /** Draw the rows anew whose move has changed. */
  show(state) {
    const wanted = state.entries.filter((one) => this.only === "all" || one.verdict !== "legal");
    if (this.open !== null && !wanted.some((one) => one.id === this.open)) this.open = null;
    const rows = new Map();
    for (const entry of wanted) {
      const isOpen = entry.id === this.open;
      const key = JSON.stringify([entry, isOpen, isOpen && state.chairs.map((c) => c.name)]);
      const known = this.rows.get(entry.id);
      rows.set(entry.id, known?.key === key ? known : { key, element: this.row(entry, isOpen, known) });
    }
    this.rows = rows;
    this.place([...rows.values()].map((row) => row.element));
    if (!wanted.length && !this.list.children.length) {
      this.list.append(h("li", { class: "log-empty" }, t(state.total ? "nothing_to_decide" : "log_empty")));
    }
  }

  /** Put rows in order while touching as little as possible: a focus or a tap must not be lost. */
  place(elements) {
    const stay = new Set(elements);
    for (const child of [...this.list.children]) if (!stay.has(child)) child.remove();
    elements.forEach((element, i) => {
      if (this.list.children[i] !== element) this.list.insertBefore(element, this.list.children[i] ?? null);
    });
  }

  row(entry, isOpen, known) {
    const active = document.activeElement;
    const focus = known?.element.contains(active) ? active.closest("[data-k]")?.dataset.k : null;
    const element = h(
      "li",
      { class: `entry entry-${entry.verdict}${isOpen ? " is-open" : ""}`, "data-id": entry.id },
      h(
        "button",
        {
          type: "button",
          class: "entry-head",
          "data-k": "head",
          "aria-expanded": String(isOpen),
          onclick: () => this.toggle(entry.id),
        },
        this.thumb(entry),
        h(
          "span",
          { class: "entry-main" },
          h("span", { class: "entry-text" }, entry.text),
          ...entry.faults.map((fault) => h("span", { class: "entry-fault" }, fault.text)),
          entry.verdict === "unsure" ? h("span", { class: "entry-doubt" }, t("cannot_tell_long")) : null,
          entry.assumed ? h("span", { class: "entry-follows" }, t("assumed")) : null,
          entry.follows.length ? h("span", { class: "entry-follows" }, entry.follows.join(" ")) : null,
        ),
        h(
          "span",
          { class: "entry-side" },
          h("span", { class: `verdict verdict-${entry.verdict}` }, icon(VERDICTS[entry.verdict]), t(entry.verdict)),
          h(
            "span",
            { class: "entry-meta" },
            entry.by_hand || entry.decided
              ? h("span", { class: "by-hand", title: t("by_hand") }, icon("pen"), h("span", { class: "hidden" }, t("by_hand")))
              : null,
            h("span", {}, entry.rules.map((one) => `§ ${one}`).join(" ")),
            h("span", {}, clock(entry.t)),
          ),
        ),
      ),
      isOpen ? panel(entry, this.desk, () => this.toggle(entry.id)) : null,
    );
    if (focus) queueMicrotask(() => (element.querySelector(`[data-k="${focus}"]`) ?? element.querySelector(".entry-head"))?.focus());
    return element;
  }

  thumb(entry) {
    if (entry.picture) {
      const source = `/api/control/moves/${entry.id}/picture.jpg?v=${this.desk.state.instance}`;
      return h("span", { class: "thumb" }, h("img", { src: source, alt: "", loading: "lazy" }));
    }
    const sign = SIGNS[entry.type];
    return h("span", { class: "thumb thumb-sign" }, sign || !entry.card ? icon(sign ?? "card") : card(entry.card));
  }

  /** Open a row, or close it. */
  toggle(number) {
    this.open = this.open === number ? null : number;
    this.show(this.desk.state);
    if (this.open !== null) {
      const row = this.rows.get(this.open)?.element;
      row?.scrollIntoView({ block: "start" });
    }
  }

  /** The row that keys are for: the open one, the one with the focus, else the newest. */
  current() {
    const focused = document.activeElement.closest?.("[data-id]")?.dataset.id;
    const number = this.open ?? (focused === undefined ? undefined : Number(focused));
    const entries = this.desk.state?.entries ?? [];
    return entries.find((one) => one.id === number) ?? entries[0] ?? null;
  }

  /** Select the next (1) or the previous (-1) row. */
  step(by) {
    const heads = [...this.list.querySelectorAll(".entry-head")];
    const at = heads.findIndex((head) => head.closest(".entry").contains(document.activeElement));
    const head = heads[Math.min(heads.length - 1, Math.max(0, at + by))];
    head?.focus();
    head?.scrollIntoView({ block: "nearest" });
  }

  move(event) {
    if (!event.target.classList.contains("entry-head")) return;
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.step(by);
  }
}
