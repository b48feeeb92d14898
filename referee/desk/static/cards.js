// Cards, small: each colour has its shape as well, as on the overlay.

import { shape, sign } from "/static/cards.js";
import { fill, h, icon } from "./dom.js";
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

const FACES = { solomino: "0123456789SRDXPC", solo: "0123456789SRDXWFP" };
/** SOLO's cards without a colour of their own, by their faces. */
const COLOURLESS = { W: "k", F: "k", P: "n" };
const MOST = 8; // cards of a set

/**
 * Cards to be put together. `game` is the desk's state: in SOLOmino a card has two halves, for each
 * of which a colour and a face are picked; where SOLO allows sets, several cards of one number.
 * `first` are the cards that it begins as, `changed` gets what was put together, with each tap:
 * `{card: "r5"}` or `{cards: ["r5", "b5", "g5"]}`, as moves have it.
 */
export function builder({ game, sets }, first, changed) {
  const solo = game === "solo";
  const given = solo ? first : (first[0] ?? "").split("/");
  const known = (text) => (KNOWN.test(text ?? "") ? text : "??");
  let parts = solo ? (given.length ? given : ["?"]).map(known) : [known(given[0]), known(given[1])];
  const box = h("div", { class: "builder" });
  const written = (part) => (part === "??" ? "?" : part);
  const made = () => {
    const cards = solo ? parts.map(written) : [parts.map(written).join("/")];
    return cards.length === 1 ? { card: cards[0] } : { cards };
  };

  function set(i, next) {
    parts[i] = next;
    // The cards of a set are of one number.
    if (solo) parts = parts.map((part) => (next[1] in COLOURLESS ? next : part[0] + next[1]));
    draw();
    changed(made());
  }

  function withColour(part, letter) {
    return letter + (solo && part[1] in COLOURLESS ? "?" : part[1]);
  }

  function withFace(part, letter) {
    if (!solo) return part[0] + letter;
    return (COLOURLESS[letter] ?? (part[1] in COLOURLESS ? "?" : part[0])) + letter;
  }

  function picker(i) {
    const part = parts[i];
    const choice = (at, letter, name, content) =>
      h(
        "button",
        {
          type: "button",
          class: `pick pick-${at ? "face" : "colour"}`,
          "data-colour": at ? null : letter,
          "data-k": `pick-${i}-${at}-${letter}`,
          "aria-pressed": String(part[at] === letter),
          "aria-label": name,
          onclick: () => set(i, at ? withFace(part, letter) : withColour(part, letter)),
        },
        content,
      );
    const name = solo ? (parts.length > 1 ? `${t("card")} ${i + 1}` : t("card")) : t(i ? "other_half" : "covering_half");
    return h(
      "fieldset",
      { class: "picker" },
      h("legend", {}, name),
      half(part),
      h("div", { class: "picks" }, [..."rygb"].map((c) => choice(0, c, colourName(c), shape(c)))),
      // The number of a set is picked once.
      solo && i > 0
        ? null
        : h(
            "div",
            { class: "picks" },
            [...FACES[game]].map((f) => choice(1, f, faceName(f), /\d/.test(f) ? f : sign(f))),
          ),
    );
  }

  function sizes() {
    if (!solo || !sets || !/\d/.test(parts[0][1])) return null;
    const resize = (key, word, next, disabled) =>
      h(
        "button",
        { type: "button", class: "quiet-button", "data-k": key, disabled, onclick: () => ((parts = next()), draw(), changed(made())) },
        icon(key),
        t(word),
      );
    return h(
      "div",
      { class: "builder-sizes" },
      resize("add", "set_more", () => [...parts, `?${parts[0][1]}`], parts.length >= MOST),
      parts.length > 1 ? resize("cross", "set_fewer", () => parts.slice(0, -1), false) : null,
    );
  }

  function draw() {
    fill(box, parts.map((_, i) => picker(i)), sizes());
  }

  draw();
  return { element: box, made };
}
