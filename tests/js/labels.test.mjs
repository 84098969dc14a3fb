// Labels in words, two versions of one label, the search for codes, and the time on task.
import { afterEach, beforeEach, mock, test } from "node:test";
import assert from "node:assert/strict";
import { matching } from "../../assets/js/annotate/codes.js";
import { correctionId, currentValue } from "../../assets/js/annotate/fields.js";
import { html, render } from "../../assets/vendor/preact.js";
import { Hints, describeLabel, hintedStepAfter, joinValues } from "../../assets/js/annotate/lists.js";
import { decisiveValue, isAccepted, labelsAccepted } from "../../assets/js/annotate/suggested.js";
import { createMarks } from "../../assets/js/annotate/marks.js";
import { countTime, short } from "../../assets/js/annotate/page_hooks.js";
import { openWindow } from "./browser.mjs";
import { openDocument } from "./document.mjs";

const codes = [
  { id: "A1", name: "Wrong turn", group: "Path" },
  { id: "A2", name: "Late turn", group: "Path" },
  { id: "B1", name: "Lossy", group: "Turning points" },
  { id: "C1", name: "Old turn", group: "Path", retired: true },
];
const found = (typed) => matching(codes, typed).map(({ id }) => id);

test("nothing typed lists the codes in use", () => assert.deepEqual(found(" "), ["A1", "A2", "B1"]));

test("a code fits if its id, name or group contain every word; those that begin with the first come first", () => {
  assert.deepEqual(found("turn"), ["A1", "A2", "B1"]);
  assert.deepEqual(found("LATE turn"), ["A2"]);
  assert.deepEqual(found("l"), ["A2", "B1"]);
  assert.deepEqual(found("b"), ["B1"]);
  assert.deepEqual(found("t"), ["A1", "A2", "B1"]);
  assert.deepEqual(found("xyz"), []);
  assert.deepEqual(matching([...codes, { id: "D1", name: "Turned", group: "" }], "turn").map(({ id }) => id), ["D1", "A1", "A2", "B1"]);
});

test("the words of a broader code find the codes under it", () => {
  const under = { id: "X", name: "Narrow", group: "", under: "B1 Lossy" };
  assert.deepEqual(matching([...codes, under], "lossy").map(({ id }) => id), ["B1", "X"]);
});

test("what a code means finds it, too, after those that have the words in their names", () => {
  const told = [{ id: "M2", name: "Overwritten", group: "", definition: "The fact is lost in a rewrite." }, { id: "M5", name: "Truncated", group: "", near: "Lost by rewriting: M2." }, { id: "M9", name: "Lost", group: "" }];
  assert.deepEqual(matching(told, "lost").map(({ id }) => id), ["M9", "M2", "M5"]);
  assert.deepEqual(matching(told, "over lost").map(({ id }) => id), ["M2"]);
  assert.deepEqual(matching(told, "lo").map(({ id }) => id), ["M9"]); // so short a word is in nearly every meaning
});

const names = {
  code: (id) => ({ called: `${id} Lossy` }),
  field: (name) => ({ decisive: "Decisive step", outcome: "Outcome" })[name] ?? name,
  value: (name, value) => ({ wrong: "a wrong answer" })[value] ?? value,
};

test("each kind of label is described by what it refers to and what it says", () => {
  const said = (kind, target, value, more = {}) => describeLabel({ kind, target, value, ...more }, names);
  assert.deepEqual(said("reading", { field: "outcome" }, { value: "wrong" }), ["Outcome", "a wrong answer"]);
  assert.deepEqual(said("reading", { field: "decisive" }, { value: { step: 4, confidence: 3, words: "It turned." } }), ["Decisive step", "step 4, sure · It turned."]);
  assert.deepEqual(said("reading", { field: "decisive" }, { value: { step: "none", confidence: 1, words: "" } }), ["Decisive step", "no step, a guess"]);
  assert.deepEqual(said("reading", { field: "decisive" }, { value: { step: "building", confidence: 2 } }), ["Decisive step", "while building, fairly sure"]);
  assert.deepEqual(said("step", { step: 3 }, { code: "B1", severity: 2, note: "here" }), ["Step 3", "B1 Lossy, severity 2 · here"]);
  assert.deepEqual(said("span", { on: "text" }, { code: "B1", note: "" }, { quote: "the lamp" }), ["In the text", "B1 Lossy · “the lamp”"]);
  assert.deepEqual(said("span", { on: "reply", number: 7 }, { code: null, note: "" }), ["In the reply of call 7", "marked"]);
  assert.deepEqual(said("correction", { step: 2 }, { words: "page 3" }, { edited: "another reply" }), ["Step 2, what would have been right", "another reply · page 3"]);
  assert.deepEqual(said("note", { step: null }, { words: "odd" }), ["Note on the reading", "odd"]);
  assert.deepEqual(said("note", { step: 5 }, { words: "odd" }), ["Note on step 5", "odd"]);
});

test("two versions are joined where only their words differ", () => {
  assert.deepEqual(joinValues({ words: "theirs" }, { words: "mine", group: "g" }), { words: "theirs\nmine", group: "g" });
  assert.deepEqual(joinValues({ code: "A1", note: "theirs" }, { code: "B1", note: "mine" }), { code: "B1", note: "theirs\nmine" });
  assert.deepEqual(joinValues({ value: "in words" }, { value: "other words" }), { value: "in words\nother words" });
  assert.deepEqual(joinValues({ value: { step: 1, words: "a" } }, { value: { step: 2, words: "b" } }), { value: { step: 2, words: "a\nb" } });
  assert.equal(joinValues({ words: "x".repeat(3000) }, { words: "y".repeat(3000) }).words.length, 4000);
});

test("two versions that differ in a value, or not at all, are not joined", () => {
  assert.equal(joinValues({ value: "wrong" }, { value: "right" }), null);
  assert.equal(joinValues({ words: "same" }, { words: "same" }), null);
});

test("a label's value is the draft, else what is saved; removed, it has none", () => {
  const outbox = (draft, kept) => ({ draft: () => draft, get: () => kept });
  assert.deepEqual(currentValue(outbox({ do: "put", value: "new" }, { value: "old" }), "1"), "new");
  assert.equal(currentValue(outbox({ do: "remove", value: null }, { value: "old" }), "1"), null);
  assert.equal(currentValue(outbox({ do: "restore", value: null }, { value: "old" }), "1"), "old");
  assert.equal(currentValue(outbox(undefined, { value: "old" }), "1"), "old");
  assert.equal(currentValue(outbox(undefined, { value: "old", removed: true }), "1"), null);
  assert.equal(currentValue(outbox(undefined, undefined), "1"), null);
});

test("a correction's id is made of the seed and the step, as Python makes it", () => {
  assert.equal(correctionId("0123456789abcdef0123456789abcdef", 26), "0123456789abcdef012345670000001a");
});

test("long words are cut, short ones are not", () => {
  assert.equal(short("a".repeat(120)), "a".repeat(120));
  assert.equal(short("a".repeat(121)), `${"a".repeat(119)}…`);
});

let window;
let clock;
let open;
let spent;
let told;

beforeEach(() => {
  window = openWindow();
  clock = 0;
  mock.timers.enable({ apis: ["setInterval"] });
  mock.method(performance, "now", () => clock);
  [open, spent, told] = [true, 0, 0];
});
afterEach(() => mock.reset());

const counting = () => countTime({ open: () => open, add: (ms) => (spent += ms), spent: () => spent, tell: () => (told += 1) });
function pass(seconds) {
  for (let n = 0; n < seconds; n++) {
    clock += 1000;
    mock.timers.tick(1000);
  }
}

test("time counts for a minute after a person's last action", () => {
  const end = counting();
  pass(100);
  assert.equal(spent, 59_000);
  window.dispatchEvent(new Event("pointermove"));
  pass(10);
  assert.equal(spent, 69_000);
  end();
  pass(10);
  assert.equal(spent, 69_000);
});

test("time does not count while the page is hidden or the reading closed, and is reported after a minute", () => {
  counting();
  globalThis.document.visibilityState = "hidden";
  pass(10);
  globalThis.document.visibilityState = "visible";
  open = false;
  pass(10);
  assert.equal(spent, 0);
  open = true;
  window.dispatchEvent(new Event("keydown"));
  pass(30);
  assert.equal(told, 0);
  window.dispatchEvent(new Event("wheel"));
  pass(30);
  assert.equal(told, 1);
});

test("the next hint is at the next step that any names, and after the last at the first", () => {
  const hints = [{ steps: [7, 2] }, { steps: [] }, { steps: [4] }];
  assert.deepEqual([1, 2, 4, 7].map((step) => hintedStepAfter(hints, step)), [2, 4, 7, 2]);
  assert.equal(hintedStepAfter([{ steps: [] }], 1), null);
});

test("accepting a suggested fate marks it and the decisive step as suggested by rule; a step chosen by hand stays", () => {
  const ids = { fate: "f", decisive: "d" };
  const made = (suggested, current) => labelsAccepted(suggested, ids, current).map(({ id, value }) => [id, value]);
  const lost = { fate: "later_lost", step: 7, decides: true };
  const fate = ["f", { value: "later_lost", suggested: "rule" }];
  assert.deepEqual(made(lost, {}), [fate, ["d", { value: { step: 7, confidence: 2, words: "" }, suggested: "rule" }]]);
  assert.deepEqual(made(lost, { decisive: { value: { step: 3 } } }), [fate]);
  assert.deepEqual(made({ fate: "used", step: 9, decides: false }, {}), [["f", { value: "used", suggested: "rule" }]]);
  assert.deepEqual([[lost, null], [lost, fate[1]], [lost, { value: "later_lost" }], [lost, { value: "used", suggested: "rule" }], [null, fate[1]]].map((both) => isAccepted(...both)), [false, true, false, false, true]);
});

test("that a rule suggested the decisive step holds while only its certainty or words change, and goes with another step", () => {
  const step = { value: { step: 7, confidence: 2, words: "" }, suggested: "rule" };
  assert.deepEqual(decisiveValue(step, { words: "dropped" }), { suggested: "rule", value: { step: 7, confidence: 2, words: "dropped" } });
  assert.deepEqual(decisiveValue(step, { step: 3 }), { value: { step: 3, confidence: 2, words: "" } });
  assert.deepEqual(decisiveValue(null, { step: 3 }), { value: { step: 3, confidence: 2, words: "" } });
  assert.equal(describeLabel({ kind: "reading", target: { field: "decisive" }, value: step }, names)[1], "step 7, fairly sure · suggested by rule");
});

test("hints that name the step are marked, with the link to it", () => {
  openDocument();
  const node = document.createElement("section");
  const given = { ask() {}, go() {}, proposals: { proposed: [] } };
  const draw = (data, here) => render(html`<${Hints} ...${data} ...${given} here=${here} />`, node);
  const hints = [{ sentence: "It grew.", steps: [2] }, { sentence: "It turned.", steps: [2, 7] }, { sentence: "It lost it.", steps: [] }];
  const marked = () => node.querySelectorAll(".here").map((line) => [line.textContent, line.querySelectorAll(".link").filter((link) => link.getAttribute("aria-current")).map((link) => link.textContent)]);
  draw({ hinted: true, hints }, 7);
  assert.deepEqual(marked(), [["Hint: It turned.step 2step 7", ["step 7"]]]);
  draw({ hinted: true, hints }, 2);
  assert.deepEqual(marked().map(([, links]) => links), [["step 2"], ["step 2"]]);
  draw({ hinted: true, hints }, 3);
  assert.deepEqual(marked(), []);
});

test("the words that a code is being chosen for are shown in the text until it is chosen or left", () => {
  const window = openWindow();
  const page = globalThis.document;
  openDocument();
  globalThis.document = Object.assign(page, { createElement: document.createElement });
  const shown = [];
  window.addEventListener("palimpsest", ({ detail }) => detail.kind === "sent" && shown.push(detail.what.selected));
  const outbox = { labels: () => new Map(), drafts: () => [], put() {} };
  const marks = createMarks({ run: "r", seed: "s", outbox, may: () => true, chooseCode() {}, focus() {}, marked: () => marks.tell() });
  marks.pick({ on: "text", start: 3, end: 9, words: "a lamp" });
  marks.tell();
  marks.mark();
  marks.cancel();
  marks.mark();
  marks.markWith(null);
  assert.deepEqual(shown, [[], [[3, 9]], [], [[3, 9]], []]);
});
