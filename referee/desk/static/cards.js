// Cards, small: each colour has its shape as well, as on the overlay.

import { shape, sign } from "/static/cards.js";
import { h } from "./dom.js";
import { cardName, colourName, faceName, halfName, t } from "./words.js";

const KNOWN = /^[rygbkn?][0-9SRDXPCWF?]$/;

/** A half card. */
export function half(text, label = halfName(text)) {
  const [colour, face] = KNOWN.test(text ?? "") ? text : "??";
  const box = h("span", {
    class: "half",
    "data-half": text,
    "data-colour": colour === "?" ? "unknown" : colour,
    ...(label === null ? { "aria-hidden": "true" } : { role: "img", "aria-label": label }),
  });
  if (face === "?") box.append(h("span", { class: "half-open" }, "?"));
  else box.append(sign(face));
  if ("rygb".includes(colour)) box.append(shape(colour));
  return box;
}

/** A card, one image to screen readers. */
export function card(text) {
  const parts = (text ?? "?").split("/");
  return h(
    "span",
    { class: "mini-card", role: "img", "aria-label": cardName(text) },
    parts.map((one) => half(one, null)),
  );
}

const COLOURS = { solomino: "rygb", solo: "rygbkn" };
const FACES = { solomino: "0123456789SRDXPC", solo: "0123456789SRDXPWF" };

/**
 * A card to be put together: for each half a colour and a face. `first` is what it begins as;
 * `changed` gets the card's text with each tap.
 */
export function builder(game, first, changed) {
  const count = game === "solo" ? 1 : 2;
  const given = (first ?? "").split("/");
  const halves = Array.from({ length: count }, (_, i) => (KNOWN.test(given[i] ?? "") ? given[i] : "??"));
  const box = h("div", { class: "builder" });
  const text = () => halves.map((one) => (one === "??" ? "?" : one)).join("/");

  function picker(i) {
    const set = (at, letter) => {
      halves[i] = at === 0 ? letter + halves[i][1] : halves[i][0] + letter;
      draw();
      changed(text());
    };
    const choice = (at, letter, name, content) =>
      h(
        "button",
        {
          type: "button",
          class: `pick pick-${at ? "face" : "colour"}`,
          "data-colour": at ? null : letter,
          "data-k": `pick-${i}-${at}-${letter}`,
          "aria-pressed": String(halves[i][at] === letter),
          "aria-label": name,
          onclick: () => set(at, letter),
        },
        content,
      );
    return h(
      "fieldset",
      { class: "picker" },
      h("legend", {}, count === 1 ? t("card") : t(i ? "other_half" : "covering_half")),
      half(halves[i]),
      h("div", { class: "picks" }, [...COLOURS[game]].map((c) => choice(0, c, colourName(c), shape(c)))),
      h(
        "div",
        { class: "picks" },
        [...FACES[game]].map((f) => choice(1, f, faceName(f), /\d/.test(f) ? f : sign(f))),
      ),
    );
  }

  function draw() {
    const active = document.activeElement;
    const key = box.contains(active) ? active.dataset.k : undefined;
    box.replaceChildren(...halves.map((_, i) => picker(i)));
    if (key) box.querySelector(`[data-k="${key}"]`)?.focus();
  }

  draw();
  return { element: box, value: text };
}
