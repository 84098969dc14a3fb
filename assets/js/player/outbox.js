// What islands have said to Python and Python has not acknowledged yet, in one place with its promises: it is sent again until it is
// acknowledged, in order and all of it at once, numbered, so that Python does each once however often it comes; and what is kept in the
// browser's storage is sent after a reload, too. Labels, which have revisions, stand on the same (annotate/outbox.js).

import { CONNECTED } from "./connection.js";

export const SEND_AGAIN = 9000; // milliseconds without an answer

// `now()` sends at once, and again while something `waits()`: after a time without an answer, and as soon as a lost connection is there
// again. `end()` ends it.
export function repeated(post, waits, after = SEND_AGAIN) {
  let timer = 0;
  const again = () => waits() && now();
  function now() {
    end();
    post();
    timer = setTimeout(again, after);
    window.addEventListener(CONNECTED, again);
  }
  function end() {
    clearTimeout(timer);
    window.removeEventListener(CONNECTED, again);
  }
  return { now, end };
}

// A browser's storage, or nothing where it is full or forbidden: then what is kept is kept for this page alone.
export function storage(kind) {
  const attempt = (act) => {
    try {
      return act(window[kind]) ?? null;
    } catch {
      return null;
    }
  };
  return {
    get: (key) => attempt((kept) => kept.getItem(key)),
    set: (key, words) => (attempt((kept) => (words === null ? kept.removeItem(key) : kept.setItem(key, words))), words),
    keys: (start) => attempt((kept) => Object.keys(kept).filter((key) => key.startsWith(start))) ?? [],
  };
}

export function parsed(words) {
  try {
    return JSON.parse(words ?? "null");
  } catch {
    return null;
  }
}

// Acts: each gets the next number. `send(acts)` sends all that wait. With a `name` they are kept in the tab's storage; of those that are
// found there after a reload, those that `survives(act)` are sent.
export function createActs({ send, from = Date.now() * 1000, name = "", survives = () => true }) {
  const tab = storage("sessionStorage");
  const found = name ? parsed(tab.get(name)) : null;
  let waiting = Array.isArray(found) ? found.filter(survives) : [];
  let number = from;
  const sending = repeated(() => send(waiting), () => waiting.length > 0);

  const keep = () => name && tab.set(name, JSON.stringify(waiting));
  const post = () => (waiting.length ? sending.now() : sending.end());

  // `instead(other)`: of those that wait, the ones that this one makes needless.
  function add(act, instead = () => false) {
    waiting = [...waiting.filter((other) => !instead(other)), { n: ++number, ...act }];
    keep();
    post();
  }
  // Python has done everything up to this number.
  function done(upTo) {
    number = Math.max(number, upTo);
    const left = waiting.filter(({ n }) => n > upTo);
    if (left.length === waiting.length) return;
    waiting = left;
    keep();
    if (!waiting.length) sending.end();
  }
  return { add, done, post, waiting: () => waiting, end: sending.end };
}
