// QRMeM's walk, trial by trial: what a band shows at a step, and that nothing on it lies over anything else.
import assert from "node:assert/strict";
import { test } from "node:test";
import { bandAt, bandNow, createWalk, fitsIn, placesOf, rowsOf } from "../../assets/js/pictures/walk.js";
import { tellMore } from "../../assets/js/player/dom.js";
import { openDocument } from "./document.mjs";

openDocument();

const item = (name, brought, about = {}) => ({ step: 1, kind: "start", id: name, name, words: "named in the question", whole: "", note: "", brought, brings: true, stands: brought, ...about });
const band = (about) => ({ title: "Trial 1", from: 1, step: 2, verdict: "declined", reason: "who signed is not said", said: "who signed is not said", answer: "", because: "", still: [], gone: [], items: [], out: [], segments: {}, ...about });
const BANDS = [
  band({ items: [item("the office", [1]), item("the gale", [])], out: [[1, 3, 0.186], [2, 1, null]], segments: { 1: [[1, "new"]], 3: [[1, "new"], [1, "out"]] } }),
  band({ title: "Trial 2", from: 2, step: 3, verdict: "answers", reason: "", answer: "Thomasin Hoy", items: [item("Thomasin Hoy", [2], { step: 2, kind: "followed", words: "kept the book", note: "0.61, of 4 weighed" })], segments: { 1: [[2, "in"]], 2: [[2, "new"]] } }),
];
const SEGMENTS = [1, 2, 3].map((number) => ({ number, name: `segment ${number}`, ref: `text:${number}`, span: [100 * (number - 1), 100 * number], changes: { 1: [[1, "in"]], 2: [[2, "in"]], 3: [[1, "in"], [1, "out"]] }[number] }));

function drawn(at, about = {}) {
  const asked = [];
  const frames = { picture: { bands: BANDS, segments: SEGMENTS }, text: { chars: 300 }, marks: { evidence: [[100, 120]] } };
  const player = { frames, at, last: 3, known: null, ends: () => at === 3, show: (place) => asked.push(place), ...about };
  const walk = createWalk(player, { select: (id) => asked.push(id) });
  walk.draw(at);
  return { node: walk.node, asked, bands: walk.node.querySelectorAll("li.walk-band") };
}

test("what comes at later steps is not there: the band, its verdict, its reason, the answer", () => {
  const [first, second, last] = [1, 2, 3].map((at) => drawn(at));
  assert.equal(first.bands.length, 1);
  assert.match(first.node.textContent, /Start/);
  assert.doesNotMatch(first.node.textContent, /Trial|not enough|who signed|Thomasin/);
  assert.equal(second.bands.length, 2);
  assert.match(second.bands[0].textContent, /Trial 1↻ not enough.*“?who signed is not said”? → looks for Thomasin Hoy/);
  assert.match(second.bands[1].textContent, /^Next/);
  assert.doesNotMatch(second.node.textContent, /answers|→ Thomasin/);
  assert.match(last.bands[1].textContent, /Trial 2◆ answers.*segments 1, 2 → Thomasin Hoy/);
  assert.deepEqual(bandAt(BANDS[1], 1).cells, []);
});

test("what was put out for lack of room stands with the score by which it went, from its step on", () => {
  const out = (at) => drawn(at).bands[0].querySelectorAll(".walk-names").map((each) => each.textContent);
  assert.deepEqual([out(1), out(2)], [["put out, with its score: 3: 0.19"], ["put out, with its score: 3: 0.19 · 1: none"]]);
});

test("a box that scrolls says that it goes on below, until it is at its end", () => {
  const box = { scrollHeight: 280, clientHeight: 150, scrollTop: 0, classList: new Set() };
  box.classList.toggle = (name, on) => (on ? box.classList.add(name) : box.classList.delete(name));
  const told = (scrollTop) => (tellMore(Object.assign(box, { scrollTop })), box.classList.has("goes-on-below"));
  assert.deepEqual([0, 60, 120, 130].map(told), [true, true, false, false]);
});

test("each entity of the question says what it brought, and a relation its score; a press asks for the entity", () => {
  const { node, asked } = drawn(2);
  const items = node.querySelectorAll(".walk-item").map((each) => each.textContent);
  assert.deepEqual(items, ["the officebrought 1", "the galein no segment", "Thomasin Hoykept the bookscore 0.61, of 4 weighed"]);
  node.querySelectorAll("button.walk-name")[2].dispatch("click");
  assert.deepEqual(asked, ["Thomasin Hoy"]);
});

test("a segment on the axis is in view, out of it again, or neither, in every band and in words", () => {
  const { node, bands, asked } = drawn(2);
  const names = node.querySelectorAll(".walk-segment").map((each) => each.getAttribute("aria-label"));
  assert.deepEqual(names, ["segment 1, in view", "segment 2, came into view here", "segment 3, out of view again"]);
  const later = drawn(3).node.querySelectorAll(".walk-segment").map((each) => each.getAttribute("aria-label"));
  assert.deepEqual(later.slice(0, 2), ["segment 1, in view", "segment 2, in view"]);
  assert.equal(drawn(1).node.querySelectorAll(".walk-segment")[1].getAttribute("aria-label"), "segment 2, not in view so far");
  const told = bands.map((each) => each.querySelector(".walk-view").getAttribute("aria-label"));
  assert.deepEqual(told, ["Trial 1; not enough; came into view: 1; put out for lack of room: 3", "Next; came into view: 2; stayed in view: 1"]);
  node.querySelectorAll(".walk-segment")[2].dispatch("click");
  assert.deepEqual(asked, [200]);
});

test("the evidence is marked only once the end may be shown", () => {
  assert.equal(drawn(2).node.querySelectorAll(".walk-evidence").length, 0);
  assert.equal(drawn(3).node.querySelectorAll(".walk-evidence").length, 1);
});

test("the current band is the last that was judged, before that the first", () => {
  assert.deepEqual([1, 2, 3, 9].map((at) => bandNow(BANDS, at)), [0, 0, 1, 1]);
  assert.deepEqual(drawn(2).bands.map((each) => each.getAttribute("aria-current")), ["step", null]);
});

test("on a row nothing lies over anything else or beside the axis, whatever the width", () => {
  const many = Array.from({ length: 24 }, (_, n) => item(`entity number ${n}`, n % 3 ? [(n % 9) + 1] : [], { stands: [(n % 9) + 1], kind: n % 2 ? "followed" : "start", words: "words ".repeat((n % 7) * 4) }));
  for (const [width, large] of [[260, 1], [520, 1], [900, 1], [900, 1.7]]) {
    const place = (number) => ({ left: ((number - 1) * width) / 9, wide: width / 9 - 2 });
    const rows = rowsOf(many, { width, place, large });
    assert.equal(rows.flat().length, many.length);
    for (const row of rows) {
      assert.ok(row[0].left >= 0 && row.at(-1).left + row.at(-1).wide <= width + 0.01);
      row.slice(1).forEach(({ left }, n) => assert.ok(row[n].left + row[n].wide < left));
    }
  }
});

test("a segment is as wide as it is long, and a short one as wide as its number while all have room", () => {
  const segments = [0, 300, 600].map((start, n) => ({ number: n + 1, span: [start, [300, 600, 610][n]] }));
  const wide = (width) => [...placesOf(segments, width).values()].map((each) => Math.round(each.wide));
  assert.deepEqual(wide(220), [98, 98, 18]);
  assert.deepEqual(wide(50), [23, 23, 2]);
  assert.ok(fitsIn(12, () => placesOf(segments, 220).get(3)));
});

test("a segment has its number where its digits have room, as a short last one has", () => {
  assert.deepEqual([[12, 16], [12, 14], [12, 13], [7, 5]].map(([number, wide]) => fitsIn(number, () => ({ wide }))), [true, true, false, false]);
});
