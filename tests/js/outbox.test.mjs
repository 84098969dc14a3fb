// The label panel's outbox: every change stays in the browser until the server has it, one at a time per label, and none is lost.
import { afterEach, beforeEach, mock, test } from "node:test";
import assert from "node:assert/strict";
import { createOutbox, idOf } from "../../assets/js/annotate/outbox.js";
import { CONNECTED } from "../../assets/js/player/connection.js";
import { Storage, openWindow } from "./browser.mjs";

const WHERE = { project: "p", run: "r", by: "Ann" };
const NOTE = { id: "note", kind: "note", target: { step: 1 } };
const wrote = (words) => ({ ...NOTE, value: { words } });

let window;
let opened;
let clock;

beforeEach(() => {
  window = openWindow();
  opened = [];
  clock = 0;
  globalThis.BroadcastChannel = undefined;
  mock.timers.enable({ apis: ["setTimeout"] });
  mock.method(performance, "now", () => clock);
});
afterEach(() => {
  for (const box of opened) box.destroy();
  mock.reset();
});

function pass(ms) {
  clock += ms;
  mock.timers.tick(ms);
}

// An outbox and what it sent; `answer()` replies as the server does, to the last message or to a given one.
function open(seed = "seed", server = { labels: new Map(), book: 0 }, may = () => true) {
  const sent = [];
  const box = createOutbox({ seed, where: WHERE, send: (message) => sent.push(message), changed() {}, may });
  const state = (n, answers = [], more = {}) => ({ n, answers, labels: structuredClone([...server.labels.values()]), book: server.book, ...more });
  const answer = (message = sent.at(-1)) => {
    const answers = message.ops.map(({ n, do: done, expected, label }) => {
      const known = server.labels.get(label.id)?.revision ?? 0;
      if (expected !== known) return { n, stands: known };
      server.labels.set(label.id, { ...label, revision: known + 1, removed: done === "remove" });
      return { n, revision: known + 1 };
    });
    box.receive(state(message.n, answers));
  };
  opened.push(box);
  return { box, sent, answer, server, state };
}
const kept = () => Object.keys(window.localStorage).filter((key) => key.startsWith("palimpsest.bench."));

test("an id is made of its parts alone, and differs with each of them", () => {
  assert.match(idOf("seed", "step", 3, "A1"), /^[0-9a-f]{32}$/);
  assert.equal(idOf("seed", "step", 3, "A1"), idOf("seed", "step", 3, "A1"));
  const ids = new Set(["", "a", "b"].flatMap((one) => Array.from({ length: 200 }, (_, n) => idOf("seed", one, n))));
  assert.equal(ids.size, 600);
});

test("a change is sent at once, based on the known revision, and stays in the browser until it is answered", () => {
  const { box, sent, answer } = open();
  box.put(wrote("first"));
  assert.equal(kept().length, 1);
  pass(0);
  assert.deepEqual(sent[0].ops.map(({ do: done, expected, label }) => [done, expected, label.value]), [["put", 0, { words: "first" }]]);
  assert.equal(box.saving(), true);
  answer();
  assert.equal(box.saving(), false);
  assert.equal(kept().length, 0);
  box.put(wrote("second"));
  pass(0);
  assert.equal(sent[1].ops[0].expected, 1);
});

test("typing waits for a pause, and a flush does not", () => {
  const { box, sent } = open();
  box.put(wrote("f"), 700);
  pass(400);
  box.put(wrote("fi"), 700);
  pass(600);
  assert.equal(sent.length, 0);
  pass(200);
  assert.deepEqual(sent[0].ops[0].label.value, { words: "fi" });
  const other = open("other");
  other.box.put(wrote("f"), 700);
  other.box.flush({ now: true });
  assert.equal(other.sent.length, 1);
});

test("a label has one change in flight; the last one made meanwhile follows the answer", () => {
  const { box, sent, answer } = open();
  box.put(wrote("one"));
  pass(0);
  box.put(wrote("two"));
  box.put(wrote("three"));
  pass(0);
  assert.equal(sent.length, 1);
  assert.deepEqual(box.draft("note").value, { words: "three" });
  answer();
  assert.deepEqual(sent[1].ops.map(({ expected, label }) => [expected, label.value.words]), [[1, "three"]]);
});

test("what was not answered is sent again, the same change with the same number", () => {
  const { box, sent, answer, server } = open();
  box.put(wrote("lost on its way"));
  pass(0);
  pass(9000);
  assert.equal(sent.length, 2);
  assert.equal(sent[1].ops[0].n, sent[0].ops[0].n);
  assert.ok(sent[1].n > sent[0].n);
  answer();
  pass(20_000);
  assert.equal(sent.length, 2);
  assert.equal(server.labels.get("note").revision, 1);
});

test("a label that was changed elsewhere waits, with both versions kept, until a person decides", () => {
  const { box, sent, answer, server } = open();
  server.labels.set("note", { ...wrote("theirs"), revision: 4 });
  box.put(wrote("mine"));
  pass(0);
  box.put(wrote("mine, and more"), 700); // typed before the answer came
  answer();
  assert.deepEqual(box.blocked().map(({ id, stands, want }) => [id, stands, want.value.words]), [["note", 4, "mine, and more"]]);
  pass(60_000);
  assert.equal(sent.length, 1);
  box.resolve("note", "mine");
  assert.deepEqual(sent[1].ops.map(({ expected, label }) => [expected, label.value.words]), [[4, "mine, and more"]]);
  answer();
  assert.deepEqual(box.blocked(), []);
});

test("decided for the other version the draft is dropped, decided for both the joined one is sent", () => {
  const { box, sent, answer, server } = open();
  server.labels.set("note", { ...wrote("theirs"), revision: 4 });
  box.put(wrote("mine"));
  pass(0);
  answer();
  box.resolve("note", "theirs");
  assert.deepEqual([box.blocked(), kept(), box.draft("note")], [[], [], undefined]);
  server.labels.get("note").revision = 5;
  box.put(wrote("mine"));
  pass(0);
  answer();
  box.resolve("note", "mine", { words: "theirs and mine" });
  assert.deepEqual(sent.at(-1).ops[0].label.value, { words: "theirs and mine" });
  assert.equal(sent.at(-1).ops[0].expected, 5);
});

test("a refused change waits with its reason, and can be tried again", () => {
  const { box, sent, state } = open();
  box.put(wrote("too long"));
  pass(0);
  box.receive(state(sent[0].n, [{ n: sent[0].ops[0].n, refused: "It is too long." }]));
  assert.deepEqual(box.blocked().map(({ refused }) => refused), ["It is too long."]);
  box.flush({ now: true });
  assert.equal(sent.length, 1);
  box.resolve("note", "mine");
  assert.equal(sent.length, 2);
});

test("a label that was never sent is dropped, a saved one is removed by the server", () => {
  const { box, sent, answer } = open();
  box.put(wrote("typed"), 700);
  box.remove("note");
  pass(2000);
  assert.deepEqual([sent, kept()], [[], []]);
  box.put(wrote("saved"));
  pass(0);
  answer();
  box.remove("note");
  pass(0);
  assert.deepEqual(sent[1].ops.map(({ do: done, expected }) => [done, expected]), [["remove", 1]]);
});

test("undo restores the previous revision, one change after the other; continued typing is one change", () => {
  const { box, sent, answer } = open();
  assert.equal(box.canUndo(), false);
  box.put(wrote("one"));
  pass(0);
  answer();
  for (const words of ["tw", "two", "two th"]) {
    box.put(wrote(words), 700);
    pass(1500);
    answer();
  }
  box.undo();
  pass(0);
  assert.deepEqual([sent.at(-1).ops[0].do, sent.at(-1).ops[0].revision], ["restore", 1]);
  answer();
  box.undo();
  pass(0);
  assert.equal(sent.at(-1).ops[0].revision, 0);
  answer();
  assert.equal(box.canUndo(), false);
});

test("undo survives a reload", () => {
  const first = open();
  first.box.put(wrote("one"));
  pass(0);
  first.answer();
  const second = open("seed", first.server);
  second.box.receive(second.state(0));
  assert.equal(second.box.canUndo(), true);
  second.box.undo();
  pass(0);
  assert.equal(second.sent[0].ops[0].do, "restore");
});

test("a change made outside the panel can be undone, once", () => {
  const { box, state } = open();
  box.receive(state(0, [], { made: { id: "note", before: 2, revision: 3 } }));
  assert.equal(box.canUndo(), true);
  box.undo();
  box.receive(state(0, [], { made: { id: "note", before: 2, revision: 3 } }));
  assert.equal(box.canUndo(), false);
});

test("moving on waits until everything is saved, and is requested once", () => {
  const { box, sent, answer, state } = open();
  box.put(wrote("typed"), 700);
  box.afterSaving({ do: "go", with: "r2" });
  assert.deepEqual([sent.length, sent[0].act], [1, null]);
  answer();
  assert.deepEqual([sent.length, sent[1].act, sent[1].ops], [2, { do: "go", with: "r2" }, []]);
  box.receive(state(sent[1].n));
  pass(20_000);
  assert.equal(sent.length, 2);
  assert.equal(box.saving(), false);
});

test("with nothing to save it moves on at once, and asks again if no answer comes", () => {
  const { box, sent, state } = open();
  box.afterSaving({ do: "finish", with: "" });
  pass(9000);
  assert.deepEqual(sent.map(({ act }) => act.do), ["finish", "finish"]);
  box.receive(state(sent[1].n));
  pass(20_000);
  assert.equal(sent.length, 2);
});

test("a label is confirmed unchanged, under the current codebook", () => {
  const { box, sent, server, state } = open();
  server.labels.set("note", { ...wrote("still true"), revision: 2 });
  server.book = 7;
  box.receive(state(0));
  box.confirm("note");
  pass(0);
  const [{ do: done, confirmed, book, expected, label }] = sent[0].ops;
  assert.deepEqual([done, confirmed, book, expected, label.value], ["put", true, 7, 2, { words: "still true" }]);
});

test("time spent is reported with the next message, once", () => {
  const { box, sent } = open();
  box.addTime(1500.4);
  box.put(wrote("one"));
  pass(0);
  assert.equal(sent[0].ms, 1500);
  pass(9000);
  assert.equal(sent[1].ms, 0);
});

test("after a reload what was typed is sent again", () => {
  const first = open();
  first.box.put(wrote("typed"), 700);
  first.box.put({ id: "code", kind: "step", target: { step: 2 }, value: { code: "A1" } }, 700);
  first.box.flush({ now: true });
  const second = open("seed", first.server);
  second.box.start();
  assert.deepEqual(second.sent.flatMap(({ ops }) => ops.map(({ label }) => label.id)).sort().filter((id, n, all) => id !== all[n - 1]), ["code", "note"]);
  second.answer();
  assert.deepEqual([second.server.labels.size, kept()], [2, []]);
});

test("of two closed tabs with words on one label neither is lost", () => {
  for (const [tab, words] of [["tab-a", "typed in A"], ["tab-b", "typed in B"]]) {
    const want = { do: "put", value: { words }, book: 0, typed: true };
    window.localStorage.setItem(`palimpsest.bench.seed.${tab}.note`, JSON.stringify({ ...NOTE, want, sent: null, base: 0, where: WHERE }));
  }
  globalThis.BroadcastChannel = class { postMessage() {} close() {} };
  const { box, sent, answer, server } = open();
  box.start();
  pass(250);
  answer();
  pass(250);
  answer();
  const words = sent.flatMap(({ ops }) => ops.map(({ label }) => label.value.words));
  assert.deepEqual([...new Set(words)].sort(), ["typed in A", "typed in B"]);
  const left = box.blocked().map(({ want }) => want.value.words); // shown beside what was saved, for a person to decide
  assert.deepEqual([server.labels.get("note").value.words, ...left].sort(), ["typed in A", "typed in B"]);
  assert.equal(JSON.parse(window.localStorage.getItem(kept()[0])).want.value.words, left[0]); // and it stays stored until then
});

test("the changes of an open tab stay with that tab", () => {
  const want = { do: "put", value: { words: "typed there" }, book: 0, typed: true };
  window.localStorage.setItem("palimpsest.bench.seed.other.note", JSON.stringify({ ...NOTE, want, sent: null, base: 0, where: WHERE }));
  let channel;
  globalThis.BroadcastChannel = class {
    constructor() { channel = this; }
    postMessage() {}
    close() {}
  };
  const { box, sent } = open();
  box.start();
  channel.onmessage({ data: { kind: "here", tab: "other" } });
  pass(1000);
  assert.deepEqual([sent, box.drafts(), kept().length], [[], [], 1]);
});

test("a reading is finished after a lost connection or a reload, once, but not much later or when another one was shown since", () => {
  const finish = { do: "finish", with: "" };
  const first = open();
  first.box.afterSaving(finish);
  assert.deepEqual(first.sent.at(-1).act, finish);
  first.box.destroy(); // the page was drawn anew, and nobody answered
  const second = open();
  second.box.start({ open: true });
  assert.deepEqual(second.sent.map(({ act }) => act), [finish]);
  second.answer();
  second.box.destroy();
  for (const later of [0, 61000]) {
    const left = open();
    left.box.start({ open: true });
    assert.deepEqual(left.sent, []);
    left.box.afterSaving(finish);
    left.box.destroy();
    if (!later) open("another reading").box.start({ open: true });
    const now = Date.now();
    mock.method(Date, "now", () => now + later);
    const again = open();
    again.box.start({ open: true });
    assert.deepEqual(again.sent, []);
  }
  const done = open();
  done.box.afterSaving(finish);
  done.box.destroy();
  const locked = open();
  locked.box.start({ open: false });
  assert.deepEqual(locked.sent, []);
});

test("a reading is left although the panel was drawn anew, also before all was saved and while other tabs are asked", () => {
  const go = { do: "go", with: "r2" };
  const first = open();
  first.box.put(wrote("typed"), 700);
  first.box.afterSaving(go);
  first.box.destroy();
  globalThis.BroadcastChannel = class { postMessage() {} close() {} };
  const second = open("seed", first.server);
  second.box.start({ open: true });
  second.box.destroy();
  pass(1000);
  assert.deepEqual(second.sent, []); // it has gone
  const third = open("seed", first.server);
  third.box.start({ open: true });
  pass(250);
  third.answer();
  assert.deepEqual([first.server.labels.size, third.sent.at(-1).act], [1, go]);
});

test("whether a reading may be left is asked once all is saved, and not again after the panel was drawn anew", () => {
  const finish = { do: "finish", with: "" };
  const asked = [];
  const stays = open("seed", undefined, (act) => void asked.push(act));
  stays.box.put(wrote("typed"), 700);
  stays.box.afterSaving(finish);
  assert.deepEqual(asked, []);
  stays.answer();
  assert.deepEqual([asked, stays.sent.length, stays.box.waiting()], [[finish], 1, false]);
  stays.box.destroy();
  const goes = open("seed", stays.server);
  goes.box.start({ open: true });
  goes.box.afterSaving(finish);
  goes.box.destroy();
  const again = open("seed", stays.server, () => false);
  again.box.start({ open: true });
  assert.deepEqual(again.sent.map(({ act }) => act), [finish]);
});

test("what waits is sent as soon as a lost connection is there again", () => {
  const { box, sent, answer } = open();
  box.put(wrote("typed"));
  pass(0);
  window.dispatchEvent(new Event(CONNECTED));
  assert.deepEqual(sent.map(({ ops }) => ops.length), [1, 1]);
  answer();
  window.dispatchEvent(new Event(CONNECTED));
  assert.equal(sent.length, 2);
});

test("other readings of this person and project with unsaved changes are listed", () => {
  const left = (run, by, project) => window.localStorage.setItem(`palimpsest.bench.${run}.tab.x`, JSON.stringify({ ...NOTE, where: { project, run, by } }));
  left("r7", "Ann", "p");
  left("r8", "Bob", "p");
  left("r9", "Ann", "q");
  left("r", "Ann", "p");
  window.localStorage.setItem("palimpsest.bench.r5.tab.x", "{not json");
  assert.deepEqual(open().box.unsavedElsewhere(), ["r7"]);
});

test("without browser storage, everything is still sent", () => {
  const forbidden = () => { throw new Error("forbidden"); };
  window.localStorage = Object.assign(new Storage(), { getItem: forbidden, setItem: forbidden, removeItem: forbidden });
  const { box, sent, answer } = open();
  box.put(wrote("typed"));
  pass(0);
  answer();
  assert.equal(sent.length, 1);
  assert.equal(box.saving(), false);
});
