// What a decision card says where no reason is stated.
import { test } from "node:test";
import assert from "node:assert/strict";
import { noReason } from "../../assets/js/player/decision.js";

test("a prompt that asked for no reason, a reply that gave none and a rule are told apart", () => {
  assert.equal(noReason({ by_model: true, asked_why: false }), "The prompt asked for none.");
  assert.equal(noReason({ by_model: true, asked_why: true }), "The reply gave none.");
  assert.equal(noReason({ by_model: false }), "A rule of the reader chose.");
});
