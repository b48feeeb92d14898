// Calls to the server. Every change says which revision it is based on, and who makes it.

/** A change that was refused because another operator was quicker. */
export class Conflict extends Error {
  constructor(refused) {
    super(refused.detail);
    this.refused = refused;
  }
}

/**
 * Make a change. `revision` is the one that the operator has seen; `query` and `body` go along.
 * Returns what the server says; throws `Conflict`, or Error with what was expected and found.
 */
export async function change(method, path, { revision, query = {}, body, by = "", language = "en" }) {
  const asked = new URLSearchParams({ lang: language, ...clean(query) });
  if (revision !== undefined) asked.set("revision", String(revision));
  if (by) asked.set("by", by);
  let answer;
  try {
    answer = await fetch(`/api/control/${path}?${asked}`, {
      method,
      headers: body === undefined ? {} : { "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new Error("offline");
  }
  const told = await answer.json().catch(() => ({}));
  if (answer.status === 409) throw new Conflict(told);
  if (!answer.ok) throw new Error(reason(told) || `${answer.status} ${answer.statusText}`);
  return told;
}

function reason(told) {
  if (typeof told.detail === "string") return told.detail;
  return (told.detail ?? []).map((one) => `${one.loc?.at(-1)}: ${one.msg}`).join("; ");
}

function clean(values) {
  return Object.fromEntries(Object.entries(values).filter(([, v]) => v !== undefined && v !== null));
}

/** The state with more moves than the feed brings. */
export async function stateWith(entries, language) {
  const answer = await fetch(`/api/control/state?lang=${language}&entries=${entries}`);
  return answer.ok ? answer.json() : null;
}
