// What waits for the operator: choices that cards left, doubts, a table that does not fit the log.

import { half } from "./cards.js";
import { choosing } from "./choices.js";
import { fill, h, icon } from "./dom.js";
import { t } from "./words.js";

/** Fill the panel; it is empty where nothing waits. */
export function attention(parent, state, desk) {
  const cards = [trouble(state), paused(state, desk), ...choices(state, desk), sync(state, desk), doubt(state, desk), over(state, desk)];
  fill(parent, cards.filter(Boolean));
  parent.hidden = !parent.children.length;
}

function note(kind, sign, title, text, ...actions) {
  return h(
    "div",
    { class: `note note-${kind}` },
    h("div", { class: "note-sign" }, icon(sign)),
    h("div", { class: "note-body" }, h("h2", {}, title), text ? h("p", {}, text) : null),
    h("div", { class: "note-actions" }, actions.flat().filter(Boolean)),
  );
}

function button(key, hot, content, onclick, kind = "") {
  return h(
    "button",
    { type: "button", class: `choice ${kind}`, "data-k": key, "data-hot": hot, onclick },
    content,
    hot ? h("kbd", { "aria-hidden": "true" }, hot.length === 1 ? hot.toUpperCase() : hot) : null,
  );
}

function trouble(state) {
  return state.trouble ? note("alarm", "flag", t("trouble"), state.trouble) : null;
}

function paused(state, desk) {
  if (!state.paused) return null;
  return note("pause", "pause", t("paused"), t("paused_long"), button("resume", null, [icon("play"), t("resume")], () => desk.pause(), "is-strong"));
}

function choices(state, desk) {
  return state.open.map((one) => {
    const player = state.chairs[one.player]?.name ?? t("somebody");
    const buttons = choosing(one.kind, one.player, state).map(({ key, query, content }, i) =>
      button(`${one.kind}-${key}`, String(i + 1), content, () => desk.act("POST", `moves/${one.move}/choose`, { query })),
    );
    return note("choice", "swap", t(`choose_${one.kind}`, { player }), null, buttons);
  });
}

function sync(state, desk) {
  const { fits, kept, expected, seen } = state.sync;
  if (fits !== false || kept || state.paused) return null;
  const ends = (name, list) => h("span", { class: "ends" }, h("span", { class: "soft" }, name), list.map((one) => half(one)));
  const told = h("p", { class: "ends-pair" }, ends(t("log_has"), expected), ends(t("camera_sees"), seen));
  const made = note(
    "sync",
    "eye",
    t("out_of_sync"),
    null,
    button("accept", "o", t("accept_table"), () => desk.act("POST", "accept"), "is-strong"),
    button("keep", "k", t("keep_log"), () => desk.act("POST", "keep", { plain: true })),
  );
  made.querySelector(".note-body").append(told);
  return made;
}

function doubt(state, desk) {
  const [newest] = state.unsure;
  const entry = state.entries.find((one) => one.id === newest);
  if (!entry) return null;
  const decide = (body) => desk.act("POST", `moves/${entry.id}/decide`, { body });
  const more = state.unsure.length - 1;
  const suspected = entry.suspected[0];
  return note(
    "doubt",
    "question",
    t("cannot_tell"),
    entry.text + (more ? ` ${t("and_more", { count: more })}` : ""),
    button("doubt-legal", "l", [icon("check"), t("legal")], () => decide({ legal: true }), "is-good"),
    suspected
      ? button("doubt-illegal", "i", [icon("cross"), suspected.text], () => decide({ legal: false, violations: [suspected.code] }), "is-bad")
      : null,
    button("doubt-open", null, t("open"), () => desk.log.toggle(entry.id)),
  );
}

function over(state, desk) {
  if (state.phase !== "over") return null;
  return note("over", "stop", t("round_over"), t("round_over_long"), button("note-round", null, [icon("round"), t("new_round")], () => desk.newRound()));
}
