// Words are found where they stand in the texts of a page, over the seams between them too.
import { test } from "node:test";
import assert from "node:assert/strict";
import { wordsWithin } from "../../assets/js/player/found_words.js";

const found = (texts, ...phrases) =>
  wordsWithin(texts, phrases).map(([[from, start], [to, end]]) => (from === to ? texts[from].slice(start, end) : `${texts[from].slice(start)}|${texts[to].slice(0, end)}`));

test("case and white space do not matter, and the longest phrase comes first", () => {
  assert.deepEqual(found(["The Lamp was lit. A high\nlight."], "lamp", "high light", "light"), ["Lamp", "high\nlight"]);
});

test("a phrase runs over several texts, and a word ends where a text ends", () => {
  assert.deepEqual(found(["the high ", "", "light", " lamp"], "high light", "lamp"), ["high |light", "lamp"]);
});

test("what is looked for is no pattern, in any script", () => {
  assert.deepEqual(found(["axb a.b", "灯台の灯りは", "المنارة"], "a.b", "灯り", "منارة"), ["a.b", "灯り", "منارة"]);
  assert.deepEqual(found(["nothing"]), []);
});
