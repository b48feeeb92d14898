// Half cards and whole cards as SVG, with signs of our own for the six actions.
//
// A colour is never told by colour alone: each has a shape as well (red triangle, yellow star,
// green square, blue disc), chosen so that no two differ only by rotation.

const SVG = "http://www.w3.org/2000/svg";

// Shapes in a 24 x 24 box.
const SHAPES = {
  r: '<path d="M12 2.5 22.5 21.5H1.5Z"/>',
  y: '<path d="m12 1 3.1 7.4 8 .7-6.1 5.2 1.9 7.8L12 17.9l-6.9 4.2L7 14.3.9 9.1l8-.7Z"/>',
  g: '<path d="M3 3h18v18H3Z"/>',
  b: '<circle cx="12" cy="12" r="10.2"/>',
};

// Signs in a 100 x 100 box, drawn in the current colour.
const SIGNS = {
  // skip: a prohibition sign
  S: `<g fill="none" stroke="currentColor" stroke-width="12">
    <circle cx="50" cy="50" r="36"/><path d="M25 75 75 25"/></g>`,
  // change of direction: two arrows that turn back on each other
  R: `<g fill="none" stroke="currentColor" stroke-width="11" stroke-linecap="round">
      <path d="M25 52V40a18 18 0 0 1 18-18h20"/><path d="M75 48v12a18 18 0 0 1-18 18H37"/></g>
    <path fill="currentColor" d="M60 4v36l26-18ZM40 60v36L14 78Z"/>`,
  // draw: a card with a plus cut out of it
  D: `<rect x="20" y="5" width="60" height="90" rx="12" fill="currentColor"/>
    <path d="M50 28v44M28 50h44" fill="none" stroke="var(--ground)" stroke-width="14"/>`,
  // swap with another player: two cards and an arrow with two heads
  X: `<g fill="none" stroke="currentColor" stroke-width="8"><rect x="6" y="10" width="34"
      height="48" rx="6"/><rect x="60" y="10" width="34" height="48" rx="6"/></g>
    <path fill="currentColor" d="M26 66v11h48V66l22 17-22 17V89H26v11L4 83Z"/>`,
  // pass all hands around: three arrows chase each other
  P: `<path fill="none" stroke="currentColor" stroke-width="11"
      d="M58 16A35 35 0 0 1 84 44M75 74A35 35 0 0 1 38 83M16 60A35 35 0 0 1 28 23"/>
    <path fill="currentColor" d="M82 63L100 39 69 46ZM22 72L34 99 44 68ZM45 15L16 12 37 36Z"/>`,
  // call for a card: a question mark
  C: `<path fill="none" stroke="currentColor" stroke-width="13" stroke-linecap="round"
      d="M29 33c0-13 9-21 21-21s22 8 22 20c0 15-22 17-22 33"/>
    <circle cx="50" cy="87" r="8.5" fill="currentColor"/>`,
  // wild: four quarters
  W: `<path style="fill:var(--red)" d="M50 8a42 42 0 0 0-42 42h42Z"/>
    <path style="fill:var(--yellow)" d="M50 8a42 42 0 0 1 42 42H50Z"/>
    <path style="fill:var(--green)" d="M8 50a42 42 0 0 0 42 42V50Z"/>
    <path style="fill:var(--blue)" d="M92 50a42 42 0 0 1-42 42V50Z"/>`,
};
// wild plus four: the same, and what it costs
SIGNS.F = `<g transform="translate(22 0) scale(.56)">${SIGNS.W}</g>
  <text x="50" y="78" class="face-number face-plus">+4</text>`;

const number = (face) =>
  `<text x="50" y="50" class="face-number">${face}</text>` +
  (face === "6" || face === "9" ? '<path class="face-base" d="M31 101h38"/>' : "");

/** The sign or number of a face, as an SVG of 100 x 100. */
export function sign(face) {
  const svg = element("svg", { viewBox: "0 0 100 100", class: "sign" });
  svg.innerHTML = SIGNS[face] ?? number(face);
  svg.classList.toggle("sign-number", !(face in SIGNS));
  return svg;
}

/** The shape that stands for a colour. */
export function shape(colour) {
  const svg = element("svg", { viewBox: "0 0 24 24", class: "shape" });
  svg.innerHTML = SHAPES[colour] ?? "";
  return svg;
}

/** A half card. `edge` is its outer, rounded edge: left, right, top or bottom. */
export function halfCard(half, edge = "top") {
  const [colour, face] = /^[rygbkn?][0-9SRDXPCWF?]$/.test(half ?? "") ? half : "??";
  const box = document.createElement("div");
  box.className = `half half-${edge}`;
  box.dataset.half = half ?? "";
  box.dataset.colour = colour === "?" ? "unknown" : colour;
  const middle = document.createElement("div");
  middle.className = "half-face";
  middle.append(sign(face));
  box.append(middle);
  if (colour in SHAPES) {
    for (const place of ["first", "second"]) {
      const pip = document.createElement("span");
      pip.className = `pip pip-${place}`;
      pip.append(shape(colour));
      box.append(pip);
    }
  }
  return box;
}

/** A whole card: two halves side by side, or the one face of a SOLO card. */
export function card(text) {
  const box = document.createElement("div");
  box.className = "card";
  const [first, second] = text.split("/");
  if (second === undefined) {
    box.classList.add("card-single");
    box.append(halfCard(first, "all"));
  } else {
    box.append(halfCard(first, "left"), halfCard(second, "right"));
  }
  return box;
}

function element(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}
