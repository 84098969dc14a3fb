// Keys that go to decisions, phases and known places, and what the page says where there is none.
import { test } from "node:test";
import assert from "node:assert/strict";
import { listenForJumps } from "../../assets/js/player/jumps.js";

const LIVES = [{ fact: [120, 160] }, { fact: [10, 40] }];

function made(known) {
  const steps = [{ focus: [[0, 20]], raw: true }, { focus: [[100, 200]] }, { focus: [[0, 50]], raw: true, decision: { options: [{}] } }];
  const player = { at: 0, known, frames: { steps, building: 1, phases: [{ from: 0 }, { from: 2 }] }, keys: { on: (acts) => (player.acts = acts) } };
  player.go = (step) => (player.at = step);
  const text = { shown: [], said: "", show: (place) => text.shown.push(place), announce: (words) => (text.said = words) };
  listenForJumps(player, text);
  return { player, text };
}

test("the known places are gone to one after the other, in the order of their lines, and then those without a line", () => {
  const { player, text } = made({ lives: LIVES, evidence: [[10, 40], [100, 170], [300, 310]] });
  const seen = [];
  for (let n = 0; n < 4; n++) {
    player.acts.nextKnown();
    seen.push([player.at, text.said]);
  }
  assert.deepEqual(text.shown, [120, 10, 300, 120]);
  assert.deepEqual(seen, [
    [1, "Known place 1 of 3. It was never opened on its own."],
    [2, "Known place 2 of 3. The model had it raw in view at this step."], // as step 0 had, while building
    [2, "Known place 3 of 3. It was never opened on its own."],
    [1, "Known place 1 of 3. It was never opened on its own."],
  ]);
});

test("while the known answer is hidden, no place is gone to", () => {
  const { player, text } = made(null);
  player.acts.nextKnown();
  assert.deepEqual([player.at, text.shown, text.said], [0, [], "No known place is shown."]);
});

test("decisions and phases are gone to, and the text's pane says where there is none", () => {
  const { player, text } = made(null);
  player.acts.previousPhase();
  assert.deepEqual([player.at, text.said], [0, "This is the first step."]);
  player.acts.nextDecision();
  assert.equal(player.at, 2);
  player.acts.nextDecision();
  assert.deepEqual([player.at, text.said], [2, "No later step has a decision."]);
  player.acts.nextPhase();
  assert.deepEqual([player.at, text.said], [2, "This is the last phase."]);
  player.acts.previousPhase();
  assert.equal(player.at, 0);
});
