// Hotkeys. Single letters can be switched off, as speech input and switch devices need.

/** The keys, how the help shows them, and what they do; `desk` is the page. */
export class Keys {
  constructor(desk) {
    this.desk = desk;
    this.on = localStorage.getItem("desk.keys") !== "off";
    const { log } = desk;
    this.list = [
      { keys: ["?", "h"], show: "?", word: "key_help", run: () => desk.settings() },
      { keys: ["ArrowDown", "j"], show: "↓ J", word: "key_down", run: () => log.step(1) },
      { keys: ["ArrowUp"], show: "↑", word: "key_up", run: () => log.step(-1) },
      { keys: ["Enter", "e"], show: "↵ E", word: "key_open", run: () => this.openCurrent() },
      { keys: ["Escape"], show: "Esc", word: "key_close", run: () => log.open !== null && log.toggle(log.open) },
      { keys: [..."123456789"], show: "1 … 9", word: "key_digits", run: (key) => this.press(key) },
      { keys: ["l"], show: "L", word: "key_legal", run: (key) => this.press(key) },
      { keys: ["i"], show: "I", word: "key_illegal", run: (key) => this.press(key) },
      { keys: ["v"], show: "V", word: "key_as_read", run: (key) => this.press(key) },
      { keys: ["c"], show: "C", word: "key_card", run: (key) => this.press(key, true) },
      { keys: ["x"], show: "X", word: "key_no_move", run: (key) => this.press(key, true) },
      { keys: ["b"], show: "B", word: "key_taken_back", run: (key) => this.press(key, true) },
      { keys: ["n"], show: "N", word: "key_before", run: (key) => this.press(key, true) },
      { keys: ["w"], show: "W 1 … 9", word: "key_who", run: () => this.enter("who") },
      { keys: ["f"], show: "F 1 2", word: "key_which_end", run: () => this.enter("end") },
      { keys: ["a"], show: "A 1 … 9", word: "key_draws", run: () => this.enter("draws") },
      { keys: ["r"], show: "R 1 … 9", word: "key_chosen", run: () => this.enter("chosen") },
      { keys: ["m"], show: "M", word: "key_missed", run: () => desk.missed() },
      { keys: ["s"], show: "S", word: "key_shout", run: () => desk.act("POST", "shout") },
      { keys: ["d"], show: "D", word: "key_draw", run: () => desk.act("POST", "draw") },
      { keys: ["t"], show: "T", word: "key_turn", run: () => desk.act("POST", "end-turn") },
      { keys: ["o"], show: "O", word: "key_accept", run: (key) => this.press(key) },
      { keys: ["k"], show: "K", word: "key_keep", run: (key) => this.press(key) },
      { keys: ["u", "ctrl+z"], show: "U", word: "key_undo", run: () => desk.undo() },
      { keys: ["y", "ctrl+y", "ctrl+shift+z"], show: "Y", word: "key_redo", run: () => desk.redo() },
      { keys: [" ", "p"], show: "P", word: "key_pause", run: () => desk.pause() },
      { keys: ["g"], show: "G", word: "key_round", run: () => desk.newRound() },
      { keys: ["shift+g"], show: "⇧ G", word: "end_round", run: () => desk.endRound() },
      { keys: ["z"], show: "Z", word: "set_state", run: () => desk.setState() },
      { keys: ["q"], show: "Q", word: "key_outlines", run: () => desk.picture.cycle() },
    ];
    document.addEventListener("keydown", (event) => this.pressed(event));
  }

  /** Switch single keys on or off. */
  turn(on) {
    this.on = on;
    localStorage.setItem("desk.keys", on ? "on" : "off");
    document.body.classList.toggle("no-hotkeys", !on);
  }

  pressed(event) {
    const target = event.target;
    if (event.altKey || event.metaKey || document.querySelector("dialog[open]")) return;
    if (target.matches("input, select, textarea")) return;
    const name = this.name(event);
    // Space and Enter press the button that has the focus.
    if ((name === " " || name === "Enter") && target.matches("button, a, summary")) return;
    const plain = name.replace(/^shift\+/, ""); // most letters do the same with Shift
    const known = [name, plain].map((key) => this.list.find((one) => one.keys.includes(key))).find(Boolean);
    if (known === undefined || (!this.on && !event.ctrlKey && event.key.length === 1)) return;
    event.preventDefault();
    known.run(plain);
  }

  name(event) {
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (!event.ctrlKey) return event.shiftKey && /^[a-z]$/.test(key) ? `shift+${key}` : key;
    return `ctrl+${event.shiftKey ? "shift+" : ""}${key}`;
  }

  /**
   * Press what carries this key: in the group that has the focus, in the open row, then where
   * something waits for an answer. With `open`, the current row is opened first where none is.
   */
  press(key, open = false) {
    if (open && this.desk.log.open === null) this.openCurrent();
    const group = document.activeElement.closest("[data-group]");
    if (group?.querySelector("[data-digit]") && "123456789".includes(key)) {
      group.querySelector(`[data-digit="${key}"]`)?.click();
      return;
    }
    for (const place of [".entry.is-open", "#attention"]) {
      const found = document.querySelector(`${place} [data-hot="${key}"]`);
      if (found) {
        found.click();
        return;
      }
    }
  }

  /** Digits are for this group of the current row from now on; once more, for its next one. */
  enter(name) {
    if (this.desk.log.open === null) this.openCurrent();
    // A row that has just been opened takes the focus back first.
    queueMicrotask(() => {
      const groups = [...document.querySelectorAll(`.entry.is-open [data-group="${name}"]`)];
      const at = groups.findIndex((one) => one.contains(document.activeElement));
      groups[(at + 1) % groups.length]?.querySelector("[data-digit]")?.focus();
    });
  }

  openCurrent() {
    const entry = this.desk.log.current();
    if (entry !== null) this.desk.log.toggle(entry.id);
  }
}
