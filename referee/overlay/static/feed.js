// The connection to the server: comes back for ever, and knows when it has gone quiet.
//
// The browser's EventSource reconnects by itself after a broken line, but gives up on an error
// answer and cannot notice a line that died silently. The server sends something at least every
// two seconds, so five quiet seconds mean that what is on the screen may be out of date.

const STALE_MS = 5000;
const RETRY_MS = [500, 1000, 2000, 3000];

/**
 * Follow the server's events. `on` holds the functions `hello`, `state` (each gets the event's
 * data) and `stale` (gets true or false). Returns a function that ends it.
 */
export function follow(url, on) {
  let source = null;
  let heard = performance.now();
  let tried = performance.now();
  let failures = 0;
  let stale = false;

  function alive() {
    heard = performance.now();
    failures = 0;
    if (stale) {
      stale = false;
      on.stale(false);
    }
  }

  function connect() {
    source?.close();
    tried = performance.now();
    source = new EventSource(url);
    for (const name of ["hello", "state", "beat"]) {
      source.addEventListener(name, (event) => {
        alive();
        on[name]?.(JSON.parse(event.data));
      });
    }
  }

  function watch() {
    const now = performance.now();
    if (now - heard < STALE_MS && source.readyState !== EventSource.CLOSED) return;
    if (!stale && now - heard >= STALE_MS) {
      stale = true;
      on.stale(true);
    }
    const wait = RETRY_MS[Math.min(failures, RETRY_MS.length - 1)];
    if (now - tried >= wait) {
      failures += 1;
      connect();
    }
  }

  connect();
  const timer = setInterval(watch, 250);
  return () => {
    clearInterval(timer);
    source.close();
  };
}
