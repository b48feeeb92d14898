// What can be put right in a move: one tap opened it, the second one does it.

import { builder, card, half } from "./cards.js";
import { choosing } from "./choices.js";
import { h, icon } from "./dom.js";
import { rule, t } from "./words.js";

/** How many cards are drawn at once: in SOLO two or four are owed, and more where they add up. */
const DRAWS = { solomino: [1, 2, 3, 4], solo: [1, 2, 4, 6, 8] };
const WITH_CARD = new Set(["place", "start", "call_reveal", "call_answer", "take_back"]);
const WITHOUT_PLAYER = new Set(["start", "call_reveal", "deal", "end", "state"]);

/** The open part of a row. `close` closes it again. */
export function panel(entry, desk, close) {
  const act = (method, path, options) => desk.act(method, `moves/${entry.id}${path}`, options);
  const correct = (fields) => act("PATCH", "", { body: fields });
  const button = (key, hot, content, onclick, more = {}) =>
    h(
      "button",
      { type: "button", class: `choice ${more.class ?? ""}`, "data-k": key, "data-hot": hot, "data-digit": more.digit, ...more.attributes, onclick },
      content,
      hot ? letter(hot) : null,
      more.digit ? h("kbd", { class: "digit", "aria-hidden": "true" }, more.digit) : null,
    );
  const letter = (hot) => h("kbd", { "aria-hidden": "true" }, hot.toUpperCase());
  const group = (name, ...content) => keyed(name, null, null, ...content);
  /** A group that a letter goes to; digits then press what is in it. */
  const keyed = (name, kind, hot, ...content) => {
    const shown = content.flat().filter(Boolean);
    if (!shown.length) return null;
    return h(
      "div",
      { class: "group", role: "group", "aria-label": name, "data-group": kind },
      h("h3", {}, name, hot ? letter(hot) : null),
      h("div", { class: "choices" }, shown),
    );
  };

  const dock = h("div", { class: "dock" });
  const cards = () =>
    entry.candidates
      .filter((one) => one.card !== entry.card)
      .slice(0, 5)
      .map((one, i) =>
        button(
          `card-${one.card}`,
          String(i + 1),
          [card(one.card), h("span", { class: "share" }, share(one.share))],
          () => correct({ card: one.card }),
          { class: "choice-card" },
        ),
      );
  const another = () => {
    const first = entry.cards.length ? entry.cards : [entry.card ?? "?"];
    const same = ({ card, cards = [card] }) => cards.join() === first.join();
    const build = builder(desk.state, first, (made) => (apply.disabled = same(made)));
    const apply = h(
      "button",
      { type: "button", class: "primary", "data-k": "apply-card", disabled: true, onclick: () => correct(build.made()) },
      t("apply"),
    );
    dock.replaceChildren(build.element, h("div", { class: "dock-foot" }, apply));
    dock.scrollIntoView({ block: "nearest" });
    build.element.querySelector("button")?.focus({ preventScroll: true });
  };
  const suspects = entry.suspected.slice(0, 3);

  return h(
    "div",
    { class: "panel", onkeydown: (event) => event.key === "Escape" && close() },
    pictures(entry, desk),
    entry.was ? h("p", { class: "was" }, icon("eye"), t("was", { text: entry.was })) : null,
    entry.rules.map((one) =>
      rule(one) ? h("details", { class: "rule", open: entry.verdict !== "legal" }, h("summary", {}, `§ ${one}`), h("p", { lang: "en" }, rule(one))) : null,
    ),
    entry.verdict === "unsure" || entry.decided || entry.faults.length
      ? group(
          t("decide"),
          button("legal", "l", [icon("check"), t("legal")], () => act("POST", "/decide", { body: { legal: true } }), { class: "is-good" }),
          suspects.map((fault, i) =>
            button(
              `fault-${fault.code}`,
              i ? null : "i",
              [icon("cross"), fault.text],
              () => act("POST", "/decide", { body: { legal: false, violations: [fault.code] } }),
              { class: "is-bad" },
            ),
          ),
          entry.decided ? button("undecide", "v", t("undecide"), () => act("POST", "/as-read")) : null,
          entry.verdict === "unsure" && entry.confidence < 0.9
            ? button("as-read", "v", t("as_read"), () => act("POST", "/as-read"))
            : null,
        )
      : null,
    WITH_CARD.has(entry.type)
      ? group(
          t("card_was"),
          cards(),
          button("another", "c", t("another_card"), another, { attributes: { "aria-expanded": "false" } }),
        )
      : null,
    dock,
    entry.choices.map((one) =>
      keyed(
        t(`chosen_${one.kind}`),
        "chosen",
        "r",
        choosing(one.kind, entry.player, desk.state).map(({ key, value, query, content }, i) =>
          button(`chosen-${key}`, null, content, () => value !== one.value && act("POST", "/choose", { query }), {
            digit: i + 1,
            attributes: { "aria-pressed": String(value === one.value) },
          }),
        ),
      ),
    ),
    WITHOUT_PLAYER.has(entry.type)
      ? null
      : keyed(
          t("who"),
          "who",
          "w",
          desk.state.chairs.map((chair, i) =>
            button(`who-${i}`, null, chair.name, () => i !== entry.player && correct({ player: i }), {
              digit: i + 1,
              attributes: { "aria-pressed": String(i === entry.player) },
            }),
          ),
        ),
    entry.ends.length === 2
      ? keyed(
          t("which_end"),
          "end",
          "f",
          entry.ends.map((end, i) =>
            button(`end-${i}`, null, [half(end)], () => end !== entry.onto && correct({ onto: end }), {
              class: "choice-half",
              digit: i + 1,
              attributes: { "aria-pressed": String(end === entry.onto && entry.ends.indexOf(end) === i) },
            }),
          ),
        )
      : null,
    keyed(
      t("it_was"),
      "draws",
      null,
      button("no-move", "x", [icon("cross"), t("no_move")], () => act("DELETE", "")),
      entry.type === "place" ? button("taken-back", "b", [icon("back"), t("taken_back")], () => act("POST", "/take-back")) : null,
      letter("a"),
      DRAWS[desk.state.game].map((count) =>
        entry.type === "draw" && entry.count === count
          ? null
          : button(`draw-${count}`, null, [count === 1 ? icon("draw") : null, t(count === 1 ? "a_draw" : "draws", { count })], () => act("POST", "/draw", { query: { count } }), {
              class: count === 1 ? "" : "choice-short",
              digit: count,
              attributes: { "aria-label": t("draw_of", { count }) },
            }),
      ),
      button("before", "n", [icon("add"), t("missed_before")], () => desk.missed(entry)),
    ),
  );
}

function pictures(entry, desk) {
  if (!entry.picture) return null;
  const source = (when) => `/api/control/moves/${entry.id}/picture.jpg?when=${when}&v=${desk.state.instance}`;
  const one = (when) =>
    h(
      "figure",
      {},
      h("img", { src: source(when), alt: `${t(when)}: ${entry.text}`, onerror: (event) => event.target.closest("figure").remove() }),
      h("figcaption", {}, t(when)),
    );
  return h("div", { class: "pictures" }, one("before"), one("after"));
}

function share(value) {
  if (value >= 0.995) return "> 99 %";
  return value < 0.01 ? "< 1 %" : `${Math.round(value * 100)} %`;
}
