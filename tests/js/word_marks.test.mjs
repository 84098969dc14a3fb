// Words marked in a text.
import { test } from "node:test";
import assert from "node:assert/strict";
import { wordRuns } from "../../assets/js/player/word_marks.js";

const shape = (text, kinds) => wordRuns(text, kinds).map(({ text: words, kind }) => (kind ? `[${kind} ${words}]` : words)).join("");

test("whole words are marked in any case, and nothing is lost", () => {
  assert.equal(shape("The Ledger, a ledgerman’s ledger.", { met: ["ledger"] }), "The [met Ledger], a ledgerman’s [met ledger].");
  assert.equal(shape("nothing here", { met: ["ledger"] }), "nothing here");
  assert.deepEqual(wordRuns("", { met: ["a"] }), []);
});

test("a word of two kinds has the first, and neighbours of one kind share a mark", () => {
  assert.equal(shape("the crane post stands", { met: ["crane", "post"], cited: ["post", "stands"] }), "the [met crane post] [cited stands]");
});

test("letters of scripts without spaces are words of their own", () => {
  assert.equal(shape("帳簿は砂の中", { met: ["砂"] }), "帳簿は[met 砂]の中");
});
