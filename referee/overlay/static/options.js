// What the address says the overlay should look and sound like; docs/overlay.md lists it all.

const STAGES = { full: [1920, 1080], lower: [1920, 1080], vertical: [1080, 1920] };

/** The options in an address's parameters; whatever is missing or unknown takes its usual value. */
export function readOptions(search) {
  const parameters = new URLSearchParams(search);
  function choice(name, values) {
    const asked = parameters.get(name);
    return values.includes(asked) ? asked : values[0];
  }
  function number(name, usual, low, high) {
    const asked = Number.parseFloat(parameters.get(name));
    return Number.isFinite(asked) ? Math.min(high, Math.max(low, asked)) : usual;
  }
  const panels = parameters.get("panels")?.split(",") ?? null;
  const layout = choice("layout", Object.keys(STAGES));
  return {
    language: choice("lang", ["en", "de", "pt", "fi"]),
    theme: choice("theme", ["dark", "light", "contrast", "safe"]),
    layout,
    stage: STAGES[layout],
    places: {
      players: choice("players", ["left", "right"]),
      status: choice("status", ["right", "left"]),
      line: choice("line", ["bottom", "top"]),
    },
    scale: number("scale", 1, 0.5, 2),
    calm: choice("motion", ["full", "calm"]) === "calm",
    video: parameters.get("video") === "1",
    sound: choice("sound", ["off", "chimes", "speech", "all"]),
    say: choice("say", ["events", "all"]),
    volume: number("volume", 0.7, 0, 1),
    isWanted: (panel) => panels === null || panels.includes(panel),
  };
}
