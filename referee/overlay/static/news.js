// What is new in a state: moves that were just ruled on, and what an operator has corrected.
// The same question is answered for OBS in referee/overlay/cues.py.

export class News {
  constructor() {
    this.known = null;
    this.revision = null;
  }

  /**
   * Take in a state; returns `{ first, moves, corrected }`: whether it is the page's first, the
   * entries that are news, and the entry that was corrected last, if one was.
   */
  update(state) {
    const first = this.known === null;
    const before = this.known ?? new Map();
    const revision = state.corrected?.revision ?? null;
    const told = !first && revision !== this.revision ? (state.corrected?.keys ?? []) : [];
    const oldest = before.size === 0 ? 0 : Math.min(...[...before.values()].map((e) => e.of));
    const newest = Math.max(
      ...state.entries.filter((entry) => before.has(entry.key)).map((entry) => entry.of),
    );
    const moves = [];
    let corrected = null;
    for (const entry of state.entries) {
      const was = before.get(entry.key);
      if (was === undefined && entry.of < oldest) continue; // in sight again: newer ones went
      const isNew = was === undefined || was.verdict === null;
      if (told.includes(entry.key) || (isNew && was === undefined && entry.of < newest)) {
        corrected = entry;
      } else if (isNew && entry.verdict !== null) {
        moves.push(entry);
      } else if (!isNew && revision === null && print(was) !== print(entry)) {
        corrected = entry;
      }
    }
    this.known = new Map(state.entries.map((entry) => [entry.key, entry]));
    this.revision = revision;
    return { first, moves, corrected };
  }
}

function print({ verdict, type, cards, player, violations }) {
  return JSON.stringify([verdict, type, cards, player, violations]);
}
