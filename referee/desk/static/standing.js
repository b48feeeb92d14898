// How the game stands: the ends, the pile, the direction; the players with what they owe.

import { half } from "./cards.js";
import { swatch } from "./choices.js";
import { fill, h, icon } from "./dom.js";
import { colourName, shoutOf, t } from "./words.js";

/** What lies on the table, by the log. */
export function standing(parent, state, desk) {
  const fact = (name, ...value) => h("div", { class: "fact" }, h("span", { class: "fact-name" }, name), h("span", { class: "fact-value" }, value));
  parent.className = "standing";
  fill(
    parent,
    fact(t(state.game === "solo" ? "top_card" : "open_ends"), state.ends.length ? state.ends.map((end) => half(end)) : "–"),
    state.game === "solo" && state.ends.length ? fact(t("colour_in_force"), colourInForce(state)) : null,
    fact(t("draw_pile"), state.draw_pile ?? "?"),
    fact(t("direction"), t(state.direction)),
    fact(t("round_no"), state.round),
    h("button", { type: "button", class: "quiet-button", "data-k": "set-state", onclick: () => desk.setState() }, icon("state"), t("set_state"), h("kbd", { "aria-hidden": "true" }, "Z")),
  );
}

/** SOLO: the colour that must be matched; after a rotation any card fits. */
function colourInForce(state) {
  if (state.ends[0].endsWith("P")) return t("any_card");
  if (!"rygb".includes(state.colour ?? "?")) return "?";
  return [swatch(state.colour), colourName(state.colour)];
}

/** The players in their order. */
export function chairs(list, state, desk) {
  list.dataset.count = state.chairs.length;
  fill(
    list,
    state.chairs.map((chair, i) =>
      h(
        "li",
        { class: `chair${chair.on_turn ? " on-turn" : ""}${chair.must_shout ? " must-shout" : ""}` },
        h(
          "div",
          { class: "chair-name" },
          h("strong", {}, chair.name),
          chair.on_turn ? h("span", { class: "turn-mark" }, t("on_turn")) : null,
        ),
        h(
          "div",
          { class: "chair-facts" },
          h("span", { class: "count" }, icon("card"), h("span", {}, chair.cards ?? "?"), h("span", { class: "hidden" }, t("cards"))),
          chair.owes ? h("span", { class: "tag tag-owes" }, t("owes", { count: chair.owes })) : null,
          chair.penalties ? h("span", { class: "tag tag-owes" }, t("penalty", { count: chair.penalties })) : null,
          chair.faults ? h("span", { class: "tag tag-fault" }, icon("flag"), chair.faults, h("span", { class: "hidden" }, t("faults"))) : null,
          chair.points === null ? null : h("span", { class: "tag" }, t("points", { count: chair.points })),
        ),
        h(
          "button",
          {
            type: "button",
            class: "shout",
            "data-k": `shout-${i}`,
            "aria-label": t("shout_of", { player: chair.name, shout: shoutOf(state) }),
            title: state.shouts ? null : t("shouts_ignored"),
            onclick: () => desk.act("POST", "shout", { query: { player: i } }),
          },
          icon("shout"),
          h("span", {}, t("shout")),
        ),
      ),
    ),
  );
}
