// What is taken along from a step: its link, the name of its picture, and the lines of its sentence.
import { test } from "node:test";
import assert from "node:assert/strict";
import { linkToStep } from "../../assets/js/player/share.js";
import { linesOf, nameOfPicture } from "../../assets/js/player/step_picture.js";

test("the link is the page's address at the step that is shown, whatever step it named before", () => {
  assert.equal(linkToStep("http://host/Trace?run=r1&at=2&depth=full", 6), "http://host/Trace?run=r1&at=7&depth=full");
  assert.equal(linkToStep("http://host/Trace?run=r1", 0), "http://host/Trace?run=r1&at=1");
});

test("a picture is called by the question and the step, in any script", () => {
  assert.equal(nameOfPicture("Why did the keeper hide the ledger?", 8, "png"), "why-did-the-keeper-hide-the-ledger-step-9.png");
  assert.equal(nameOfPicture("誰が灯りをつけた？", 0, "svg"), "誰が灯りをつけた-step-1.svg");
  assert.equal(nameOfPicture("?!", 0, "svg"), "reading-step-1.svg");
  assert.ok(nameOfPicture("word ".repeat(40), 0, "svg").length < 70);
});

test("a sentence is broken at spaces and loses no word", () => {
  const measure = (words) => words.length;
  assert.deepEqual(linesOf("It opened page 6 and read it.", 13, measure), ["It opened", "page 6 and", "read it."]);
  assert.deepEqual(linesOf("incomprehensible it is", 6, measure), ["incomprehensible", "it is"]);
  assert.deepEqual(linesOf("", 6, measure), []);
});
