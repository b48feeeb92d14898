// The live picture with what the program sees: each half card outlined and named.
//
// Outlines are drawn here rather than by the server, so that they stay sharp, can be switched
// off, and cost the server nothing.

import { h, icon } from "./dom.js";
import { t } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";
const RETRY_MS = 1500;
const SHOWN = ["all", "ends", "none"];

export class Picture {
  constructor(parent) {
    this.parent = parent;
    this.shown = localStorage.getItem("desk.outlines") ?? "all";
    this.image = h("img", { class: "live", alt: "", width: 16, height: 9 });
    this.svg = document.createElementNS(SVG, "svg");
    this.svg.setAttribute("class", "outlines");
    this.svg.setAttribute("aria-hidden", "true");
    this.empty = h("p", { class: "no-picture" });
    this.toggle = h("button", { type: "button", class: "tool small", onclick: () => this.cycle() });
    parent.className = "picture";
    parent.append(this.image, this.svg, this.empty, this.toggle);
    this.image.addEventListener("error", () => this.lost());
    this.image.addEventListener("load", () => this.parent.classList.add("is-live"));
    document.addEventListener("visibilitychange", () => this.play());
    this.key = "";
  }

  /** Begin to show the picture, or stop while nobody looks. */
  play() {
    clearTimeout(this.timer);
    const width = this.parent.clientWidth * Math.min(window.devicePixelRatio, 2) > 1300 ? 1920 : 1280;
    const source = `/video?marked=0&fps=15&width=${Math.min(width, 1280)}`;
    if (document.hidden) this.image.removeAttribute("src");
    else this.image.src = source;
  }

  lost() {
    this.parent.classList.remove("is-live");
    this.timer = setTimeout(() => this.play(), RETRY_MS);
  }

  cycle() {
    this.shown = SHOWN[(SHOWN.indexOf(this.shown) + 1) % SHOWN.length];
    localStorage.setItem("desk.outlines", this.shown);
    this.key = "";
    this.show(this.state);
  }

  /** Draw what is seen in a state. */
  show(state) {
    this.state = state;
    this.image.alt = t("live_picture");
    this.empty.textContent = t("no_picture");
    this.toggle.replaceChildren(icon("eye"), t(`outlines_${this.shown}`));
    this.toggle.setAttribute("aria-label", `${t("outlines")}: ${t(`outlines_${this.shown}`)}`);
    const [width, height] = state.picture_px ?? [1920, 1080];
    const key = JSON.stringify([state.outlines, width, height, this.shown]);
    if (key === this.key) return;
    this.key = key;
    this.parent.style.setProperty("--ratio", `${width} / ${height}`);
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.svg.replaceChildren();
    const order = ["zone", "line", "end", "unsure", "illegal"];
    const marks = [...state.outlines].sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
    for (const mark of marks) {
      if (this.shown === "none" || (this.shown === "ends" && mark.kind === "line")) continue;
      this.svg.append(...outline(mark, width, height));
    }
  }
}

/** The middle of a shape's upper edge: a label there leaves the card's face free. */
function upperEdge(points) {
  const edges = points.map((p, i) => {
    const q = points[(i + 1) % points.length];
    return [(p[0] + q[0]) / 2, (p[1] + q[1]) / 2];
  });
  return edges.reduce((best, edge) => (edge[1] < best[1] ? edge : best));
}

function outline(mark, width, height) {
  const points = mark.points.map(([x, y]) => [x * width, y * height]);
  const polygon = document.createElementNS(SVG, "polygon");
  polygon.setAttribute("points", points.map((p) => p.map((v) => v.toFixed(1)).join(",")).join(" "));
  polygon.setAttribute("class", `outline outline-${mark.kind}`);
  if (!mark.text) return [polygon];
  const size = height / (mark.kind === "line" ? 44 : 32);
  const [x, y] = upperEdge(points);
  const wide = size * (0.62 * mark.text.length + 0.7);
  const group = document.createElementNS(SVG, "g");
  group.setAttribute("class", `plate plate-${mark.kind}`);
  group.innerHTML = `<rect x="${x - wide / 2}" y="${y - size * 0.72}" width="${wide}" height="${size * 1.44}"
    rx="${size * 0.3}"/><text x="${x}" y="${y}" font-size="${size}"></text>`;
  group.querySelector("text").textContent = mark.text;
  return [polygon, group];
}
