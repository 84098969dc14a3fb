// Words marked in the Library's text: which of their occurrences is meant.
import { test } from "node:test";
import assert from "node:assert/strict";
import { wordsMarked } from "../../assets/js/library/mark_words.js";

test("marked words are told with the number of the occurrences ahead, whatever their case and white space", () => {
  assert.deepEqual(wordsMarked(" the\nlamp ", "At dusk The  lamp was lit, and the lamp"), { words: "the lamp", nth: 2 });
  assert.deepEqual(wordsMarked("Carrow", ""), { words: "Carrow", nth: 0 });
});

test("without a word there is nothing to follow, and of very long marks the beginning says what is meant", () => {
  assert.equal(wordsMarked(" … \n", "ahead"), null);
  assert.equal(wordsMarked("word ".repeat(500), "").words.length, 399);
});
