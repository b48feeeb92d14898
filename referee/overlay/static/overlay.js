// The overlay: follows the server and gives each part of the page its share.

import { Banner } from "/static/banner.js";
import { follow } from "/static/feed.js";
import { News } from "/static/news.js";
import { readOptions } from "/static/options.js";
import { drawLine, drawPlayers, drawStatus } from "/static/panels.js";
import { Sound } from "/static/sound.js";

const options = readOptions(location.search);
const { body } = document;
const part = (id) => document.getElementById(id);

document.documentElement.lang = options.language;
body.dataset.theme = options.theme;
body.dataset.layout = options.layout;
for (const [panel, place] of Object.entries(options.places)) body.dataset[panel] = place;
body.classList.toggle("calm", options.calm);
body.style.setProperty("--panel-scale", options.scale);

// The stage keeps its proportions and lies at the bottom left of a window of others.
function fit() {
  const [width, height] = options.stage;
  const scale = Math.min(innerWidth / width, innerHeight / height);
  const stage = part("stage");
  stage.style.width = `${width}px`;
  stage.style.height = `${height}px`;
  stage.style.transform = `scale(${scale})`;
}
addEventListener("resize", fit);
fit();

if (options.video) {
  const video = part("video");
  video.src = "/video";
  video.hidden = false;
}

const news = new News();
const banner = new Banner(part("banner"), part("proof"), options.isWanted("banner"));
const sound = new Sound(options, (isBlocked) => {
  part("sound").hidden = !isBlocked;
});
let labels = {};
let state = null;
let stale = false;

function draw() {
  body.classList.toggle("stale", stale);
  drawStatus(part("status"), state, labels, stale, options.isWanted("status"));
  if (state === null) return;
  body.dataset.phase = state.phase;
  body.classList.toggle("paused", state.paused);
  drawPlayers(part("players"), state, labels, options.isWanted("players"));
  drawLine(part("line"), state, labels, options.isWanted("line"));
}

follow(`/api/events?lang=${options.language}`, {
  hello(data) {
    labels = data.labels;
    banner.labels = labels;
    part("sound").textContent = labels.sound_off ?? "";
    draw();
  },
  state(data) {
    state = data;
    draw();
    const found = news.update(state);
    banner.update(state, found);
    sound.announce(found);
  },
  stale(now) {
    stale = now;
    draw();
  },
});

// Tells the local page that waits for the server (launcher.html) that this page has begun.
if (window.parent !== window) {
  setInterval(() => window.parent.postMessage("alive", "*"), 2000);
}
