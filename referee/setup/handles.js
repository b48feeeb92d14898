// A button that is dragged about in the picture, or moved with the arrow keys.

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const FAR = 10; // with Shift
const QUIET_MS = 300; // after the last key, before the server is told

// Makes a handle on the stage; `button.wants` says what it moves and whom to tell.
export function handle(stage, key) {
  const button = document.createElement("button");
  button.type = "button";
  button.dataset.key = key;

  button.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    event.preventDefault();
    button.focus({ preventScroll: true });
    button.setPointerCapture(event.pointerId);
    const [x, y] = stage.spot(event);
    const [fromX, fromY] = stage.within(button.wants.get(), button);
    const drag = { x: fromX - x, y: fromY - y, moved: false };

    const move = (moved) => {
      stage.held = button;
      drag.moved = true;
      const [nowX, nowY] = stage.spot(moved);
      place(stage, button, [nowX + drag.x, nowY + drag.y]);
    };
    const end = () => {
      button.removeEventListener("pointermove", move);
      button.removeEventListener("pointerup", end);
      button.removeEventListener("pointercancel", end);
      stage.magnify(null);
      stage.held = null;
      if (drag.moved) button.wants.done();
    };
    button.addEventListener("pointermove", move);
    button.addEventListener("pointerup", end);
    button.addEventListener("pointercancel", end);
  });

  let waiting = null;
  const tell = () => {
    if (waiting === null) return;
    clearTimeout(waiting);
    waiting = null;
    stage.magnify(null);
    stage.held = null;
    button.wants.done();
  };
  button.addEventListener("keydown", (event) => {
    const arrow = ARROWS[event.key];
    if (!arrow) return;
    event.preventDefault();
    const step = event.shiftKey ? FAR : 1;
    const [x, y] = stage.within(button.wants.get(), button);
    stage.held = button;
    place(stage, button, [x + step * arrow[0], y + step * arrow[1]]);
    clearTimeout(waiting);
    waiting = setTimeout(tell, QUIET_MS);
  });
  button.addEventListener("blur", tell);
  return button;
}

function place(stage, button, spot) {
  const allowed = stage.within(spot, button);
  button.wants.set(allowed);
  Object.assign(button.style, stage.at(allowed));
  if (button.wants.lens) stage.magnify(allowed);
  stage.drawShapes();
}
