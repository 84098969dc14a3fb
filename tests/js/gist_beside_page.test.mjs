// Why a page was opened, and what came of it, in sentences.
import { test } from "node:test";
import assert from "node:assert/strict";
import { whyThisPage } from "../../assets/js/pictures/gist_beside_page.js";

const beside = { why: "it names the crane", by_rule: false, met: ["crane"], adds: ["bolt", "holes"], rare: 20, kept: 5 };

test("a reason is the model's own words or a rule, and says which", () => {
  assert.equal(whyThisPage(beside)[0], "Why this page, as the model said: “it names the crane”");
  assert.match(whyThisPage({ ...beside, why: "page 3 does" })[0], /“page 3 does” \(The model counts pages from 0\.\)$/);
  assert.equal(whyThisPage({ ...beside, by_rule: true, why: "rank 1 of 9" })[0], "Taken by rule: rank 1 of 9.");
  assert.match(whyThisPage({ ...beside, why: "" })[0], /^Its gist met the question/);
});

test("what the gist shares with the question and what the page adds are named, many of them cut", () => {
  assert.equal(whyThisPage(beside)[1], "Its gist met the question in: crane. What the page adds of the question: bolt, holes.");
  assert.equal(whyThisPage({ ...beside, met: [], adds: [] })[1], "No rarer word of the question is in its gist.");
  assert.match(whyThisPage({ ...beside, met: [..."abcdefghijk"] })[1], /a, b, c, d, e, f, g, h …/);
});
