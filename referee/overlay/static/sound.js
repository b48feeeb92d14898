// What the overlay sounds like: files of the server's, played one after the other, so that OBS
// has them in its mixer. The browser's own voice is used only where the server has none.

const LATE_MS = 8000; // what could not be played for so long is past
const MOST = 4;
const SPOKEN = {
  events: ["violation", "doubt", "effect", "win", "score"],
  all: ["move", "violation", "doubt", "effect", "win", "score", "turn"],
};

export class Sound {
  /** `options` are the overlay's; `blocked(true)` is called while the browser allows no sound. */
  constructor(options, blocked) {
    this.options = options;
    this.blocked = blocked;
    this.queue = [];
    this.playing = false;
    this.audio = new Audio();
    this.audio.volume = options.volume;
  }

  get isOn() {
    return this.options.sound !== "off";
  }

  /** Announce moves that have just been ruled on, and what was corrected. */
  announce({ first, moves, corrected }) {
    if (!this.isOn || first) return;
    for (const entry of moves) this.add(entry.cue, entry);
    if (corrected !== null) this.add("corrected", corrected);
    // Where much happens at once, the newest counts.
    this.queue.splice(0, Math.max(0, this.queue.length - MOST));
    this.next();
  }

  add(cue, entry) {
    const { sound, say, language } = this.options;
    const at = performance.now();
    if (cue !== null && sound !== "speech") this.queue.push({ at, url: `/sounds/${cue}.wav` });
    if (sound === "chimes") return;
    for (const one of entry.said.filter((s) => SPOKEN[say].includes(s.kind))) {
      this.queue.push({ at, url: `/sounds/speech/${language}/${one.id}.wav`, text: one.text });
    }
  }

  async next() {
    if (this.playing) return;
    this.playing = true;
    while (this.queue.length > 0) {
      const item = this.queue.shift();
      if (performance.now() - item.at > LATE_MS) continue;
      try {
        await this.play(item.url);
      } catch (error) {
        if (error.name === "NotAllowedError") {
          this.wait();
          break;
        }
        if (item.text !== undefined) await this.speak(item.text);
      }
    }
    this.playing = false;
  }

  async play(url) {
    this.audio.src = url;
    const ended = new Promise((resolve, reject) => {
      this.audio.onended = resolve;
      this.audio.onerror = () => reject(new Error(url));
    });
    ended.catch(() => {}); // play() tells the same
    await this.audio.play();
    await ended;
  }

  speak(text) {
    const voice = window.speechSynthesis;
    if (voice === undefined || voice.getVoices().length === 0) return Promise.resolve();
    const utterance = new SpeechSynthesisUtterance(text);
    utterance.lang = this.options.language;
    utterance.volume = this.options.volume;
    return new Promise((resolve) => {
      utterance.onend = resolve;
      utterance.onerror = resolve;
      voice.speak(utterance);
    });
  }

  /** Browsers (OBS not) allow no sound until somebody has clicked or pressed a key. */
  wait() {
    this.blocked(true);
    const begin = () => {
      removeEventListener("pointerdown", begin);
      removeEventListener("keydown", begin);
      this.blocked(false);
      this.next();
    };
    addEventListener("pointerdown", begin);
    addEventListener("keydown", begin);
  }
}
