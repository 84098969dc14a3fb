// What is marked in the text at a step, and where it is scrolled to.
import { test } from "node:test";
import assert from "node:assert/strict";
import { aimAt, marksAt, partlySeen, pauseAfter, pausesAt } from "../../assets/js/player/text_marks.js";

const player = {
  last: 1,
  frames: { steps: [{ focus: [[10, 50]], raw: true }, { focus: [], mark: "answer" }], marks: { evidence: [[20, 30]], quotes: [[22, 26]] } },
  known: { evidence: [[40, 48]] },
  followed: [[12, 14]],
};

test("evidence and quoted words are marked at the last step only, the known place at each", () => {
  assert.deepEqual(marksAt(player, 0).map((mark) => mark.kind), ["now", "known", "followed"]);
  assert.deepEqual(marksAt(player, 1).map((mark) => mark.kind), ["evidence", "quote", "known", "followed"]);
});

test("places that speak for a wrong answer are marked while the known answer is shown, under the known place", () => {
  const misled = { ...player, known: { evidence: [[40, 48]], distractors: [[1, 4]] } };
  assert.deepEqual(marksAt(misled, 0).map(({ kind, start }) => [kind, start]).slice(1, 3), [["distractor", 1], ["known", 40]]);
  assert.equal(marksAt({ ...player, known: null }, 0).some(({ kind }) => kind === "distractor"), false);
});

test("of several known places each has its number, that of its line where it has one; a single place has none", () => {
  const known = { lives: [{ fact: [60, 70] }, { fact: [40, 48] }], evidence: [[40, 48], [60, 75], [90, 95]] };
  const numbers = marksAt({ ...player, known }, 0).filter(({ number }) => number).map(({ start, number }) => [number, start]);
  assert.deepEqual(numbers, [[1, 60], [2, 40], [3, 90]]);
  assert.ok(marksAt(player, 0).every(({ number }) => number === undefined));
});

test("what a step has written texts for is marked otherwise than what stood raw, and what it added by itself", () => {
  const step = { focus: [[0, 9]], raw: false };
  const kinds = (one, added) => marksAt({ last: 5, frames: { steps: [one], marks: {} } }, 0, added).map((mark) => mark.kind);
  assert.deepEqual(kinds(step), ["stood-for"]);
  assert.deepEqual(kinds({ ...step, unseen: true }), []);
  assert.deepEqual(kinds(step, { fresh: true, spans: [[3, 4]] }), ["added", "stood-for"]);
});

test("of a paragraph that was seen in part the words are marked, one seen whole, by one span or by several with only space between them, is not", () => {
  const paragraphs = [{ start: 0, text: "The keeper slept.\n" }, { start: 20, text: "  He woke again." }];
  const seen = (...spans) => partlySeen(paragraphs, spans.map(([start, end, kind = "now"]) => ({ start, end, kind }))).map(({ start, end, kind }) => [start, end, kind]);
  assert.deepEqual(seen([0, 98]), []);
  assert.deepEqual(seen([10, 17], [0, 3], [4, 10], [22, 36]), []);
  assert.deepEqual(seen([0, 24]), [[22, 24, "now"]]);
  assert.deepEqual(seen([0, 3], [5, 17], [30, 50, "stood-for"], [25, 28, "known"], [5, 9, "added"]), [[0, 3, "now"], [5, 17, "now"], [30, 36, "stood-for"], [5, 9, "added"]]);
});

test("what was in view and has left it is marked from then on, until it comes back", () => {
  const segments = [{ span: [0, 4], changes: [[1, "in"], [2, "out"], [4, "in"]] }, { span: [4, 9], changes: [] }];
  const frames = { steps: Array(5).fill({ focus: [] }), marks: {}, picture: { segments } };
  const left = [0, 1, 2, 3, 4].map((at) => marksAt({ last: 5, frames }, at).map(({ kind, start }) => [kind, start]));
  assert.deepEqual(left, [[], [], [["left", 0]], [["left", 0]], []]);
});

test("a step scrolls to the known place within its passage, else to its start; an answer to its quotation", () => {
  const [first, answer] = player.frames.steps;
  assert.equal(aimAt(marksAt(player, 0), first), 40);
  assert.equal(aimAt([], first), 10);
  assert.equal(aimAt(marksAt(player, 1), answer), 22);
  assert.equal(aimAt([], { focus: [] }), null);
  assert.equal(aimAt([], first, { added: { spans: [[70, 80], [90, 95]] } }), 70);
  assert.equal(aimAt([], { focus: [], cuts: [0, 60, 90] }), 60);
  const before = { spans: [[70, 80]], fresh: false };
  assert.deepEqual([[], [[30, 40]]].map((rests) => aimAt([], first, { added: before, rests })), [70, 30]);
});

test("the places to pause stand after their paragraphs, the taken one is where the text is scrolled to, and a page without a question has its end", () => {
  const pages = [{ id: "0", end: 300, changes: [[0, "read"], [2, "gist"]] }, { id: "1", end: 500, changes: [[1, "read"], [2, "gist"]] }];
  const frames = { steps: [{ pauses: [[100, false], [300, true], [380, false]] }, {}, {}], picture: { pages, here: ["0", "1", null] } };
  const offered = pausesAt(frames, 0);
  assert.deepEqual([[0, 100], [100, 250], [250, 300]].map((gap) => pauseAfter(offered, ...gap)?.words), ["○ place 1, offered", undefined, "■ place 2 of 3: the page ends here"]);
  assert.equal(aimAt([], { focus: [[0, 300]] }, { pauses: offered }), 297);
  assert.deepEqual(pausesAt(frames, 1), [[500, true]]);
  assert.equal(pauseAfter(pausesAt(frames, 1), 400, 500).words, "■ the page ends here");
  assert.equal(pausesAt(frames, 2), undefined);
});
