// The keys of the page: who takes one, in the order in which islands are asked; which wait while the bench is between two states, and are
// applied in order to the island that comes; and the list made of them.
import { afterEach, beforeEach, mock, test } from "node:test";
import assert from "node:assert/strict";
import { joinKeys, keyRows } from "../../assets/js/player/keymap.js";
import { Element, keyEvent, openWindow } from "./browser.mjs";

let window;

beforeEach(() => {
  window = openWindow();
  document.body = new Element("body");
  mock.timers.enable({ apis: ["setTimeout"] });
});
afterEach(() => mock.reset());

// An island that notes its keys.
function island(keys, about = {}) {
  const made = { place: "desk", root: new Element(), taken: [], told: [], ...about };
  const entries = keys.map((key) => (typeof key === "string" ? { keys: [key] } : key));
  made.line = joinKeys({ ...made, keys: () => entries.map((one) => ({ run: ({ key }) => void made.taken.push(key), ...one })), ...(about.settled !== undefined && { settled: () => made.settled, changed: () => made.told.push(made.line.waiting()) }) });
  return made;
}

// A desk whose `f` is done once all is saved, and leaves it unsettled until then.
function comes({ settled = true, about } = {}) {
  const desk = island(["n", "u", "1", { keys: ["f"], run: () => { desk.taken.push("f"); desk.settled = false; } }], { settled, about });
  return desk;
}

// As a browser has it: first the window, then what is focused, last the document.
function press(key, about) {
  const event = typeof key === "string" ? keyEvent(key, about) : key;
  let stopped = false;
  event.stopImmediatePropagation = () => (stopped = true, Event.prototype.stopImmediatePropagation.call(event));
  window.dispatchEvent(event);
  if (!stopped) document.dispatchEvent(Object.assign(keyEvent(event.key, { ...event }), { composedPath: event.composedPath, preventDefault: () => event.preventDefault(), stopImmediatePropagation() {} }));
  return event;
}
const all = (...keys) => keys.map((key) => press(key));

test("islands are asked in their order, and what one takes no other hears of", () => {
  const player = island(["ArrowRight", "n", "e"], { place: "player" });
  const desk = island(["n", "x"]);
  const tour = island([{ keys: ["Escape"], always: true }], { place: "tour" });
  all("n", "x", "e", "ArrowRight");
  press("Escape", { on: new Element("textarea") });
  assert.deepEqual([tour.taken, desk.taken, player.taken], [["Escape"], ["n", "x"], ["e", "ArrowRight"]]);
  assert.equal(press("y").defaultPrevented, false);
  tour.line.leave();
  desk.line.leave();
  press("n");
  assert.deepEqual(player.taken.at(-1), "n");
});

test("a player that comes has the keys while the one before it is still on the page; of two beside each other, the one used last", () => {
  const stale = island(["ArrowRight"], { place: "player" });
  const fresh = island(["ArrowRight"], { place: "player" });
  press("ArrowRight");
  assert.deepEqual([stale.taken, fresh.taken], [[], ["ArrowRight"]]);
  const other = island(["ArrowRight"], { place: "player", below: true });
  press("ArrowRight");
  assert.equal(other.taken.length, 0);
  other.line.raise();
  press("ArrowRight");
  assert.deepEqual([fresh.taken.length, other.taken.length], [2, 1]);
  other.root.isConnected = false;
  press("ArrowRight");
  assert.equal(fresh.taken.length, 3);
});

test("what an island covers gets no key, but what moves the page", () => {
  const player = island(["ArrowRight", "v"], { place: "player" });
  const room = island(["v"], { place: "class", covers: ({ key }) => key !== "Tab" });
  all("ArrowRight", "v", "e");
  assert.deepEqual([room.taken, player.taken], [["v"], []]);
});

test("keys with Ctrl, Alt or the command key are the browser's, and only some repeat", () => {
  const desk = island(["c", { keys: ["j"], held: true }]);
  for (const with_ of ["ctrlKey", "altKey", "metaKey"]) press("c", { [with_]: true });
  press("c", { repeat: true });
  press("j", { repeat: true });
  assert.deepEqual(desk.taken, ["j"]);
});

test("letters belong to fields and lists, arrows also to what moves by them, Space and Enter to what is pressed", () => {
  const desk = island(["c", "ArrowDown", "Enter", " "]);
  const radio = new Element("button", "radio");
  for (const on of [new Element("input"), new Element("textarea"), new Element("select")]) for (const key of ["c", "ArrowDown"]) press(key, { on });
  press("c", { inside: [new Element("div", "listbox")] });
  for (const key of ["ArrowDown", "Enter", " "]) press(key, { on: radio });
  assert.deepEqual(desk.taken, []);
  press("c", { on: radio });
  for (const type of ["checkbox", "range"]) press("c", { on: Object.assign(new Element("input"), { type }) });
  press("Enter");
  assert.deepEqual(desk.taken, ["c", "c", "c", "Enter"]);
});

test("a key whose condition does not hold, or which did nothing, is left alone", () => {
  island([{ keys: ["B"], when: ({ shiftKey }) => shiftKey }, { keys: ["q"], run: () => false }]);
  assert.deepEqual([press("B").defaultPrevented, press("B", { shiftKey: true }).defaultPrevented, press("q").defaultPrevented], [false, true, false]);
});

test("a button shows that its key was taken", () => {
  const desk = comes();
  const classes = new Set();
  desk.root.keyed = [{ dataset: { key: "n" }, classList: { add: (name) => classes.add(name), remove: (name) => classes.delete(name) } }];
  press("n");
  assert.deepEqual([...classes], ["taken"]);
  mock.timers.tick(200);
  assert.equal(classes.size, 0);
});

test("a key shows on the button that had it when it was pressed, and on the next one only where that button is gone", () => {
  const button = (name) => ({ name, isConnected: true, dataset: { key: "1" }, classList: { add: () => shown.push(name), remove() {} } });
  const shown = [];
  const [first, second] = [button("first"), button("second")];
  const desk = island([{ keys: ["1"], run: () => { desk.root.keyed = [second]; } }]);
  desk.root.keyed = [first];
  press("1");
  desk.root.keyed = [first];
  first.isConnected = false;
  press("1");
  assert.deepEqual(shown, ["first", "second"]);
});

test("the list names the keys of all islands, the topmost first, and none twice", () => {
  island([{ keys: ["ArrowRight"], does: "next step" }, { keys: ["d", "l"], does: "the step that decided" }, { keys: ["e"], does: "the end" }], { place: "player" });
  island([{ keys: ["d"], does: "decisive" }, { keys: ["1", "2", "3"], shown: "1 2 3", does: "severity" }, { keys: ["e", " "], does: "support" }, { keys: ["Z"] }]);
  assert.deepEqual(keyRows(), [["d", "decisive"], ["1 2 3", "severity"], ["e, Space", "support"], ["→", "next step"], ["l", "the step that decided"]]);
});

// Fields of an island

test("Escape leaves a field of the island, and no other one; Enter leaves a list", () => {
  const desk = island([], { fields: true });
  const [own, other, list, words] = [new Element("textarea"), new Element("textarea"), new Element("select"), new Element("textarea")];
  press("Escape", { on: own, inside: [desk.root] });
  press("Escape", { on: other });
  press("Enter", { on: list, inside: [desk.root] });
  press("Enter", { on: words, inside: [desk.root] });
  assert.deepEqual([own, other, list, words].map(({ blurred }) => blurred), [true, false, true, false]);
});

const listOf = (...values) => Object.assign(new Element("select"), { options: values.map((value) => ({ value })), value: "" });

test("in a list of the island a letter means what it means elsewhere, and never chooses", () => {
  const desk = island(["c", { keys: ["B"], when: ({ shiftKey }) => shiftKey }], { fields: true });
  const heard = [];
  window.addEventListener("keydown", ({ key }) => heard.push(key));
  for (const [key, about] of [["c"], ["j"], ["ArrowRight"], ["B", { shiftKey: true }]]) {
    const list = listOf("", "correct", "just");
    const event = press(key, { on: list, inside: [desk.root], ...about });
    assert.deepEqual([event.defaultPrevented, list.blurred, list.value], [true, true, ""]);
  }
  assert.deepEqual([desk.taken, heard], [["c", "B"], ["j", "ArrowRight"]]);
});

test("in a list of the island a digit chooses once and leaves it; arrows up and down are the list's", () => {
  const desk = island(["1", "2"], { fields: true });
  const list = listOf("", "correct", "wrong");
  press("2", { on: list, inside: [desk.root] });
  assert.deepEqual([list.value, list.blurred], ["wrong", true]);
  press("0", { on: list, inside: [desk.root] });
  assert.equal(list.value, "");
  press("7", { on: list, inside: [desk.root] });
  assert.equal(list.value, "");
  for (const key of ["ArrowDown", " ", "Tab", "End"]) assert.equal(press(key, { on: listOf("", "a"), inside: [desk.root] }).defaultPrevented, false, key);
  assert.deepEqual(desk.taken, []);
});

// Keys that wait

test("keys that are pressed after a finish are the next reading's, in their order, however late it comes", () => {
  const before = comes();
  all("1", "f", "u", "n");
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

test("keys of the player wait in the same line, and then go to the player that came last", () => {
  const stale = island(["ArrowRight"], { place: "player" });
  const desk = comes();
  all("f", "ArrowRight", "n");
  assert.equal(stale.taken.length, 0);
  desk.line.leave(true);
  const after = comes();
  const fresh = island(["ArrowRight"], { place: "player" });
  document.body.dispatchEvent = (event) => (event.composedPath = () => [document.body], press(event), !event.defaultPrevented);
  after.line.apply();
  assert.deepEqual([stale.taken, fresh.taken, after.taken], [[], ["ArrowRight"], ["n"]]);
});

test("a finish among the keys that wait makes the rest wait for the reading after it", () => {
  const first = comes();
  all("f", "1", "f", "n");
  first.line.leave(true);
  const second = comes();
  second.line.apply();
  assert.deepEqual(second.taken, ["1", "f"]);
  second.line.leave(true);
  const third = comes();
  third.line.apply();
  assert.deepEqual(third.taken, ["n"]);
});

test("an island that comes before the other has gone has the keys to itself", () => {
  const before = comes();
  const after = island(["n"], { settled: true });
  before.line.leave(true);
  all("n", "1");
  assert.deepEqual([before.taken, after.taken], [[], ["n"]]);
});

test("how many keys wait is told, and a key held down waits once", () => {
  const desk = comes({ settled: false });
  all("n", "u", keyEvent("u", { repeat: true }));
  assert.deepEqual(desk.told, [1, 2]);
  desk.settled = true;
  desk.line.apply();
  assert.equal(desk.told.at(-1), 0);
});

test("where the reading stays, keys meant for the next one are dropped, unless the same key was pressed again", () => {
  const desk = comes();
  all("f", "n", "u");
  assert.equal(desk.line.refuse("f"), 2);
  assert.equal(desk.line.waiting(), 0);
  all("f", "n");
  assert.equal(desk.line.refuse("f"), 0);
  desk.settled = true;
  desk.line.apply();
  assert.deepEqual(desk.taken, ["f", "f"]); // the second one is done, and the note waits for the next reading
  assert.equal(desk.line.waiting(), 1);
});

test("keys of links and other fields, with Ctrl, and with no island to come, do not wait", () => {
  const desk = comes({ settled: false });
  const waits = (key, about) => press(key, about).defaultPrevented;
  assert.equal(waits("Enter", { on: new Element("a") }), false);
  assert.equal(waits("n", { on: new Element("input") }), false);
  assert.equal(waits("n", { ctrlKey: true }), false);
  assert.equal(waits("n", { on: new Element("input"), inside: [desk.root] }), true);
  desk.line.leave(false);
  assert.equal(waits("n"), false);
});

test("keys that are pressed while a desk is drawn anew wait for one about the same, and for no other", () => {
  for (const [about, taken] of [["one", ["n"]], ["another", []]]) {
    comes({ about: "one" }).line.leave();
    assert.equal(press("n").defaultPrevented, true);
    const after = comes({ about });
    after.line.apply();
    assert.deepEqual(after.taken, taken);
    after.line.leave();
    mock.timers.tick(3000);
  }
});

test("keys for the next reading wait although the desk was drawn anew before, and the next one comes before it has gone", () => {
  comes({ about: "one" }).line.leave();
  const before = comes({ about: "one" });
  all("f", "n");
  const after = comes({ about: "two" });
  before.line.leave(true);
  after.line.apply();
  assert.deepEqual([before.taken, after.taken], [["f"], ["n"]]);
});

test("on another page keys do not wait for the desk that was left", () => {
  window.location = { pathname: "/Annotate" };
  const desk = comes({ about: "one" });
  window.location = { pathname: "/Learn" };
  desk.line.leave();
  assert.equal(press("n").defaultPrevented, false);
});

test("keys wait a few seconds for an island that does not come, and then are the page's again", () => {
  comes().line.leave(true);
  assert.equal(press("n").defaultPrevented, true);
  mock.timers.tick(3000);
  assert.equal(press("n").defaultPrevented, false);
  const late = comes();
  late.line.apply();
  assert.deepEqual(late.taken, []);
});

test("nothing is taken by an island that is asleep, gone or has left", () => {
  let asleep = true;
  const desk = island(["c"], { asleep: () => asleep });
  press("c");
  asleep = false;
  desk.root.isConnected = false;
  press("c");
  desk.root.isConnected = true;
  desk.line.leave();
  press("c");
  assert.deepEqual(desk.taken, []);
});
