// The overlay: reads its parameters, follows the server, gives each part of the page its share.

import { follow } from "/static/feed.js";
import { Banner } from "/static/banner.js";
import { drawLine, drawPlayers, drawStatus } from "/static/panels.js";

const parameters = new URLSearchParams(location.search);
const LANGUAGES = ["en", "de", "pt", "fi"];
const STAGES = { full: [1920, 1080], lower: [1920, 1080], vertical: [1080, 1920] };

function choice(name, values) {
  const asked = parameters.get(name);
  return values.includes(asked) ? asked : values[0];
}

function number(name, usual, low, high) {
  const asked = Number.parseFloat(parameters.get(name));
  return Number.isFinite(asked) ? Math.min(high, Math.max(low, asked)) : usual;
}

const language = choice("lang", LANGUAGES);
const layout = choice("layout", Object.keys(STAGES));
const panels = parameters.get("panels")?.split(",") ?? null;

const body = document.body;
document.documentElement.lang = language;
body.dataset.theme = choice("theme", ["dark", "light", "contrast"]);
body.dataset.layout = layout;
body.classList.toggle("calm", choice("motion", ["full", "calm"]) === "calm");
body.style.setProperty("--panel-scale", number("scale", 1, 0.5, 2));

function isWanted(panel) {
  return panels === null || panels.includes(panel);
}

// The stage keeps its proportions and lies at the bottom left of a window of others.
function fit() {
  const [width, height] = STAGES[layout];
  const scale = Math.min(innerWidth / width, innerHeight / height);
  const stage = document.getElementById("stage");
  stage.style.width = `${width}px`;
  stage.style.height = `${height}px`;
  stage.style.transform = `scale(${scale})`;
}
addEventListener("resize", fit);
fit();

if (parameters.get("video") === "1") {
  const video = document.getElementById("video");
  video.src = "/video";
  video.hidden = false;
}

const banner = new Banner(document.getElementById("banner"), isWanted("banner"));
let labels = {};
let state = null;
let stale = false;

function draw() {
  body.classList.toggle("stale", stale);
  drawStatus(document.getElementById("status"), state, labels, stale, isWanted("status"));
  if (state === null) return;
  body.dataset.phase = state.phase;
  drawPlayers(document.getElementById("players"), state, labels, isWanted("players"));
  drawLine(document.getElementById("line"), state, labels, isWanted("line"));
}

follow(`/api/events?lang=${language}`, {
  hello(data) {
    labels = data.labels;
    banner.labels = labels;
    draw();
  },
  state(data) {
    state = data;
    draw();
    banner.update(state);
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
