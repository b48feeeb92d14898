// The panels beside the picture: camera, players, piles, masks, what was read, the check list.

import { node } from "./node.js";
import { ZONES } from "./stage.js";

const WHAT = {
  size: "Picture size",
  rate: "Pictures a second",
  focus: "Focus",
  exposure: "Exposure",
  white_balance: "White balance",
};
const COLOURS = { r: "red", y: "yellow", g: "green", b: "blue", k: "black", n: "grey" };
const FACES = {
  S: "skip",
  R: "change direction",
  D: "draw",
  X: "swap hands",
  P: "pass hands",
  C: "call for a card",
  W: "wild",
  F: "wild plus four",
};
const INKS = { r: "#d8343f", y: "#f2c11d", g: "#2a9a57", b: "#2c6bd9", k: "#23262c", n: "#8b939e" };

const $ = (selector) => document.querySelector(selector);

// A half card as one says it.
export function spoken(label) {
  const [colour, face] = label;
  return `${COLOURS[colour] ?? "unknown colour"} ${FACES[face] ?? face ?? "?"}`;
}

export function showCamera(picture, checks) {
  const facts = $("#camera-facts");
  const rows = [["Source", picture.source]];
  if (picture.size_px) rows.push(["Picture", `${picture.size_px.join(" × ")} pixels`]);
  const made = rows.flatMap(([name, text]) => [node("dt", {}, name), node("dd", {}, text)]);
  for (const one of picture.granted) {
    const text = one.granted ? one.got : `${one.got} (asked for ${one.asked})`;
    const value = node("dd", { "data-light": one.granted ? "good" : "poor" }, text);
    made.push(node("dt", {}, WHAT[one.what]), value);
  }
  facts.replaceChildren(...made);
  $("#locks").hidden = !picture.lockable;
  $("#no-locks").hidden = picture.lockable;
  for (const box of document.querySelectorAll("#locks input")) {
    if (box !== document.activeElement) box.checked = picture.locks.includes(box.value);
  }
  const camera = checks.find((one) => one.name === "camera");
  const pill = $("#camera-pill");
  pill.dataset.light = camera?.light ?? "unknown";
  pill.lastElementChild.textContent = camera
    ? camera.light === "good"
      ? "Camera runs"
      : camera.value
    : "connecting …";
  const none = $("#no-picture");
  const moves = picture.is_recording || camera?.light !== "poor";
  none.hidden = Boolean(picture.size_px) && moves;
  none.firstElementChild.textContent = picture.size_px ? "The picture stands still" : "No picture yet";
  none.lastElementChild.textContent = camera?.light === "poor" ? `${camera.value}. ${camera.advice}` : "";
}

export function showChecks(checks) {
  $("#checks").replaceChildren(
    ...checks.map((one) => {
      const words = { good: "good", fair: "fair", poor: "poor", unknown: "not known yet" };
      const line = node(
        "li",
        { class: "check", "data-light": one.light, "data-check": one.name },
        node("i", { "aria-hidden": "true" }),
        node("b", {}, one.title, node("span", { class: "sr" }, `: ${words[one.light]}`)),
        node("span", {}, one.value),
      );
      if (one.advice) line.append(node("em", {}, one.advice));
      return line;
    }),
  );
}

// The players' names. `on` is told of what changed: rename(i, name), remove(i).
export function showSeats(draft, on, locked) {
  const list = $("#seats");
  if (list.contains(document.activeElement) && list.children.length === draft.seats.length) {
    return; // somebody is typing
  }
  list.replaceChildren(
    ...draft.seats.map((seat, i) => {
      const name = node("input", {
        value: seat.name,
        maxlength: 40,
        "aria-label": `Name of player ${i + 1}`,
        autocomplete: "off",
        enterkeyhint: "done",
      });
      const remove = node("button", { type: "button", "aria-label": `Remove ${seat.name}` }, "✕");
      name.disabled = locked;
      remove.disabled = locked || draft.seats.length <= 2;
      name.addEventListener("change", () => on.rename(i, name.value));
      name.addEventListener("keydown", (event) => event.key === "Enter" && name.blur());
      remove.addEventListener("click", () => on.remove(i));
      return node("li", {}, node("span", { class: "aside" }, `${i + 1}.`), name, remove);
    }),
  );
  const first = $("#first");
  first.replaceChildren(
    node("option", { value: "" }, "whoever acts first"),
    ...draft.seats.map((seat) => node("option", { value: seat.name }, seat.name)),
  );
  first.value = draft.first ?? "";
  first.disabled = $("#add-seat").disabled = $("#spread").disabled = locked;
}

export function showZones(draft, on, locked) {
  const box = $("#zones");
  if (box.contains(document.activeElement)) return;
  box.replaceChildren(
    ...draft.zones.map((zone) => {
      const size = (i, text) => {
        const id = `${zone.name}-${i}`;
        const input = node("input", { id, type: "number", min: 20, max: 1000, value: zone.size_mm[i] });
        input.disabled = locked;
        input.addEventListener("change", () => {
          const sizes = [...zone.size_mm];
          sizes[i] = Number(input.value);
          on.resize(zone, sizes);
        });
        return node("span", {}, node("label", { for: id }, text), input);
      };
      return node(
        "div",
        { class: "zone" },
        node("h3", {}, ZONES[zone.name]),
        node("p", { class: "row sizes" }, size(0, "Width, mm"), size(1, "Depth, mm")),
      );
    }),
  );
}

export function showMasks(draft, on) {
  $("#masks").replaceChildren(
    ...draft.masks_px.map((mask, i) => {
      const more = node("button", { type: "button" }, "One corner more");
      const remove = node("button", { type: "button", "aria-label": `Uncover part ${i + 1}` }, "✕");
      more.addEventListener("click", () => on.more(i));
      remove.addEventListener("click", () => on.remove(i));
      return node("li", {}, `Part ${i + 1}`, more, remove);
    }),
  );
}

export function showHalves(halves, on) {
  $("#all-right").hidden = !halves.some((half) => half.right === null);
  const list = $("#read-halves");
  const focused = [...list.querySelectorAll("button")].indexOf(document.activeElement);
  list.replaceChildren(
    ...halves.map((half, i) => {
      const words = { true: "right", false: "wrong", null: "not judged" };
      const button = node(
        "button",
        { type: "button", style: `--half: ${INKS[half.label[0]] ?? "#888"}` },
        spoken(half.label),
        node("span", { class: "sr" }, `, ${words[half.right]}`),
      );
      if (half.right !== null) button.dataset.right = half.right;
      button.addEventListener("click", () => on.half(i));
      return node("li", {}, button);
    }),
  );
  if (focused >= 0) list.querySelectorAll("button")[focused]?.focus();
}
