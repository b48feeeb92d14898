// What a card leaves to its player: another player, a direction, a colour.

import { h } from "./dom.js";
import { colourName, t } from "./words.js";
import { shape } from "/static/cards.js";

/**
 * What may be chosen: for each its key, its value as the server names it, the query that says it,
 * and what to show. `player` is whoever chooses; null where nobody knows.
 */
export function choosing(kind, player, state) {
  if (kind === "direction") {
    return ["left", "right"].map((one) => ({ key: one, value: one, query: { direction: one }, content: t(one) }));
  }
  if (kind === "colour") {
    return [..."rygb"].map((letter) => ({
      key: letter,
      value: letter,
      query: { colour: letter },
      content: [swatch(letter), colourName(letter)],
    }));
  }
  return state.chairs
    .map((chair, i) => ({ key: String(i), value: i, query: { target: i }, content: chair.name }))
    .filter(({ value }) => value !== player);
}

/** A colour, with its shape. */
export function swatch(letter) {
  return h("span", { class: "swatch", "data-colour": letter }, shape(letter));
}
