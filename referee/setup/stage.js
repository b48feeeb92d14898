// The picture with what is drawn over it. All places are pixels of the camera's picture; around
// it is a margin in which the players sit.

import { handle } from "./handles.js";
import { t } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";
const MARGIN = 0.12;
const CORNERS = 4; // clockwise from the top left

export class Stage {
  constructor(root, on) {
    this.root = root;
    this.on = on; // corners(), seats(), zones(), masks(), half(index)
    this.video = root.querySelector("#video");
    this.drawing = root.querySelector("#drawing");
    this.handles = root.querySelector("#handles");
    this.lens = root.querySelector("#lens");
    this.step = "table";
    this.draft = null;
    this.halves = [];
    this.held = null;
    this.locked = false;
  }

  // The size of the picture; places are meaningless before it is known.
  fit([width, height]) {
    if (this.width === width && this.height === height) return;
    this.width = width;
    this.height = height;
    this.margin = Math.round(MARGIN * height);
    const all = [width + 2 * this.margin, height + 2 * this.margin];
    this.all = all;
    this.root.style.aspectRatio = `${all[0]} / ${all[1]}`;
    this.drawing.setAttribute("viewBox", `${-this.margin} ${-this.margin} ${all[0]} ${all[1]}`);
    Object.assign(this.video.style, {
      left: `${(100 * this.margin) / all[0]}%`,
      top: `${(100 * this.margin) / all[1]}%`,
      width: `${(100 * width) / all[0]}%`,
      height: `${(100 * height) / all[1]}%`,
    });
  }

  // Shows the server's draft, unless something is being dragged: that is newer.
  show(draft, halves, locked) {
    if (this.held) return;
    this.draft = structuredClone(draft);
    this.halves = halves;
    this.locked = locked;
    this.draw();
  }

  at([x, y]) {
    return {
      left: `${(100 * (x + this.margin)) / this.all[0]}%`,
      top: `${(100 * (y + this.margin)) / this.all[1]}%`,
    };
  }

  // Where in the picture a pointer is.
  spot(event) {
    const box = this.root.getBoundingClientRect();
    return [
      ((event.clientX - box.left) / box.width) * this.all[0] - this.margin,
      ((event.clientY - box.top) / box.height) * this.all[1] - this.margin,
    ];
  }

  // The nearest place where all of a handle can be seen; corners may touch the rim.
  within([x, y], button = null) {
    let [insetX, insetY] = [0, 0];
    if (button?.wants.whole) {
      const scale = this.all[0] / this.root.clientWidth;
      [insetX, insetY] = [button.offsetWidth, button.offsetHeight].map((side) => (side / 2 + 3) * scale);
    }
    const [outX, outY] = [this.margin - insetX, this.margin - insetY];
    return [
      Math.min(Math.max(x, -outX), this.width + outX),
      Math.min(Math.max(y, -outY), this.height + outY),
    ];
  }

  draw() {
    if (!this.draft || !this.all) return;
    this.drawShapes();
    this.drawHandles();
  }

  drawShapes() {
    const { draft, held } = this;
    const shapes = [];
    for (const mask of draft.masks_px) shapes.push(polygon(mask, "mask-outline"));
    // During a game nothing is left to be measured; the picture itself is what matters.
    if (!this.locked) {
      if (!held) for (const line of draft.grid_px) shapes.push(polyline(line, "grid"));
      shapes.push(polygon(draft.corners_px, draft.found ? "outline" : "outline draft"));
      for (const zone of draft.zones) {
        shapes.push(polygon(zone.outline_px, zone.placed ? "zone-outline" : "zone-outline waits"));
      }
    }
    // Letters as large as on the rest of the page, however small the picture is shown.
    const letter = this.all[0] / this.root.clientWidth;
    if (this.step === "cards") {
      this.halves.forEach((half, index) => {
        const shape = polygon(half.outline_px, "half");
        if (half.right !== null) shape.dataset.right = half.right;
        shape.addEventListener("click", () => this.on.half(index));
        const x = middle(half.outline_px, 0);
        const [[ax, ay], [bx, by]] = half.outline_px;
        const size = Math.min(15 * letter, 0.7 * Math.hypot(bx - ax, by - ay)); // neighbours touch
        const y = Math.min(...half.outline_px.map((spot) => spot[1])) - 0.65 * size;
        shapes.push(shape, caption(half.label, [x, y], size));
      });
    }
    if (this.step !== "seats" || this.locked) {
      for (const seat of draft.seats) {
        const inset = [4 + 4 * seat.name.length, 11].map((side) => side * letter);
        const [x, y] = [this.width, this.height].map((side, i) => {
          const out = this.margin - inset[i];
          return Math.min(Math.max(seat.at_px[i], -out), side + out);
        });
        shapes.push(caption(seat.name, [x, y], 16 * letter, "name"));
      }
    }
    this.drawing.replaceChildren(...shapes);
  }

  drawHandles() {
    const wanted = this.locked ? [] : this.wanted();
    const seen = new Set();
    for (const one of wanted) {
      seen.add(one.key);
      let button = this.handles.querySelector(`[data-key="${one.key}"]`);
      if (!button) {
        button = handle(this, one.key);
        this.handles.append(button);
      }
      button.wants = one;
      button.className = one.kind;
      button.textContent = one.text ?? "";
      button.setAttribute("aria-label", one.label);
      Object.assign(button.style, this.at(this.within(one.get(), button)));
    }
    for (const button of [...this.handles.children]) {
      if (!seen.has(button.dataset.key)) button.remove();
    }
  }

  // What can be moved in this step, and what moving it changes.
  wanted() {
    const { draft, on } = this;
    if (this.step === "table") {
      return Array.from({ length: CORNERS }, (_, i) => ({
        key: `corner-${i}`,
        kind: "corner",
        label: t("corner_label", { corner: t(`corner.${i}`) }),
        lens: true,
        get: () => draft.corners_px[i],
        set: (spot) => (draft.corners_px[i] = spot),
        done: on.corners,
      }));
    }
    if (this.step === "seats") {
      return draft.seats.map((seat, i) => ({
        key: `seat-${i}`,
        kind: "seat",
        text: seat.name,
        whole: true,
        label: t("seat_label", seat),
        get: () => seat.at_px,
        set: (spot) => (seat.at_px = spot),
        done: on.seats,
      }));
    }
    if (this.step === "zones") {
      return draft.zones.map((zone) => ({
        key: `zone-${zone.name}`,
        kind: "zone-handle",
        text: t(`zone.${zone.name}`),
        whole: true,
        label: t("zone_label", { zone: t(`zone.${zone.name}`) }),
        get: () => zone.at_px,
        set: ([x, y]) => {
          const [dx, dy] = [x - zone.at_px[0], y - zone.at_px[1]];
          zone.outline_px = zone.outline_px.map((spot) => [spot[0] + dx, spot[1] + dy]);
          zone.at_px = [x, y];
        },
        done: () => on.zones(zone),
      }));
    }
    if (this.step === "masks") {
      return draft.masks_px.flatMap((mask, m) =>
        mask.map((_, i) => ({
          key: `mask-${m}-${i}`,
          kind: "corner of-mask",
          label: t("mask_label", { number: m + 1, corner: i + 1 }),
          lens: true,
          get: () => mask[i],
          set: (spot) => (mask[i] = spot),
          done: on.masks,
        })),
      );
    }
    return [];
  }

  // The part of the picture under a finger, three times as large.
  magnify(spot) {
    this.lens.hidden = spot === null;
    if (spot === null || !this.video.naturalWidth) return;
    const context = this.lens.getContext("2d");
    const size = this.lens.width;
    const scale = this.video.naturalWidth / this.width;
    const shown = (size / 3) * (this.all[0] / this.root.clientWidth);
    this.lens.dataset.side = spot[0] < this.width / 2 && spot[1] < this.height / 2 ? "right" : "left";
    context.fillStyle = "#0b0f15";
    context.fillRect(0, 0, size, size);
    context.drawImage(
      this.video,
      (spot[0] - shown / 2) * scale,
      (spot[1] - shown / 2) * scale,
      shown * scale,
      shown * scale,
      0,
      0,
      size,
      size,
    );
    context.strokeStyle = "#5cd6ff";
    context.lineWidth = 1.5;
    context.beginPath();
    context.moveTo(size / 2, 0);
    context.lineTo(size / 2, size);
    context.moveTo(0, size / 2);
    context.lineTo(size, size / 2);
    context.stroke();
  }
}

function polygon(spots, kind) {
  const shape = document.createElementNS(SVG, "polygon");
  shape.setAttribute("points", spots.map((spot) => spot.join(",")).join(" "));
  shape.setAttribute("class", kind);
  return shape;
}

function polyline(spots, kind) {
  const shape = document.createElementNS(SVG, "polyline");
  shape.setAttribute("points", spots.map((spot) => spot.join(",")).join(" "));
  shape.setAttribute("class", kind);
  return shape;
}

function middle(spots, i) {
  return spots.reduce((sum, spot) => sum + spot[i], 0) / spots.length;
}

function caption(words, [x, y], size, kind = "") {
  const text = document.createElementNS(SVG, "text");
  text.setAttribute("x", x);
  text.setAttribute("y", y);
  text.setAttribute("font-size", size);
  text.setAttribute("class", kind);
  text.textContent = words;
  return text;
}
