// The desk: follows the server, gives each part of the page its share, and makes the changes.

import { follow } from "/static/feed.js";
import { keepLanguage, wantedLanguage } from "/static/language.js";
import { change, Conflict, stateWith } from "./api.js";
import { attention } from "./attention.js";
import { endRound, missedMove, newRound, setState, settings } from "./dialogs.js";
import { clock, fill, h, icon } from "./dom.js";
import { Keys } from "./keys.js";
import { Log } from "./log.js";
import { Picture } from "./picture.js";
import { chairs, standing } from "./standing.js";
import { speak, t } from "./words.js";

const PAGE = 60; // moves that the feed brings, and how many more each time
const TOAST_MS = 7000;
const by = (id) => document.getElementById(id);

class Desk {
  constructor() {
    this.state = null;
    this.language = wantedLanguage();
    this.theme = new URLSearchParams(location.search).get("theme") ?? localStorage.getItem("desk.theme") ?? "dark";
    this.by = localStorage.getItem("desk.name") ?? "";
    this.entries = PAGE;
    this.stale = false;
    this.setTheme(this.theme);
    this.picture = new Picture(by("picture"));
    this.log = new Log(by("log"), this);
    this.keys = new Keys(this);
    document.body.classList.toggle("no-hotkeys", !this.keys.on);
    this.tools();
    setInterval(() => this.drawClock(), 1000);
  }

  async begin() {
    await speak(this.language);
    this.drawTools();
    this.picture.play();
    this.stopFollowing = follow(`/api/control/events?lang=${this.language}&entries=${PAGE}`, {
      state: (state) => this.arrived(state),
      stale: (stale) => {
        this.stale = stale;
        this.drawLights();
      },
    });
  }

  async arrived(state) {
    this.arrivedAt = performance.now();
    if (state !== null && this.entries > PAGE) {
      state = (await stateWith(this.entries, this.language)) ?? state;
    }
    this.state = state;
    document.body.classList.toggle("no-game", state === null);
    this.draw();
  }

  draw() {
    const { state } = this;
    this.drawLights();
    if (state === null) {
      fill(by("attention"), h("div", { class: "note note-pause" }, h("div", { class: "note-body" }, h("h2", {}, t("no_game")), h("p", {}, t("no_game_long")))));
      by("attention").hidden = false;
      return;
    }
    this.picture.show(state);
    standing(by("standing"), state, this);
    chairs(by("chairs"), state, this);
    attention(by("attention"), state, this);
    this.log.show(state);
    this.drawTools();
    this.drawClock();
    by("total").textContent = t("moves", { count: state.total });
    by("earlier").hidden = state.entries.length >= state.total;
    by("earlier").textContent = t("earlier");
  }

  drawLights() {
    const light = by("light");
    const name = this.stale ? "stale" : this.state === null ? "no_game" : this.state.paused ? "paused" : this.state.light;
    light.dataset.light = name;
    light.textContent = t(`light_${name}`);
    const sync = by("sync");
    const fits = this.state?.sync.fits ?? null;
    sync.hidden = fits === null || this.stale;
    sync.dataset.light = fits ? "fits" : this.state?.sync.kept ? "kept" : "differs";
    sync.textContent = t(fits ? "in_sync" : this.state?.sync.kept ? "log_kept" : "out_of_sync_short");
  }

  drawClock() {
    const at = this.state?.clock_s;
    const runs = at !== null && at !== undefined && this.state.light !== "no_camera" && !this.stale;
    by("clock").textContent = at === null || at === undefined ? "" : clock(at + (runs ? (performance.now() - this.arrivedAt) / 1000 : 0));
  }

  // -- tools

  tools() {
    const tools = {
      undo: () => this.undo(),
      redo: () => this.redo(),
      missed: () => this.missed(),
      pause: () => this.pause(),
      round: () => this.newRound(),
      end: () => this.endRound(),
      more: () => this.settings(),
    };
    for (const [id, run] of Object.entries(tools)) by(id).addEventListener("click", run);
    by("earlier").addEventListener("click", () => {
      this.entries += 2 * PAGE;
      this.arrived(this.state);
    });
  }

  drawTools() {
    const { state } = this;
    const tool = (id, sign, word, hot, more = {}) => {
      const button = by(id);
      const { label = t(word), disabled = false } = more;
      button.replaceChildren(icon(sign), h("span", { class: "tool-word" }, t(word)), h("kbd", { "aria-hidden": "true" }, hot));
      button.setAttribute("aria-label", label);
      button.title = label;
      button.disabled = disabled;
    };
    const step = (one, word) => (one ? `${t(word)}: ${t(`op_${one.op}`)} ${one.text}${one.by ? ` (${one.by})` : ""}` : t(word));
    tool("undo", "undo", "undo", "U", { label: step(state?.undo, "undo"), disabled: !state?.undo });
    tool("redo", "redo", "redo", "Y", { label: step(state?.redo, "redo"), disabled: !state?.redo });
    tool("missed", "add", "missed_short", "M", { label: t("missed"), disabled: !state });
    tool("pause", state?.paused ? "play" : "pause", state?.paused ? "resume" : "pause", "P", { disabled: !state });
    tool("round", "round", "new_round", "G", { disabled: !state });
    tool("end", "stop", "end_short", "⇧G", { label: t("end_round"), disabled: !state });
    tool("more", "more", "more", "?", { label: t("settings") });
    const filter = (name) =>
      h(
        "button",
        {
          type: "button",
          class: "filter-button",
          "data-k": name,
          "aria-pressed": String(this.log.only === name),
          onclick: () => {
            this.log.only = name;
            this.drawTools();
            if (this.state) this.log.show(this.state);
          },
        },
        t(`filter_${name}`),
      );
    fill(by("filter"), filter("all"), filter("open"));
  }

  undo() {
    if (this.state?.undo) return this.act("POST", "undo", { done: "undone" });
  }

  redo() {
    if (this.state?.redo) return this.act("POST", "redo", { done: "redone" });
  }

  pause() {
    if (this.state) return this.act("POST", this.state.paused ? "resume" : "pause", { plain: true });
  }

  missed(entry = null) {
    if (this.state) missedMove(this, entry);
  }

  setState() {
    if (this.state) setState(this);
  }

  newRound() {
    if (this.state) newRound(this);
  }

  endRound() {
    if (this.state) endRound(this);
  }

  settings() {
    settings(this, this.keys);
  }

  // -- changes

  /**
   * Make a change and say what came of it. `plain` ones name no revision. Returns whether it
   * was made.
   */
  async act(method, path, { query, body, plain = false, done = "corrected", revision } = {}) {
    const based = plain ? undefined : (revision ?? this.state.revision);
    try {
      const made = await change(method, path, { revision: based, query, body, by: this.by, language: this.language });
      if (!plain) this.say(this.told(done, made), done === "undone" ? null : { word: "undo", run: () => this.undo() });
      return true;
    } catch (error) {
      if (error instanceof Conflict) this.conflict(error.refused, { method, path, query, body, done });
      else this.say(t(error.message === "offline" ? "offline" : "refused", { why: error.message }), null, "bad");
      return false;
    }
  }

  told(word, made) {
    const others = made.changes.filter((one) => one.id !== made.id).length;
    return t(word) + (others ? ` ${t("judged_anew", { count: others })}` : "");
  }

  conflict(refused, wanted) {
    if (refused.reason === "nothing") return this.say(t("nothing"), null, "bad");
    const now = refused.now ? ` ${t("now_it_is", { text: refused.now.text })}` : "";
    const again = refused.reason === "gone" ? null : { word: "do_it_anyway", run: () => this.act(wanted.method, wanted.path, { ...wanted, revision: refused.revision }) };
    return this.say(t(`conflict_${refused.reason}`) + now, again, "bad");
  }

  say(text, action = null, kind = "good") {
    const toast = h("div", { class: `toast toast-${kind}` }, h("span", {}, text));
    const close = () => toast.remove();
    if (action) {
      toast.append(h("button", { type: "button", class: "toast-button", onclick: () => (close(), action.run()) }, t(action.word)));
    }
    by("toasts").replaceChildren(toast);
    setTimeout(close, kind === "bad" ? 2 * TOAST_MS : TOAST_MS);
  }

  // -- settings

  async setLanguage(language) {
    this.language = language;
    keepLanguage(language);
    this.stopFollowing();
    this.log.rows.clear();
    await this.begin();
  }

  setTheme(theme) {
    this.theme = theme;
    localStorage.setItem("desk.theme", theme);
    document.documentElement.dataset.theme = theme;
  }

  setName(name) {
    this.by = name.trim();
    localStorage.setItem("desk.name", this.by);
  }
}

const desk = new Desk();
await desk.begin();
