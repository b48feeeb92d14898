// Which language a page for operators speaks, and how its words get into it.

export const LANGUAGES = { en: "English", de: "Deutsch", pt: "Português", fi: "Suomi" };

const KEPT = "referee.lang";

/** The language to begin with: by the address, as it was last time, or as the browser speaks. */
export function wantedLanguage() {
  const asked = [new URLSearchParams(location.search).get("lang"), localStorage.getItem(KEPT)];
  const spoken = [...asked, ...navigator.languages.map((tag) => tag.slice(0, 2))];
  return spoken.find((tag) => tag in LANGUAGES) ?? "en";
}

/** Begin with this language the next time, on all pages. */
export function keepLanguage(language) {
  localStorage.setItem(KEPT, language);
}

/** Put words into what stands in the page: `data-word` is an element's text, `data-label` its name. */
export function fillIn(say, language) {
  document.documentElement.lang = language;
  for (const element of document.querySelectorAll("[data-word]")) {
    element.textContent = say(element.dataset.word);
  }
  for (const element of document.querySelectorAll("[data-label]")) {
    element.setAttribute("aria-label", say(element.dataset.label));
  }
}

/** A text with `{name}` filled in. */
export function filled(text, values = {}) {
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}
