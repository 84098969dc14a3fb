// Deciding twenty readings by keyboard: what keys take, what is left, and that no reload, second tab or lost connection loses a decision
// or a reason.
import { afterEach, beforeEach, mock, test } from "node:test";
import assert from "node:assert/strict";
import { byValue, createDeciding } from "../../assets/js/annotate/table/deciding.js";
import { joinKeys } from "../../assets/js/player/keymap.js";
import { createOutbox } from "../../assets/js/annotate/outbox.js";
import { keyEvent, Element, openWindow } from "./browser.mjs";

const READINGS = 20;
const REASON = { id: "reason", kind: "decision", target: { field: "reason" } };

let window;
let clock;
let opened;

beforeEach(() => {
  window = openWindow();
  clock = 0;
  opened = [];
  globalThis.BroadcastChannel = undefined;
  mock.timers.enable({ apis: ["setTimeout"] });
  mock.method(performance, "now", () => clock);
});
afterEach(() => {
  for (const table of opened) table.close();
  mock.reset();
});

function pass(ms) {
  clock += ms;
  mock.timers.tick(ms);
}

// One reading: an outcome and the codes of two steps, as Python sends them.
const ITEMS = [
  { name: "outcome", target: { field: "outcome" }, differs: true, step: null, sides: [{ step: null }, { step: null }] },
  { name: "decisive", target: { field: "decisive" }, differs: true, step: null, sides: [{ step: 6 }, { step: 4 }] },
  { name: "step.4", target: { step: 4 }, differs: true, step: 4, sides: [{ step: 4 }, { step: 4 }] },
  { name: "step.9", target: { step: 9 }, differs: false, step: 9, sides: [{ step: 9 }] }, // decided before, and all agree by now
];
const TAKES = {
  1: { outcome: { value: "wrong" }, decisive: { value: { step: 6 } }, "step.4": { codes: ["N1"] } },
  2: { outcome: { value: "partly" }, decisive: { value: { step: 4 } }, "step.4": { codes: ["B2"] } },
  b: { "step.4": { codes: ["B2", "N1"] } },
};

// What the store does: a decision is a revision over the one that was known.
function createServer() {
  const readings = Array.from({ length: READINGS }, () => new Map());
  const history = Array.from({ length: READINGS }, () => new Map());
  const state = (run) => [...readings[run].values()].map((one) => structuredClone(one));
  function answer(run, { ops }) {
    return ops.map(({ n, do: done, expected, revision, label }) => {
      const known = readings[run].get(label.id);
      if (done === "restore") {
        const removed = revision === 0;
        readings[run].set(label.id, { ...label, ...history[run].get(`${label.id}.${revision}`), revision: expected + 1, removed });
        return { n, revision: expected + 1 };
      }
      const same = known && JSON.stringify([known.value, known.removed]) === JSON.stringify([label.value, done === "remove"]);
      if (same) return { n, revision: known.revision };
      if ((known?.revision ?? 0) !== expected) return { n, stands: known?.revision ?? 0 };
      readings[run].set(label.id, { ...label, revision: expected + 1, removed: done === "remove" });
      history[run].set(`${label.id}.${expected + 1}`, { value: label.value });
      return { n, revision: expected + 1 };
    });
  }
  return { readings, state, answer };
}

// A tab at the table: its panel without the page. `connected` false loses everything on its way.
function open(server, run = 0) {
  const table = { run, connected: true, went: [] };
  const root = new Element();
  const data = () => ({ items: ITEMS, takes: TAKES });
  const where = { project: "p", run: String(run), by: "Lea", desk: "table" };
  const outbox = createOutbox({ seed: `seed${run}`, where, send: heard, changed() {} });
  const deciding = createDeciding({ outbox, data });
  function heard(message) {
    if (!table.connected) return;
    const answers = server.answer(run, message);
    if (message.act) table.went.push(message.act.with);
    else outbox.receive({ n: message.n, answers, labels: server.state(run), book: 0 });
  }
  const actions = {
    ...Object.fromEntries(["1", "2", "b"].map((key) => [key, () => deciding.take(key)])),
    ArrowDown: () => deciding.move(1), ArrowUp: () => deciding.move(-1), Escape: () => deciding.go(""), x: () => deciding.withdraw(), u: () => outbox.undo(),
    Enter: () => outbox.afterSaving({ do: "go", with: String(run + 1) }),
  };
  const line = joinKeys({ place: "desk", root, keys: () => Object.entries(actions).map(([key, run]) => ({ keys: [key], run: () => void run() })) });
  outbox.receive({ n: 0, answers: [], labels: server.state(run), book: 0 });
  outbox.start();
  // `close` ends the page: nothing more is sent, and what is unsaved is in the browser's storage alone.
  table.close = () => {
    table.connected = false;
    line.leave(false);
    outbox.destroy();
  };
  Object.assign(table, { outbox, deciding });
  opened.push(table);
  return table;
}

function press(...keys) {
  for (const key of keys) window.dispatchEvent(keyEvent(key));
}
const decided = (server, run) => Object.fromEntries([...server.readings[run].values()].filter(({ removed }) => !removed).map(({ id, value }) => [id, value]));

test("twenty readings are decided by keyboard, two or three keys each, and each goes to the next", () => {
  const server = createServer();
  let keys = 0;
  for (let run = 0; run < READINGS; run++) {
    const table = open(server, run);
    const wanted = run % 3 === 0 ? ["1"] : run % 3 === 1 ? ["2"] : ["1", "b"]; // the last: Ada's side, with both's codes
    press(...wanted);
    assert.equal(table.deciding.left().length, 0);
    press("Enter");
    pass(0);
    keys += wanted.length + 1;
    assert.deepEqual(table.went, [String(run + 1)]);
    table.close();
  }
  for (let run = 0; run < READINGS; run++) {
    const side = run % 3 === 1 ? TAKES[2] : TAKES[1];
    assert.deepEqual(decided(server, run), run % 3 === 2 ? { ...side, ...TAKES.b } : side);
  }
  assert.equal(keys, 46);
});

test("annotators who gave the same value stand together, with a key each", () => {
  const sides = ["Ada", "Ben", "Cai"].map((name) => ({ name, words: "", labels: [] }));
  const given = (...values) => {
    const takes = Object.fromEntries(values.map((value, n) => [String(n + 1), { outcome: { value } }]));
    return byValue({ name: "outcome", sides }, { annotators: ["Ada", "Ben", "Cai"], takes }).map((group) => group.map(({ key, name }) => `${key} ${name}`).join(", "));
  };
  assert.deepEqual(given("wrong", "partly", "wrong"), ["1 Ada, 3 Cai", "2 Ben"]);
  assert.deepEqual(given("wrong"), ["1 Ada", "2 Ben", "3 Cai"]); // without a key nothing is known to be the same
});

test("both leaves what has one value, and an item decided alone goes on to the next that is left", () => {
  const server = createServer();
  const { deciding } = open(server);
  assert.equal(deciding.take("b"), 1);
  assert.deepEqual(deciding.left().map(({ name }) => name), ["outcome", "decisive"]);
  press("ArrowDown", "2");
  assert.equal(deciding.current(), "decisive");
  press("1");
  assert.equal(deciding.current(), "");
  pass(0);
  assert.deepEqual(decided(server, 0), { "step.4": { codes: ["B2", "N1"] }, outcome: { value: "partly" }, decisive: { value: { step: 6 } } });
});

test("no key takes every code there is: codes are added one at a time, and taken out again", () => {
  const { deciding } = open(createServer());
  deciding.go("step.4");
  for (const code of ["R1", "N4", "B2", "N4"]) deciding.toggleCode("step.4", code);
  assert.deepEqual(deciding.value("step.4"), { codes: ["B2", "R1"] });
  press("ArrowDown", "ArrowDown", "Enter");
  assert.deepEqual(deciding.value("step.4"), { codes: ["B2", "R1"] });
});

test("a decision is withdrawn, and undone, as a revision of its own", () => {
  const server = createServer();
  const { deciding } = open(server);
  press("ArrowDown", "1");
  pass(0);
  deciding.go("outcome");
  press("x");
  pass(0);
  assert.deepEqual(decided(server, 0), {});
  assert.deepEqual(deciding.left().length, 3);
  assert.equal(server.readings[0].get("outcome").revision, 2);
});

test("a side that was taken whole is undone as one", () => {
  const server = createServer();
  const { deciding } = open(server);
  press("ArrowDown", "2", "Escape");
  pass(0);
  press("1");
  pass(0);
  assert.deepEqual(decided(server, 0), TAKES[1]);
  press("u");
  pass(0);
  assert.deepEqual(Object.keys(decided(server, 0)), ["outcome"]);
  assert.equal(deciding.left().length, 2);
});

test("the steps of an item, and of the whole reading, in order and once", () => {
  const { deciding } = open(createServer());
  assert.deepEqual(deciding.steps(), [4, 6, 9]);
  deciding.go("decisive");
  assert.deepEqual(deciding.steps(), [4, 6]);
});

for (const lost of ["before it was sent", "on its way", "before the answer came"]) {
  test(`a page that is reloaded ${lost} has every decision, and the reason as far as it was typed`, () => {
    const server = createServer();
    const table = open(server);
    table.outbox.put({ ...REASON, value: { words: "Ada read to the e" } }, 700);
    press("1");
    if (lost !== "before it was sent") {
      table.connected = lost !== "on its way";
      if (table.connected) table.outbox.receive = () => {}; // the answer is lost
      pass(800);
    }
    table.close();
    const again = open(server);
    pass(10_000);
    assert.equal(again.deciding.left().length, 0);
    assert.deepEqual(decided(server, 0), { ...TAKES[1], reason: { words: "Ada read to the e" } });
    assert.ok([...server.readings[0].values()].every(({ revision }) => revision === 1));
  });
}

test("a connection that is lost for a while loses nothing, and says so until it is back", () => {
  const server = createServer();
  const table = open(server);
  table.connected = false;
  press("2");
  pass(30_000);
  assert.equal(table.outbox.saving(), true);
  assert.deepEqual(decided(server, 0), {});
  table.connected = true;
  pass(10_000);
  assert.equal(table.outbox.saving(), false);
  assert.deepEqual(decided(server, 0), TAKES[2]);
});

test("of two tabs that decide at once, the later keeps both values until a person chooses", () => {
  const server = createServer();
  const [one, other] = [open(server), open(server)];
  one.deciding.go("outcome");
  one.deciding.take("1");
  other.deciding.go("outcome");
  other.deciding.take("2");
  pass(0);
  assert.deepEqual(decided(server, 0), { outcome: { value: "wrong" } });
  const [late] = other.outbox.blocked();
  assert.deepEqual([late.stands, late.want.value, other.outbox.get("outcome").value], [1, { value: "partly" }, { value: "wrong" }]);
  other.outbox.resolve("outcome", "mine");
  pass(0);
  assert.deepEqual(decided(server, 0), { outcome: { value: "partly" } });
});

test("unsaved decisions are found from another reading of the table, and not from the bench", () => {
  const server = createServer();
  const table = open(server);
  table.connected = false;
  press("1");
  table.close();
  assert.deepEqual(open(server, 1).outbox.unsavedElsewhere(), ["0"]);
  const bench = createOutbox({ seed: "bench", where: { project: "p", run: "1", by: "Lea" }, send() {}, changed() {} });
  assert.deepEqual(bench.unsavedElsewhere(), []);
});
