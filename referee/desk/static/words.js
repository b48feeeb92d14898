// The page's words: asked for once in a language, and put into the page.

export const LANGUAGES = { en: "English", de: "Deutsch", pt: "Português", fi: "Suomi" };

const words = { labels: {}, colours: {}, faces: {}, rules: {} };

/** The language to begin with: by the address, as it was last time, or as the browser speaks. */
export function wantedLanguage() {
  const asked = new URLSearchParams(location.search).get("lang") ?? localStorage.getItem("desk.lang");
  const spoken = [asked, ...navigator.languages.map((tag) => tag.slice(0, 2))];
  return spoken.find((tag) => tag in LANGUAGES) ?? "en";
}

/** Get the words of a language and put them into what stands in the page already. */
export async function speak(language) {
  const answer = await fetch(`/api/control/words?lang=${language}`);
  if (!answer.ok) throw new Error(`no words: ${answer.status}`);
  Object.assign(words, await answer.json());
  document.documentElement.lang = language;
  document.title = `${t("desk")} – Table Referee`;
  for (const element of document.querySelectorAll("[data-word]")) {
    element.textContent = t(element.dataset.word);
  }
  for (const element of document.querySelectorAll("[data-label]")) {
    element.setAttribute("aria-label", t(element.dataset.label));
  }
}

/** A word of the page; `{name}` in it is filled in. */
export function t(key, values = {}) {
  const text = words.labels[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

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
