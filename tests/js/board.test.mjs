// The board as data, and its outbox: what a change makes of it before the server has answered, and that no move is lost.
import { beforeEach, mock, test } from "node:test";
import assert from "node:assert/strict";
import { applied, boxes, fits, following, howMuch, offered, opensAt, spelled, stateOf } from "../../assets/js/annotate/board/model.js";
import { createActs } from "../../assets/js/player/outbox.js";
import { groupBox, noteItem } from "../../assets/js/annotate/board/parts.js";
import { openWindow } from "./browser.mjs";
import { openDocument } from "./document.mjs";

const notes = ["1", "2", "3", "4"].map((id) => ({ id, words: `Lamp ${id}`, by: id < "3" ? "Ann" : "Ben", place: "step 2" }));
const data = { notes, groups: [{ name: "Lost", notes: ["1"] }, { name: "Late", notes: ["2"] }] };
const state = stateOf(data);
const shown = (now) => Object.fromEntries([...boxes(now, notes)].map(([name, found]) => [name, found.map(({ id }) => id).join("")]));
const move = (ids, to) => ({ do: "move", notes: ids.map((id) => [id, ""]), to });

test("notes are moved into groups, new ones last; a group without notes is gone", () => {
  assert.deepEqual(shown(state), { "": "34", Lost: "1", Late: "2" });
  assert.deepEqual(shown(applied(state, move(["3", "9"], " New  one "))), { "": "4", Lost: "1", Late: "2", "New one": "3" });
  assert.deepEqual(shown(applied(state, move(["1", "3"], "LATE"))), { "": "4", Late: "123" });
  assert.deepEqual(shown(applied(state, move(["1"], ""))), { "": "134", Late: "2" });
});

test("a group is renamed in its place, or merged into the group of that name", () => {
  assert.deepEqual(shown(applied(state, { do: "rename", from: "Lost", to: "Gone" })), { "": "34", Gone: "1", Late: "2" });
  assert.deepEqual(shown(applied(state, { do: "rename", from: "Lost", to: "lost" })), { "": "34", lost: "1", Late: "2" });
  assert.deepEqual(shown(applied(state, { do: "rename", from: "Lost", to: "late" })), { "": "34", Late: "12" });
  assert.deepEqual(shown(applied(stateOf({ notes, groups: [{ name: "Too late", notes: ["1"] }] }), { do: "rename", from: "Too late", to: "TOO  late " })), { "": "234", "TOO late": "1" });
  assert.equal(applied(state, { do: "undo" }), state);
});

test("a search finds notes by words, annotator and place", () => {
  assert.ok(fits(notes[2], "ben LAMP") && !fits(notes[2], "ann") && fits(notes[2], ""));
  assert.deepEqual([...boxes(state, notes, "ben").values()].map((found) => found.length), [2, 0, 0]);
});

test("a typed name offers groups, and a new one unless it is there", () => {
  assert.deepEqual(offered(["Lost", "Late", "Too late"], "late"), [{ name: "Late" }, { name: "Too late" }]);
  assert.deepEqual(offered(["Lost"], " los "), [{ name: "Lost" }, { name: "los", fresh: true }]);
  assert.equal(offered(["Lost", "Late"], "").length, 2);
  assert.equal(spelled(["Lost"], " LOST "), "Lost");
});

test("after a move the next note of the box is current, at its end the one before", () => {
  assert.equal(following(["1", "2", "3"], new Set(["2"]), "2"), "3");
  assert.equal(following(["1", "2", "3"], new Set(["3"]), "3"), "2");
  assert.equal(following(["1"], new Set(["1"]), "1"), "");
});

test("one group is no groups", () => {
  assert.equal(howMuch({ notes: 1, groups: 1, loose: 0, selected: 0 }), "1 note · 1 group · 0 without a group");
  assert.equal(howMuch({ notes: 1200, groups: 2, loose: 1, selected: 3 }), "3 selected · 1,200 notes · 2 groups · 1 without a group");
});

test("the box for a name opens below its group, inside the board", () => {
  const board = { left: 50, top: 100, width: 1000, height: 600 };
  const at = (left, bottom) => opensAt({ left, bottom }, board, { width: 400, height: 120 });
  assert.deepEqual(at(350, 240), { left: 300, top: 140 });
  assert.deepEqual(at(900, 690), { left: 600, top: 480 });
  assert.deepEqual(at(900, 20), { left: 600, top: 0 });
});

let sent = [];
const outbox = (from = 1000) => createActs({ name: "palimpsest.board.p", from, survives: ({ do: what }) => what === "move", send: (acts) => sent.push(acts.map(({ do: done, n }) => `${done} ${n}`)) });
beforeEach(() => {
  openWindow();
  sent = [];
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
});

test("what is not acknowledged is sent again with the next change, in order", () => {
  const box = outbox();
  box.add(move(["1"], "A"));
  box.add({ do: "undo" });
  box.done(1001);
  box.add(move(["2"], "B"));
  assert.deepEqual(sent, [["move 1001"], ["move 1001", "undo 1002"], ["undo 1002", "move 1003"]]);
  mock.timers.tick(10_000);
  assert.equal(sent.length, 4);
  box.done(1003);
  mock.timers.tick(30_000);
  assert.equal(sent.length, 4);
});

test("a reload sends the moves that were not acknowledged, but undoes nothing twice", () => {
  const box = outbox();
  box.add(move(["1"], "A"));
  box.add({ do: "undo" });
  box.end();
  const after = outbox(5000);
  assert.deepEqual(after.waiting().map(({ do: done }) => done), ["move"]);
  after.post();
  after.done(1001);
  assert.deepEqual(outbox(6000).waiting(), []);
  assert.deepEqual(sent.at(-1), ["move 1001"]);
});

test("an act that makes another needless takes its place, and numbers go on after those that are done", () => {
  const box = outbox(3);
  box.done(40);
  box.add({ do: "step" });
  box.add({ do: "open" });
  box.add({ do: "step" }, (other) => other.do === "step");
  assert.deepEqual(sent.at(-1), ["open 42", "step 43"]);
});

test("storage that holds something else is ignored", () => {
  window.sessionStorage.setItem("palimpsest.board.p", '{"a"');
  assert.deepEqual(outbox().waiting(), []);
});

test("words of a note, its annotator and a group are text, whatever they say", () => {
  openDocument();
  const harm = "<img src=x onerror=alert(1)>";
  const { node } = noteItem({ id: "1", words: harm, by: harm, place: "step 2", run: "a&b", step: 2 }, 0, { point() {}, select() {}, drag() {} });
  assert.equal(node.querySelector(".words").textContent, harm);
  assert.equal(node.querySelectorAll("img").length, 0);
  assert.equal(node.querySelector("a").getAttribute("href"), "Trace?run=a%26b&at=2");
  const box = document.createElement("section");
  groupBox(box, { name: harm, number: 1, count: 2, shown: 1, rename() {} }, [node]);
  assert.equal(box.querySelector("h3").textContent, harm);
  assert.equal(box.querySelector(".number").textContent, "1 of 2 notes");
});
