// The words of the page: asked for once in a language, and put into the page.

import { fillIn, filled, wantedLanguage } from "/static/language.js";

let words = {};

/** The language that the page speaks; the server is asked for the same. */
export let language = wantedLanguage();

/** Speak a language. */
export async function speak(wanted) {
  const answer = await fetch(`/api/setup/words?lang=${wanted}`, { cache: "no-store" });
  if (!answer.ok) throw new Error(`no words: ${answer.status}`);
  words = await answer.json();
  language = wanted;
  document.title = `${t("title")} – Table Referee`;
  fillIn(t, language);
  for (const element of document.querySelectorAll("[data-alt]")) {
    element.alt = t(element.dataset.alt);
  }
}

/** A word of the page; `{name}` in it is filled in. */
export const t = (key, values) => filled(words[key] ?? key, values);
