// Keys that are pressed while the bench is between two states: they wait, and are applied in order to the panel that comes.
import { afterEach, beforeEach, mock, test } from "node:test";
import assert from "node:assert/strict";
import { createLine } from "../../assets/js/annotate/key_line.js";
import { listenToKeys } from "../../assets/js/annotate/keys.js";
import { Element, keyEvent, openWindow } from "./browser.mjs";

let window;
let open;

beforeEach(() => {
  window = openWindow();
  document.body = new Element("body");
  open = [];
  mock.timers.enable({ apis: ["setTimeout"] });
});
afterEach(() => {
  for (const panel of open) panel.line.leave(false);
  mock.timers.tick(3000);
  mock.reset();
});

// A panel that notes its keys; `f` is done once all is saved, and leaves it unsettled until then.
function comes({ settled = true } = {}) {
  const panel = { root: new Element(), settled, taken: [], told: [] };
  const note = (key) => () => panel.taken.push(key);
  const actions = { n: note("n"), u: note("u"), 1: note("1"), f: () => { panel.taken.push("f"); panel.settled = false; } };
  const changed = () => panel.told.push(panel.line.waiting());
  panel.line = listenToKeys({ root: panel.root, actions, letter: null, asleep: () => false, settled: () => panel.settled, changed });
  open.push(panel);
  return panel;
}

function press(...keys) {
  return keys.map((key) => {
    const event = typeof key === "string" ? keyEvent(key) : key;
    window.dispatchEvent(event);
    return event;
  });
}

test("keys that are pressed after a finish are the next reading's, in their order, however late it comes", () => {
  const before = comes();
  press("1", "f", "u", "n");
  before.root.isConnected = false; // the page is drawn again
  press("1");
  before.line.leave(true);
  press("u");
  const after = comes({ settled: false });
  press("n");
  assert.deepEqual([before.taken, after.taken], [["1", "f"], []]);
  after.settled = true;
  after.line.apply();
  assert.deepEqual(after.taken, ["u", "n", "1", "u", "n"]);
  press("1");
  assert.deepEqual(after.taken.at(-1), "1");
  assert.deepEqual(before.taken, ["1", "f"]);
});

test("a finish among the keys that wait makes the rest wait for the reading after it", () => {
  const first = comes();
  press("f", "1", "f", "n");
  first.line.leave(true);
  const second = comes();
  second.line.apply();
  assert.deepEqual(second.taken, ["1", "f"]);
  second.line.leave(true);
  const third = comes();
  third.line.apply();
  assert.deepEqual(third.taken, ["n"]);
});

test("a panel that comes before the other has gone has the keys to itself", () => {
  const before = comes();
  const after = comes();
  before.line.leave(true);
  press("n");
  assert.deepEqual([before.taken, after.taken], [[], ["n"]]);
});

test("how many keys wait is told, and a key held down waits once", () => {
  const panel = comes({ settled: false });
  press("n", "u", keyEvent("u", { repeat: true }));
  assert.deepEqual(panel.told, [1, 2]);
  panel.settled = true;
  panel.line.apply();
  assert.equal(panel.told.at(-1), 0);
});

test("where the reading stays, keys meant for the next one are dropped, unless the same key was pressed again", () => {
  const panel = comes();
  press("f", "n", "u");
  assert.equal(panel.line.refuse("f"), 2);
  assert.equal(panel.line.waiting(), 0);
  press("f", "n");
  assert.equal(panel.line.refuse("f"), 0);
  panel.settled = true;
  panel.line.apply();
  assert.deepEqual(panel.taken, ["f", "f"]); // the second one is done, and the note waits for the next reading
  assert.equal(panel.line.waiting(), 1);
});

test("Enter on a link waits for no panel", () => {
  comes().line.leave(true);
  assert.equal(press(keyEvent("Enter", { on: new Element("a") }))[0].defaultPrevented, false);
});

test("keys in other fields, with Ctrl, and without a panel that is to come, do not wait", () => {
  const panel = comes({ settled: false });
  const mine = new Element("input");
  const [elsewhere, copied, own] = press(keyEvent("n", { on: new Element("input") }), keyEvent("n", { ctrlKey: true }), keyEvent("n", { on: mine, inside: [panel.root] }));
  assert.deepEqual([elsewhere.defaultPrevented, copied.defaultPrevented, own.defaultPrevented], [false, false, true]);
  panel.line.leave(false);
  assert.equal(press("n")[0].defaultPrevented, false);
});

test("keys wait a few seconds for a panel that does not come, and then are the page's again", () => {
  comes().line.leave(true);
  assert.equal(press("n")[0].defaultPrevented, true);
  mock.timers.tick(3000);
  assert.equal(press("n")[0].defaultPrevented, false);
  const late = comes();
  late.line.apply();
  assert.deepEqual(late.taken, []);
});

test("a button shows that its key was taken", () => {
  const panel = comes();
  const classes = new Set();
  panel.root.keyed = [{ dataset: { key: "n" }, classList: { add: (name) => classes.add(name), remove: (name) => classes.delete(name) } }];
  press("n");
  assert.deepEqual([...classes], ["taken"]);
  mock.timers.tick(200);
  assert.equal(classes.size, 0);
});

for (const [how, goes] of [["has left, with another to come,", (panel) => panel.leave(true)], ["is gone from the page", (panel) => { panel.root.isConnected = false; }]]) {
  test(`a line whose panel ${how} lets go of the keys when a panel of another script comes`, () => {
    const taken = [];
    const joined = (name) => ({ root: new Element(), onKey: ({ key }) => taken.push(name + key), settled: () => true, changed: () => {} });
    const bench = joined("bench ");
    bench.leave = createLine()(bench).leave;
    press("1");
    goes(bench);
    const table = joined("table ");
    const place = createLine()(table);
    press("2");
    assert.deepEqual(taken, ["bench 1", "table 2"]);
    place.leave(false);
  });
}
