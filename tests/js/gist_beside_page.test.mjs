// Why a page was opened, and what came of it, in sentences.
import { test } from "node:test";
import assert from "node:assert/strict";
import { html, render } from "../../assets/vendor/preact.js";
import { Pages, seenWhen } from "../../assets/js/pictures/pages.js";
import { openDocument } from "./document.mjs";
import { whyThisPage } from "../../assets/js/pictures/gist_beside_page.js";

const beside = { why: "it names the crane", by_rule: false, met: ["crane"], adds: ["bolt", "holes"], rare: 20, kept: 5 };

test("a reason is the model's own words or a rule, and says which", () => {
  assert.equal(whyThisPage(beside)[0], "Why this page, as the model said: “it names the crane”");
  assert.match(whyThisPage({ ...beside, why: "page 3 does" })[0], /“page 3 does” \(The model counts pages from 0\.\)$/);
  assert.equal(whyThisPage({ ...beside, why: "page 3 does" }, "a person")[0], "Why this page, as a person said: “page 3 does”");
  assert.equal(whyThisPage({ ...beside, by_rule: true, why: "rank 1 of 9" })[0], "Taken by rule: rank 1 of 9.");
  assert.match(whyThisPage({ ...beside, why: "" })[0], /^Its gist met the question/);
});

test("what the gist shares with the question and what the page adds are named, many of them cut", () => {
  assert.equal(whyThisPage(beside)[1], "Its gist met the question in: crane. What the page adds of the question: bolt, holes.");
  assert.equal(whyThisPage({ ...beside, met: [], adds: [] })[1], "No rarer word of the question is in its gist.");
  assert.match(whyThisPage({ ...beside, met: [..."abcdefghijk"] })[1], /a, b, c, d, e, f, g, h …/);
});

test("in a narrow window a row has fewer pages, so that their widths can be told apart", () => {
  openDocument();
  const page = (id, words) => ({ id, name: `page ${id}`, number: id, ref: "", refs: [], start: 0, end: 9, gist: "", words, gist_words: 0, ended: "", changes: [[0, "read"]], visits: [] });
  const picture = { pages: Array.from({ length: 16 }, (_, n) => page(String(n), n % 2 ? 100 : 300)), here: [null], built: 1, meanings: {}, since: {}, beside: {}, claims: [] };
  const shares = (innerWidth) => {
    globalThis.innerWidth = innerWidth;
    const node = document.createElement("div");
    render(html`<${Pages} frames=${{ picture, steps: [{}], text: {}, marks: {} }} at=${0} last=${1} ends=${false} known=${null} facts=${[]} go=${() => {}} show=${() => {}} />`, node);
    return [...node.querySelectorAll("button.page")].map(({ style }) => Number(/(\d+\.\d+)%/.exec(style.flex)[1])).slice(0, 2);
  };
  assert.deepEqual(shares(1400), [9.09, 3.03]);
  assert.deepEqual(shares(390), [18.19, 6.06]);
});

test("while pages that were asked for are still to be opened, nothing is said of the next call", () => {
  const states = (...each) => each.map((state) => ({ state }));
  assert.equal(seenWhen(states("gist", "waiting", "asked")), "The memory so far: the gists, with each opened page in place");
  assert.equal(seenWhen(states("gist", "waiting")), "What the model will see at its next call");
  assert.equal(seenWhen(states("gist", "opened")), "What the model sees");
});
