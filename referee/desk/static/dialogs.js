// Dialogs: a move that was missed, how things stand, a new round, the end, settings and hotkeys.

import { builder, half } from "./cards.js";
import { swatch } from "./choices.js";
import { h, icon } from "./dom.js";
import { colourName, shoutOf, t } from "./words.js";
import { LANGUAGES } from "/static/language.js";

const WILDS = new Set(["kW", "kF"]);

/** Show a dialog and remove it when it closes. `build` gets a function that closes it. */
function dialog(title, build) {
  const before = document.activeElement;
  const shown = h("dialog", { class: "dialog", "aria-label": title });
  const close = () => shown.close();
  shown.append(
    h(
      "div",
      { class: "dialog-head" },
      h("h2", {}, title),
      h("button", { type: "button", class: "tool small", "aria-label": t("close"), onclick: close }, icon("cross")),
    ),
    build(close),
  );
  shown.addEventListener("close", () => {
    shown.remove();
    if (before?.isConnected) before.focus();
  });
  shown.addEventListener("click", (event) => event.target === shown && close());
  document.body.append(shown);
  shown.showModal();
  shown.querySelector("input:checked, .form-body input, select")?.focus();
  return shown;
}

function form(close, submit, label, ...content) {
  return h(
    "form",
    {
      class: "form",
      onsubmit: async (event) => {
        event.preventDefault();
        if (await submit(new FormData(event.target))) close();
      },
    },
    h("div", { class: "form-body" }, content),
    h(
      "div",
      { class: "form-foot" },
      h("button", { type: "button", class: "quiet-button", onclick: close }, t("cancel")),
      h("button", { type: "submit", class: "primary" }, label),
    ),
  );
}

/** One of several, as large buttons; `options` are pairs of value and text. */
function radios(name, legend, options, value) {
  return h(
    "fieldset",
    { class: "radios" },
    h("legend", {}, legend),
    options.map(([one, text]) =>
      h(
        "label",
        { class: "radio" },
        h("input", { type: "radio", name, value: one, checked: one === value }),
        h("span", {}, text),
      ),
    ),
  );
}

function number(name, label, value, most = 200) {
  return h("label", { class: "field" }, h("span", {}, label), h("input", { type: "number", name, min: 0, max: most, value, inputmode: "numeric" }));
}

const players = (state) => state.chairs.map((chair, i) => [String(i), chair.name]);

/** A move that the camera missed: before `entry`, or as the newest. */
export function missedMove(desk, entry = null) {
  const { state } = desk;
  const kinds = ["place", "draw", "shout", "take_back", "end_turn", "call_reveal", "call_answer", "call_take"];
  let made = { card: "?" };
  const title = entry === null ? t("missed") : t("missed_before_what", { text: entry.text });
  const ends = entry?.ends.length ? entry.ends : state.ends;
  return dialog(title, (close) => {
    const rest = h("div", { class: "form-rest" });
    const build = builder(state, [], (now) => {
      made = now;
      call.hidden = !WILDS.has(now.card);
    });
    const call = radios("colour", t("chosen_colour"), [["", t("not_heard")], ...[..."rygb"].map((one) => [one, [swatch(one), colourName(one)]])], "");
    call.hidden = true;
    const draw = (kind) => {
      const parts = [];
      const turn = state.chairs.findIndex((chair) => chair.on_turn);
      if (kind !== "call_reveal") parts.push(radios("player", t("who"), players(state), String(entry?.player ?? Math.max(0, turn))));
      if (["place", "take_back", "call_reveal", "call_answer"].includes(kind)) parts.push(build.element);
      if (kind === "place" && state.game === "solo") parts.push(call);
      if (kind === "place" && state.game === "solomino" && ends.length === 2) {
        parts.push(radios("onto", t("which_end"), ends.map((end, i) => [`${i}`, half(end)]), "0"));
      }
      if (kind === "draw") parts.push(number("count", t("how_many"), 1));
      rest.replaceChildren(...parts);
    };
    const all = radios("kind", t("what"), kinds.filter((k) => state.game !== "solo" || !k.startsWith("call")).map((k) => [k, t(`kind_${k}`, { shout: shoutOf(state) })]), "place");
    all.addEventListener("change", (event) => draw(event.target.value));
    draw("place");
    return form(
      close,
      (data) => {
        const kind = data.get("kind");
        const observation = { type: kind };
        if (data.has("player")) observation.player = Number(data.get("player"));
        if (["place", "take_back", "call_reveal", "call_answer"].includes(kind)) Object.assign(observation, kind === "place" ? made : { card: made.card ?? made.cards[0] });
        if (kind === "place" && state.game === "solomino") {
          observation.onto = ends[Number(data.get("onto") ?? 0)] ?? "?";
          observation.with = made.card.split("/")[0];
        }
        if (kind === "place" && WILDS.has(made.card) && data.get("colour")) observation.colour = data.get("colour");
        if (kind === "call_answer") observation.with = made.card.split("/")[0];
        if (kind === "draw") observation.count = Math.max(1, Number(data.get("count")));
        return desk.act("POST", "moves", { body: { observation, before: entry?.id ?? null } });
      },
      t("enter"),
      all,
      rest,
    );
  });
}

/** How things stand, whatever the log says. */
export function setState(desk) {
  const { state } = desk;
  return dialog(t("set_state"), (close) =>
    form(
      close,
      (data) => {
        const body = {};
        const turn = data.get("turn");
        if (turn !== "as_it_is") body.turn = Number(turn);
        if (data.get("direction") !== state.direction) body.direction = data.get("direction");
        const hands = state.chairs.map((chair, i) => changed(data.get(`hand-${i}`), chair.cards));
        if (hands.some((one) => one !== null)) body.hands = hands;
        if (data.get("colour")) body.colour = data.get("colour");
        const pile = changed(data.get("pile"), state.draw_pile);
        if (pile !== null) body.draw_pile = pile;
        if (!Object.keys(body).length) return true;
        return desk.act("POST", "state", { body });
      },
      t("apply"),
      h("p", { class: "soft" }, t(state.game === "solo" ? "set_state_long_solo" : "set_state_long")),
      radios("turn", t("whose_turn"), [["as_it_is", t("as_it_is")], ...players(state)], "as_it_is"),
      radios("direction", t("direction"), [["left", t("left")], ["right", t("right")]], state.direction),
      state.game === "solo"
        ? radios("colour", t("colour_in_force"), [["", t("as_it_is")], ...[..."rygb"].map((one) => [one, [swatch(one), colourName(one)]])], "")
        : null,
      h(
        "fieldset",
        { class: "numbers" },
        h("legend", {}, t("cards_held")),
        state.chairs.map((chair, i) => number(`hand-${i}`, chair.name, chair.cards ?? "")),
        number("pile", t("draw_pile"), state.draw_pile ?? ""),
      ),
    ),
  );
}

function changed(text, before) {
  return text === "" || text === null || Number(text) === before ? null : Number(text);
}

/** The deal of a further round. */
export function newRound(desk) {
  const { state } = desk;
  return dialog(t("new_round"), (close) =>
    form(
      close,
      (data) => {
        const first = data.get("first");
        const count = data.get("count");
        const body = { first_player: first === "unknown" ? null : Number(first) };
        if (count !== "") body.hands = state.chairs.map(() => Number(count));
        return desk.act("POST", "round", { body });
      },
      t("deal"),
      h("p", { class: "soft" }, t("new_round_long")),
      radios("first", t("who_begins"), [["unknown", t("whoever_acts")], ...players(state)], "unknown"),
      number("count", t("cards_each"), "", 40),
    ),
  );
}

/** Breaking off the round is asked for once more. */
export function endRound(desk) {
  return dialog(t("end_round"), (close) =>
    form(close, () => desk.act("POST", "end"), t("end_round"), h("p", {}, t("end_round_long"))),
  );
}

/** Settings, hotkeys, and where the addresses are described. */
export function settings(desk, keys) {
  return dialog(t("settings"), (close) => {
    const select = (label, options, value, changed) =>
      h(
        "label",
        { class: "field" },
        h("span", {}, label),
        h("select", { onchange: (event) => changed(event.target.value) }, options.map(([one, text]) => h("option", { value: one, selected: one === value }, text))),
      );
    return h(
      "div",
      { class: "form-body settings" },
      h(
        "div",
        { class: "fields" },
        select(t("language"), Object.entries(LANGUAGES), desk.language, (value) => desk.setLanguage(value).then(close)),
        select(t("theme"), ["dark", "light", "contrast"].map((one) => [one, t(`theme_${one}`)]), desk.theme, (value) => desk.setTheme(value)),
        h(
          "label",
          { class: "field" },
          h("span", {}, t("your_name")),
          h("input", { type: "text", maxlength: 40, autocomplete: "nickname", value: desk.by, oninput: (event) => desk.setName(event.target.value) }),
        ),
      ),
      h(
        "div",
        { class: "wide-buttons" },
        h("button", { type: "button", class: "choice", onclick: () => (close(), desk.newRound()) }, icon("round"), t("new_round")),
        h("button", { type: "button", class: "choice", onclick: () => (close(), desk.endRound()) }, icon("stop"), t("end_round")),
        h("button", { type: "button", class: "choice", onclick: () => (close(), desk.setState()) }, icon("state"), t("set_state")),
      ),
      h("h3", {}, t("hotkeys")),
      h(
        "label",
        { class: "check" },
        h("input", { type: "checkbox", checked: keys.on, onchange: (event) => keys.turn(event.target.checked) }),
        h("span", {}, t("hotkeys_on")),
      ),
      h(
        "table",
        { class: "keys" },
        h("tbody", {}, keys.list.map(({ show, word }) => h("tr", {}, h("th", { scope: "row" }, show.split(" ").map((one) => h("kbd", {}, one))), h("td", {}, t(word, { shout: shoutOf(desk.state) }))))),
      ),
      h("p", { class: "soft" }, t("stream_deck"), " ", h("a", { href: "/docs" }, "/docs")),
    );
  });
}
