// Places in the text: the map's keys and words, paragraphs and their marks, and where words stand.
import { test } from "node:test";
import assert from "node:assert/strict";
import { holdsKnown, inCharacters, knownPlace, nothingInView, nearestWords, paragraphsOf, placeByKey, placeInWords, runsOf, topOf } from "../../assets/js/player/places.js";

test("arrows move by 1%, page keys by 10%, and never beyond an end", () => {
  assert.equal(placeByKey("ArrowRight", 500, 1000), 510);
  assert.equal(placeByKey("ArrowLeft", 500, 1000), 490);
  assert.equal(placeByKey("PageUp", 999, 1000), 899);
  assert.equal(placeByKey("PageDown", 950, 1000), 999);
  assert.equal(placeByKey("ArrowLeft", 3, 1000), 0);
  assert.equal(placeByKey("Home", 500, 1000), 0);
  assert.equal(placeByKey("End", 500, 1000), 999);
});

test("a place is counted in characters from where its stretch begins: an emoji takes two units and is one character", () => {
  const text = { cuts: [0, 6, 12], counted: { all: 15, starts: [0, 5, 10] } };
  const words = ["a🗝bcd", "ef🕯gh", "ijklm"];
  assert.deepEqual([0, 1, 3, 8, 10, 11, 14].map((unit) => inCharacters(text, unit, (number) => words[number])), [0, 1, 2, 7, 8, 9, 12]);
  assert.equal(inCharacters({ cuts: [0], counted: null }, 70, () => undefined), 70);
});

test("Enter and Space stay, other keys are not the map's", () => {
  assert.equal(placeByKey("Enter", 0, 1000), 0);
  assert.equal(placeByKey(" ", 70, 1000), 70);
  for (const key of ["a", "Tab", "ArrowUp", "Escape"]) assert.equal(placeByKey(key, 70, 1000), null);
});

test("a part holds the known place if they share a character, and only while the place is known", () => {
  const known = { evidence: [[100, 200], [500, 510]] };
  assert.equal(holdsKnown(known, [[0, 101]]), true);
  assert.equal(holdsKnown(known, [[0, 100], [200, 500]]), false);
  assert.equal(holdsKnown(known, [null, [505, 506]]), true);
  assert.equal(holdsKnown(null, [[100, 200]]), false);
  assert.equal(holdsKnown({ evidence: [] }, [[100, 200]]), false);
});

const frames = {
  text: { chars: 1000, landmarks: [[0, "I"], [400, "II"]] },
  cells: [[0, 400, [[1, 1], [3, 2]]], [400, 900, [[5, 1]]]],
  steps: [{}, {}, {}, { raw: true, focus: [[50, 120]] }],
};

test("a place is described by its share of the text, its heading, and how the model saw it up to a step", () => {
  assert.equal(placeInWords(frames, 100, 0, "through a summary"), "10% of the text · I · not covered so far");
  assert.equal(placeInWords(frames, 100, 1, "through a summary"), "10% of the text · I · through a summary");
  assert.equal(placeInWords(frames, 100, 3, "through a summary"), "10% of the text · I · shown raw");
  assert.equal(placeInWords(frames, 120, 3, "through a summary"), "12% of the text · I · shown raw at an earlier step");
  assert.equal(placeInWords(frames, 100, 4, "through a summary"), "10% of the text · I · shown raw at an earlier step");
  assert.equal(placeInWords(frames, 400, 4, "through a memory"), "40% of the text · II · not covered so far");
  assert.equal(placeInWords(frames, 950, 9, "through a memory"), "95% of the text · II · not covered so far");
});

test("a place that was covered only while building is not said to have been without cover so far", () => {
  const anew = { ...frames, cells: [[0, 400, [[1, 2], [5, 0], [8, 2]]], [400, 900, [[1, 1], [5, 0]]]] };
  assert.equal(placeInWords(anew, 100, 4, "through a memory"), "10% of the text · I · shown raw at an earlier step");
  assert.equal(placeInWords(anew, 100, 5, "through a memory"), "10% of the text · I · shown raw while building, not since");
  assert.equal(placeInWords(anew, 100, 8, "through a memory"), "10% of the text · I · shown raw at an earlier step");
  assert.equal(placeInWords(anew, 400, 7, "through a memory"), "40% of the text · II · through a memory while building, not since");
});

test("a long text is measured to a tenth of a percent, and headings are optional", () => {
  assert.equal(placeInWords({ text: { chars: 2e6, landmarks: [] }, cells: [] }, 2500, 0, ""), "0.1% of the text · not covered so far");
  assert.equal(placeInWords({ text: { chars: 0, landmarks: [] }, cells: [] }, 0, 0, ""), "0% of the text · not covered so far");
});

const stretches = [
  { start: 0, words: "The lamp. A Lamp\nagain." },
  { start: 100, words: undefined },
  { start: 200, words: "No lamps (here)? [lamp]" },
];

test("words are found at the place nearest to here, whatever their case", () => {
  assert.deepEqual(nearestWords("lamp", stretches, 0), { start: 4, words: "lamp" });
  assert.deepEqual(nearestWords("LAMP", stretches, 13), { start: 12, words: "Lamp" });
  assert.deepEqual(nearestWords("lamp", stretches, 900), { start: 218, words: "lamp" });
});

test("spaces match any spaces, special characters match themselves, and nothing typed finds nothing", () => {
  assert.deepEqual(nearestWords(" lamp  again ", stretches, 0), { start: 12, words: "Lamp\nagain" });
  assert.deepEqual(nearestWords("(here)? [", stretches, 0), { start: 209, words: "(here)? [" });
  assert.equal(nearestWords("l.mp", stretches, 0), undefined);
  assert.equal(nearestWords("   ", stretches, 0), undefined);
});

test("blank lines separate paragraphs, even with spaces in them, and each paragraph has its offset", () => {
  const words = "One.\nStill one.\n \t\nTwo.\n\n\nThree.\n";
  const found = paragraphsOf({ start: 50, words });
  assert.deepEqual(found.map(({ text }) => text.trim()), ["One.\nStill one.", "Two.", "Three."]);
  for (const { start, text } of found) assert.equal(words.slice(start - 50, start - 50 + text.length), text);
  assert.deepEqual(paragraphsOf({ start: 0, words: "\n\n" }), []);
});

test("the blocks of a stretch stand between its paragraphs, with the offsets of the text", () => {
  const words = "# Top\nwords\n- one\n\n\nlast";
  const found = paragraphsOf({ start: 100, words, blocks: [["heading", 0, 5, 1, [[2, 5]]], ["bullet", 12, 17, 2, [[14, 17]]]] });
  assert.deepEqual(found.map(({ start, text, kind, depth, words: says }) => [start, text.trim(), kind, depth, says]), [
    [100, "# Top", "heading", 1, [[102, 105]]], [106, "words", undefined, undefined, undefined], [112, "- one", "bullet", 2, [[114, 117]]], [120, "last", undefined, undefined, undefined],
  ]);
});

test("short lines are verse, a last short line alone is not", () => {
  const long = "a".repeat(60);
  const verse = (words) => paragraphsOf({ start: 0, words })[0].verse;
  assert.equal(verse("Roses are red,\nviolets are blue"), true);
  assert.equal(verse(`${long}\nend.`), false);
  assert.equal(verse("one line"), false);
});

const mark = (start, end, kind) => ({ start, end, kind });

test("a paragraph is cut where its marks begin and end, and its runs join to the whole", () => {
  const text = "0123456789";
  const runs = runsOf(text, 100, [mark(102, 105, "quote"), mark(104, 120, "known"), mark(0, 101, "known")]);
  assert.deepEqual(runs, [
    { start: 100, text: "0", kinds: ["known"] },
    { start: 101, text: "1", kinds: [] },
    { start: 102, text: "23", kinds: ["quote"] },
    { start: 104, text: "4", kinds: ["quote", "known"] },
    { start: 105, text: "56789", kinds: ["known"] },
  ]);
  assert.equal(runs.map((run) => run.text).join(""), text);
});

test("equal marks count once, and a text without marks is one run", () => {
  assert.deepEqual(runsOf("ab", 0, [mark(0, 2, "known"), mark(0, 2, "known")]), [{ start: 0, text: "ab", kinds: ["known"] }]);
  assert.deepEqual(runsOf("ab", 0, []), [{ start: 0, text: "ab", kinds: [] }]);
});

test("the text is scrolled to the start of a paragraph or, far inside of it, to a whole line", () => {
  assert.equal(topOf(100, 100, 27.5), 92);
  assert.equal(topOf(100, 100 + 6 * 27.5 + 4, 27.5), 92);
  assert.equal(topOf(100, 100 + 20 * 27.5 + 4, 27.5), 485);
});

test("asked for, the known place among a step's spans is shown, or else the first, wherever the step is", () => {
  const known = { evidence: [[100, 120], [300, 340]] };
  assert.equal(knownPlace(known, [[250, 400]]), 300);
  assert.equal(knownPlace(known, [[500, 900]]), 100);
  assert.equal(knownPlace(known, []), 100);
  assert.equal(knownPlace(null, [[0, 9]]), null);
  assert.equal(knownPlace({ evidence: [] }, [[0, 9]]), null);
});

test("a step without anything of the text says what the model sees instead", () => {
  assert.equal(nothingInView({ kind: "memory" }), "Nothing of the text is in view at this step: the model sees only its memory.");
  assert.match(nothingInView({ kind: "memory", picture: { called: "message" } }), /only the message\.$/);
  const snapshots = [{ step: 0, callback: { recalled: null } }, { step: 1, callback: { recalled: 0 } }];
  const told = (at) => nothingInView({ kind: "memory", picture: { called: "memory", here: [0, 1, 1], snapshots } }, at);
  assert.match(told(2), /only its memory and the one that it had looked back to\.$/); // the answer is asked for with what the last chunk recalled
  assert.match(told(1), /only its memory\.$/);
  assert.match(nothingInView({ kind: "pages" }), /only the gists\.$/);
  assert.match(nothingInView({ kind: "graph" }), /only what was written of the text\.$/);
});
