// The panels beside the picture: camera, players, piles, masks, what was read, the check list.

import { node } from "./node.js";
import { t } from "./words.js";

const INKS = { r: "#d8343f", y: "#f2c11d", g: "#2a9a57", b: "#2c6bd9", k: "#23262c", n: "#8b939e" };

const $ = (selector) => document.querySelector(selector);

export function showCamera(picture, checks) {
  const facts = $("#camera-facts");
  const rows = [[t("source"), picture.source]];
  if (picture.size_px) {
    const [width, height] = picture.size_px;
    rows.push([t("picture"), t("pixels", { width, height })]);
  }
  const made = rows.flatMap(([name, text]) => [node("dt", {}, name), node("dd", {}, text)]);
  for (const one of picture.granted) {
    const text = one.granted ? one.got : t("asked_for", one);
    const value = node("dd", { "data-light": one.granted ? "good" : "poor" }, text);
    made.push(node("dt", {}, t(`what.${one.what}`)), value);
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
      ? t("camera_runs")
      : camera.value
    : t("connecting");
  const none = $("#no-picture");
  const moves = picture.is_recording || camera?.light !== "poor";
  none.hidden = Boolean(picture.size_px) && moves;
  none.firstElementChild.textContent = t(picture.size_px ? "stands_still" : "no_picture");
  none.lastElementChild.textContent = camera?.light !== "poor" ? "" : picture.size_px ? `${camera.value}. ${camera.advice}` : camera.advice;
}

export function showChecks(checks) {
  $("#checks").replaceChildren(
    ...checks.map((one) => {
      const line = node(
        "li",
        { class: "check", "data-light": one.light, "data-check": one.name },
        node("i", { "aria-hidden": "true" }),
        node("b", {}, one.title, node("span", { class: "sr" }, `: ${t(`light.${one.light}`)}`)),
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
        "aria-label": t("name_of", { number: i + 1 }),
        autocomplete: "off",
        enterkeyhint: "done",
      });
      const remove = node("button", { type: "button", "aria-label": t("remove", seat) }, "✕");
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
    node("option", { value: "" }, t("anyone_first")),
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
        node("h3", {}, t(`zone.${zone.name}`)),
        node("p", { class: "row sizes" }, size(0, t("width")), size(1, t("depth"))),
      );
    }),
  );
}

export function showMasks(draft, on) {
  $("#masks").replaceChildren(
    ...draft.masks_px.map((mask, i) => {
      const more = node("button", { type: "button" }, t("mask_more"));
      const remove = node("button", { type: "button", "aria-label": t("mask_remove", { number: i + 1 }) }, "✕");
      more.addEventListener("click", () => on.more(i));
      remove.addEventListener("click", () => on.remove(i));
      return node("li", {}, t("mask_n", { number: i + 1 }), more, remove);
    }),
  );
}

export function showHalves(halves, on) {
  $("#all-right").hidden = !halves.some((half) => half.right === null);
  const list = $("#read-halves");
  const focused = [...list.querySelectorAll("button")].indexOf(document.activeElement);
  list.replaceChildren(
    ...halves.map((half, i) => {
      const judged = { true: "right", false: "wrong", null: "open" }[half.right];
      const button = node(
        "button",
        { type: "button", style: `--half: ${INKS[half.label[0]] ?? "#888"}` },
        half.text,
        node("span", { class: "sr" }, `, ${t(`judged.${judged}`)}`),
      );
      if (half.right !== null) button.dataset.right = half.right;
      button.addEventListener("click", () => on.half(i));
      return node("li", {}, button);
    }),
  );
  if (focused >= 0) list.querySelectorAll("button")[focused]?.focus();
}
