// The page's words: asked for once in a language, and put into the page.

import { fillIn, filled } from "/static/language.js";

const words = { labels: {}, colours: {}, faces: {}, rules: {} };

/** Get the words of a language and put them into what stands in the page already. */
export async function speak(language) {
  const answer = await fetch(`/api/control/words?lang=${language}`);
  if (!answer.ok) throw new Error(`no words: ${answer.status}`);
  Object.assign(words, await answer.json());
  document.title = `${t("desk")} – Table Referee`;
  fillIn(t, language);
}

/** A word of the page; `{name}` in it is filled in. */
export const t = (key, values) => filled(words.labels[key] ?? key, values);

/** A half card as one says it. */
export function halfName(half) {
  const [colour, face] = half ?? "";
  if (colour === undefined || half === "?") return t("unread");
  return `${words.colours[colour] ?? "?"} ${words.faces[face] ?? face}`;
}

/** A card as one says it. */
export function cardName(card) {
  return (card ?? "?").split("/").map(halfName).join(", ");
}

/** A colour's name. */
export const colourName = (letter) => words.colours[letter] ?? letter;

/** A face's name. */
export const faceName = (letter) => words.faces[letter] ?? letter;

/** What is called out with one card left. */
export const shoutOf = (state) => (state?.game === "solo" ? "SOLO!" : "SOLOmino!");

/** The text of a paragraph of the rulebook; in English. */
export const rule = (number) => words.rules[number] ?? "";
