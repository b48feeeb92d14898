// Small helpers to make elements, and to draw a part of the page anew without losing the focus.

/** An element: `h("button", {class: "x", onclick: f}, "text", child)`. */
export function h(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else made.setAttribute(name, String(value));
  }
  const there = (child) => child !== null && child !== undefined && child !== false;
  made.append(...children.flat(Infinity).filter(there));
  return made;
}

/** Line drawings in a 24 x 24 box. */
const ICONS = {
  undo: '<path d="M9 7 4 12l5 5M4 12h10a6 6 0 0 1 0 12h-2" transform="translate(0 -3)"/>',
  redo: '<path d="m15 7 5 5-5 5M20 12H10a6 6 0 0 0 0 12h2" transform="translate(0 -3)"/>',
  pause: '<path d="M8 5v14M16 5v14"/>',
  play: '<path d="M7 4.5v15l12-7.5Z"/>',
  add: '<path d="M12 5v14M5 12h14"/>',
  more: '<path d="M5 12h.01M12 12h.01M19 12h.01" stroke-width="3.4"/>',
  round: '<path d="M20 12a8 8 0 1 1-2.3-5.6M20 3v4.5h-4.5"/>',
  stop: '<rect x="6" y="6" width="12" height="12" rx="2"/>',
  shout: '<path d="M4 10v4h3l6 4.5v-13L7 10Zm12.5-1.5a5 5 0 0 1 0 7M19 6a8.5 8.5 0 0 1 0 12"/>',
  check: '<path d="m5 12.5 4.5 4.5L19 7.5"/>',
  cross: '<path d="m6.5 6.5 11 11m0-11-11 11"/>',
  question: '<path d="M8.5 9a3.5 3.5 0 1 1 5.2 3c-1.2.7-1.7 1.3-1.7 2.5M12 18h.01"/>',
  pen: '<path d="M4 20h4L19 9l-4-4L4 16Z"/>',
  draw: '<rect x="6" y="3" width="12" height="18" rx="2"/><path d="M12 9v6M9 12h6"/>',
  card: '<rect x="3" y="7" width="18" height="10" rx="2"/><path d="M12 7v10"/>',
  back: '<path d="M9 8 5 12l4 4M5 12h14"/>',
  swap: '<path d="M4 9h15l-4-4M20 15H5l4 4"/>',
  flag: '<path d="M6 21V4h11l-2 4 2 4H6"/>',
  eye: '<path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12Z"/><circle cx="12" cy="12" r="3"/>',
  clock: '<circle cx="12" cy="12" r="8.5"/><path d="M12 7v5l3.5 2"/>',
  start: '<path d="M6 20V4M6 5h11l-2.5 3.5L17 12H6"/>',
  state: '<path d="M4 6h16M4 12h10M4 18h13"/>',
};

/** An icon; decoration only, so that screen readers pass it over. */
export function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", `icon icon-${name}`);
  svg.setAttribute("aria-hidden", "true");
  svg.innerHTML = ICONS[name] ?? "";
  return svg;
}

/** Put new children into an element; whoever has the focus in it keeps it, by `data-k`. */
export function fill(parent, ...children) {
  const active = document.activeElement;
  const key = parent.contains(active) ? active.closest("[data-k]")?.dataset.k : undefined;
  parent.replaceChildren(...children.flat(Infinity).filter(Boolean));
  if (key !== undefined) parent.querySelector(`[data-k="${CSS.escape(key)}"]`)?.focus();
}

/** Seconds as minutes and seconds, with hours where there are any. */
export function clock(seconds) {
  if (seconds === null || seconds === undefined) return "";
  const whole = Math.floor(seconds);
  const two = (n) => String(n).padStart(2, "0");
  const minutes = Math.floor(whole / 60) % 60;
  const hours = Math.floor(whole / 3600);
  return hours ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}
