// The game and its options, each with what the chosen value means.

import { node } from "./node.js";
import { t } from "./words.js";

const FIRST = ["length", "interject", "jump_in", "triple", "scoring", "shouts"];

const label = ({ title, players: [fewest, most] }) => t("game_players", { game: title, fewest, most });

export class Rules {
  constructor(games, changed) {
    this.games = games;
    this.changed = changed; // (game, options)
    this.game = document.querySelector("#game");
    this.game.replaceChildren(
      ...games.map((one) =>
        node("option", { value: one.name }, label(one)),
      ),
    );
    this.game.onchange = () => changed(this.game.value, {}); // the one before it is of another language
    this.shown = "";
  }

  show(draft, locked) {
    const key = JSON.stringify([draft.game, draft.options, locked]);
    if (key === this.shown || document.activeElement?.closest(".option input")) return;
    this.shown = key;
    this.draft = draft;
    this.game.value = draft.game;
    this.game.disabled = locked;
    const open = document.activeElement?.id;
    const { options } = this.games.find((one) => one.name === draft.game);
    const fill = (selector, wanted) =>
      document
        .querySelector(selector)
        .replaceChildren(...wanted.map((one) => this.option(one, locked)));
    const first = FIRST.flatMap((name) => options.filter((one) => one.name === name));
    fill("#options", first);
    fill("#more-options", options.filter((one) => !first.includes(one)));
    if (open) document.getElementById(open)?.focus();
  }

  option(option, locked) {
    const value = this.draft.options[option.name] ?? option.default;
    const id = `option-${option.name}`;
    const asks = node("p", { class: "aside" }, option.asks);
    const means = node("p", { class: "aside" });
    const box = node("div", { class: "option" }, node("label", { for: id }, option.title), asks);
    if (option.name === "length") {
      box.append(this.length(id, option, value, locked));
    } else if (option.choices.length === 0) {
      const input = node("input", { id, type: "number", min: 0, max: 20, value });
      input.disabled = locked;
      input.addEventListener("change", () => this.set(option, Number(input.value)));
      box.append(input);
    } else {
      const select = node("select", { id });
      select.disabled = locked;
      for (const [i, choice] of option.choices.entries()) {
        select.append(node("option", { value: i }, choice.means.replace(/\.$/, "")));
        if (choice.value === value) select.selectedIndex = i;
      }
      select.addEventListener("change", () =>
        this.set(option, option.choices[select.selectedIndex].value),
      );
      const isDefault = value === option.default;
      means.textContent = t(isDefault ? "as_usual" : "not_usual", option);
      box.append(select, means);
    }
    return box;
  }

  length(id, option, value, locked) {
    const [kind, number] = Object.entries(value)[0];
    const what = node("select", { id });
    for (const [name, text] of ["rounds", "points"].map((one) => [one, t(`length.${one}`)])) {
      what.append(node("option", { value: name }, text));
    }
    what.value = kind;
    const many = node("input", {
      type: "number",
      min: 1,
      max: 1000,
      value: number,
      "aria-label": t("length_many"),
    });
    what.disabled = many.disabled = locked;
    const usual = { rounds: 1, points: 100 };
    what.addEventListener("change", () => this.set(option, { [what.value]: usual[what.value] }));
    many.addEventListener("change", () =>
      this.set(option, { [what.value]: Math.max(1, Math.round(Number(many.value)) || 1) }),
    );
    return node("p", { class: "row" }, what, many);
  }

  set(option, value) {
    const options = { ...this.draft.options, [option.name]: value };
    // What is as usual is left out: the record then says only what is special.
    if (JSON.stringify(value) === JSON.stringify(option.default)) delete options[option.name];
    this.changed(this.draft.game, options);
  }
}
