// The outbox of the label panel: every change stays in the browser's storage until the server has acknowledged it, so that no reload,
// step or lost connection loses it. Each label has at most one change in flight, based on a revision that the server knows; the next
// change waits. The next tab picks up what a closed tab left behind.

import { keptAct } from "./kept_act.js";
import { parsed, repeated, storage } from "../player/outbox.js";

const PREFIX = "palimpsest.bench";
const browser = storage("localStorage");
const tabKept = storage("sessionStorage");
const ANSWERED = 250; // milliseconds within which another open tab answers
const ONE_CHANGE = 20000; // milliseconds: typing without a longer pause counts as one change to undo

export function idOf(...parts) {
  const words = parts.join("|");
  let lanes = [0x9e3779b9, 0x85ebca6b, 0xc2b2ae35, 0x27d4eb2f];
  for (let at = 0; at < words.length; at++) {
    const unit = words.charCodeAt(at);
    lanes = lanes.map((lane, n) => Math.imul(lane ^ (unit + n * 131), 0x01000193 + 2 * n * 0x1f31) ^ (lanes[(n + 1) % 4] >>> (7 + n)));
  }
  for (let round = 0; round < 4; round++) lanes = lanes.map((lane, n) => Math.imul(lane ^ (lane >>> 15) ^ lanes[(n + 1) % 4], 0x2c1b3c6d + 2 * n));
  return lanes.map((lane) => (lane >>> 0).toString(16).padStart(8, "0")).join("");
}

// `may(act)`: whether it may be done, asked once all is saved.
export function createOutbox({ seed, where, send, changed, may = () => true }) {
  const entries = new Map();
  let labels = new Map();
  let book = 0;
  let act = null;
  let later = []; // callbacks for when everything is saved
  let last = { n: 0, act: null };
  let timer = 0;
  let answering = 0;
  let spent = 0;
  let tab = tabKept.get(`${PREFIX}.tab`) ?? tabKept.set(`${PREFIX}.tab`, fresh());
  const undone = JSON.parse(tabKept.get(`${PREFIX}.${seed}.undo`) ?? "[]");
  let number = Date.now() * 1000;
  const channel = typeof BroadcastChannel === "function" ? new BroadcastChannel(`${PREFIX}.${seed}`) : null;
  const alive = new Set();
  const kept = keptAct(`${PREFIX}.act`, seed);
  let behind = false; // whether changes of a closed tab are waiting for their turn

  // Changes

  function change(spec, op, wait = 0) {
    const entry = entries.get(spec.id) ?? { id: spec.id, base: labels.get(spec.id)?.revision ?? 0, sent: null, stands: 0 };
    Object.assign(entry, { kind: spec.kind, target: spec.target, want: { ...op, book, typed: wait > 0 }, refused: "", due: performance.now() + wait });
    entries.set(spec.id, entry);
    persist(entry);
    changed();
    soon(wait);
  }
  // Changes of one `group` are undone together.
  const put = (spec, wait, group = "") => change(spec, { do: "put", value: spec.value, group }, wait);
  const remove = (id, wait = 0) => {
    const known = entries.get(id);
    if (labels.has(id) || known?.sent) change(labels.get(id) ?? known, { do: "remove", value: null }, wait);
    else if (known) drop(id);
  };
  // Confirm that a label still holds under the current codebook.
  const confirm = (id) => change(labels.get(id), { do: "put", value: labels.get(id).value, confirmed: true });
  const restore = (id, revision) => change(labels.get(id), { do: "restore", revision, value: null });

  function undo() {
    whenIdle(() => {
      const last = undone.pop();
      const together = [last];
      while (last?.group && undone.at(-1)?.group === last.group) together.push(undone.pop());
      tabKept.set(`${PREFIX}.${seed}.undo`, JSON.stringify(undone));
      for (const back of together) if (back && labels.has(back.id)) restore(back.id, back.revision);
    });
  }

  function undoable({ id, sent: { expected, typed, do: done, group } }) {
    if (done === "restore") return;
    const top = undone.at(-1);
    if (!(typed && top?.id === id && top.typed && Date.now() - top.at < ONE_CHANGE)) undone.push({ id, revision: expected, typed, at: Date.now(), group });
    else top.at = Date.now();
    if (undone.length > 200) undone.shift();
    tabKept.set(`${PREFIX}.${seed}.undo`, JSON.stringify(undone));
  }

  // Sending

  function soon(wait) {
    clearTimeout(timer);
    timer = setTimeout(flush, Math.min(wait, 1500));
  }

  function flush({ now = false } = {}) {
    clearTimeout(timer);
    let fresh = false;
    let wait = Infinity;
    for (const entry of entries.values()) {
      if (!entry.want || entry.sent || entry.stands || entry.refused) continue;
      const left = entry.due - performance.now();
      if (left > 0 && !now && !act && !later.length) wait = Math.min(wait, left);
      else {
        entry.sent = { ...entry.want, n: ++number, expected: entry.base };
        entry.want = null;
        persist(entry);
        fresh = true;
      }
    }
    if (wait < Infinity) soon(wait);
    if (fresh || (act && quiet())) post();
    changed();
  }

  function sendAll() {
    const ops = [...entries.values()].filter(({ sent }) => sent).map(({ id, kind, target, sent }) => ({
      n: sent.n, do: sent.do, expected: sent.expected, revision: sent.revision ?? 0, book: sent.book, confirmed: Boolean(sent.confirmed),
      label: { id, kind, target, value: sent.value ?? {} },
    }));
    last = { n: ++number, act: quiet() ? act : null };
    send({ n: last.n, ops, ms: Math.round(spent), act: last.act });
    spent = 0;
  }
  const sending = repeated(sendAll, () => busy());
  const post = sending.now;
  const busy = () => [...entries.values()].some(({ sent }) => sent) || Boolean(act);
  const quiet = () => ![...entries.values()].some((entry) => entry.sent || (entry.want && !entry.stands && !entry.refused));
  const blocked = () => [...entries.values()].filter(({ stands, refused }) => stands || refused);

  function whenIdle(done) {
    later.push(done);
    if (quiet()) idle();
    else flush({ now: true });
  }

  function idle() {
    const due = later;
    later = [];
    for (const done of due) done();
  }

  function afterSaving(what, allowed = false) {
    kept.keep(what, allowed);
    whenIdle(() => {
      act = allowed || may(what) ? what : null;
      kept.keep(act, true);
      if (act) flush({ now: true });
      changed();
    });
  }

  // A change made elsewhere on this page can be undone here, too: recorded once, even if the page is reopened.
  function undoableElsewhere({ id, before, revision }) {
    const name = `${PREFIX}.${seed}.made`;
    const mark = `${id}.${revision}`;
    if (tabKept.get(name) === mark) return;
    tabKept.set(name, mark);
    undone.push({ id, revision: before, typed: false, at: Date.now() });
    tabKept.set(`${PREFIX}.${seed}.undo`, JSON.stringify(undone));
  }

  // Handle Python's data: the current labels, and the answers to the changes sent.
  function receive(data) {
    labels = new Map(data.labels.map((label) => [label.id, label]));
    book = data.book;
    if (data.made) undoableElsewhere(data.made);
    if (data.n === last.n) {
      sending.end();
      if (last.act) kept.keep((act = null));
    }
    let saved = false;
    for (const answer of data.answers) {
      const entry = [...entries.values()].find(({ sent }) => sent?.n === answer.n);
      if (!entry) continue;
      if (answer.revision) {
        if (answer.revision !== entry.sent.expected) undoable(entry);
        entry.base = answer.revision;
        entry.sent = null;
        saved = true;
        if (entry.want) persist(entry);
        else drop(entry.id);
      } else {
        entry.want ??= entry.sent;
        entry.sent = null;
        entry.stands = answer.stands ?? 0;
        entry.refused = answer.refused ?? "";
        persist(entry);
      }
    }
    if (saved) channel?.postMessage({ kind: "changed", tab });
    if (quiet() && later.length) idle();
    if ([...entries.values()].some((entry) => entry.want && !entry.sent)) flush();
    if (act && quiet() && last.n === data.n) post();
    if (behind && !entries.size) {
      behind = false;
      adopt(false);
    }
  }

  // Resolve two versions of a label: keep the other one, this one, or both joined (words only).
  function resolve(id, which, joined) {
    const entry = entries.get(id);
    if (!entry) return;
    if (which === "theirs") drop(id);
    else {
      if (joined) entry.want = { ...entry.want, do: "put", value: joined };
      Object.assign(entry, { base: entry.stands || (labels.get(id)?.revision ?? entry.base), stands: 0, refused: "", due: 0 });
      persist(entry);
      flush({ now: true });
    }
    changed();
  }

  // Browser storage

  function persist(entry) {
    const { id, kind, target, want, sent, base } = entry;
    browser.set(`${PREFIX}.${seed}.${tab}.${id}`, JSON.stringify({ id, kind, target, want, sent, base, where }));
  }
  function drop(id) {
    entries.delete(id);
    browser.set(`${PREFIX}.${seed}.${tab}.${id}`, null);
    changed();
  }

  function adopt(mine) {
    for (const key of browser.keys(`${PREFIX}.${seed}.`)) {
      const from = key.slice(`${PREFIX}.${seed}.`.length).split(".")[0];
      if (mine ? from !== tab : from === tab || alive.has(from)) continue;
      const found = parsed(browser.get(key));
      if (found && entries.has(found.id)) {
        behind = true; // two closed tabs changed one label: this change waits until the other one is settled
        continue;
      }
      if (found) {
        entries.set(found.id, { ...found, stands: 0, refused: "", due: 0 });
        persist(entries.get(found.id));
      }
      if (!mine) browser.set(key, null);
    }
    if (entries.size) post();
    flush({ now: true });
  }

  // `open`: whether the reading is not finished; only then what was to be done with it is.
  function start({ open = false } = {}) {
    const left = open ? kept.left() : null;
    if (!left) kept.keep(null);
    const resume = () => left && afterSaving({ do: left.do, with: left.with }, left.allowed);
    if (!channel) return adopt(true), resume();
    channel.onmessage = ({ data }) => {
      if (data.kind === "here?" ) channel.postMessage({ kind: "here", tab });
      else if (data.kind === "here") alive.add(data.tab);
      else if (data.kind === "changed") refresh();
    };
    channel.postMessage({ kind: "here?", tab });
    answering = setTimeout(() => {
      if (alive.has(tab)) tab = tabKept.set(`${PREFIX}.tab`, fresh()); // this tab is a duplicate of another one
      adopt(true);
      adopt(false);
      resume();
    }, ANSWERED);
  }

  // Ask for the current state, and report the time spent.
  const refresh = () => quiet() && !act && post();

  // Other readings of this project with unsaved changes at the same desk (the bench, or the table): the page was left before the server answered.
  function unsavedElsewhere() {
    const found = browser.keys(`${PREFIX}.`).map((key) => parsed(browser.get(key))?.where).filter((there) => there?.by === where.by && there.project === where.project && there.desk === where.desk);
    return [...new Set(found.map(({ run }) => run))].filter((run) => run !== where.run);
  }

  function destroy() {
    act = null;
    flush({ now: true });
    clearTimeout(timer);
    clearTimeout(answering);
    sending.end();
    channel?.close();
  }

  return {
    put, remove, undo, restore, confirm, resolve, flush, receive, start, destroy, afterSaving, blocked, refresh, unsavedElsewhere,
    get: (id) => labels.get(id),
    entry: (id) => entries.get(id),
    draft: (id) => { const entry = entries.get(id); return entry && (entry.want ?? entry.sent); },
    labels: () => labels,
    drafts: () => [...entries.values()],
    addTime: (ms) => (spent += ms),
    timeSpent: () => spent,
    saving: () => !quiet() || busy(),
    waiting: () => Boolean(act) || later.length > 0, // something is done once all is saved
    canUndo: () => undone.length > 0,
  };
}

const fresh = () => [...crypto.getRandomValues(new Uint8Array(6))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
