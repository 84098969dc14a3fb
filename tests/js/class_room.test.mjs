// A class in words and figures: what Enter does in each phase, and how votes, moves and the known answer are told.
import assert from "node:assert/strict";
import { test } from "node:test";
import { clockWords, knownWords, learnerWords, mainAct, mayReveal, movedWords, phaseWords, votesOf } from "../../assets/js/class_room/class_model.js";

test("Enter leads through two rounds to what the model chose, and on", () => {
  const next = { open: "voting", close: "closed", talk: "talk", reveal: "revealed" };
  let state = { phase: "asked", round: 0 };
  const done = [];
  for (;;) {
    const { do: act, says } = mainAct(state);
    assert.ok(says);
    done.push(act);
    if (act === "on") break;
    state = { phase: next[act], round: state.round + (act === "open" ? 1 : 0) };
  }
  assert.deepEqual(done, ["open", "close", "talk", "open", "close", "reveal", "on"]);
  assert.equal(mainAct({ phase: "reading", round: 0 }), null);
});

test("the model's choice is not shown while a vote is open, nor again", () => {
  const phases = ["reading", "asked", "voting", "closed", "talk", "revealed"];
  assert.deepEqual(phases.filter((phase) => mayReveal({ phase, round: 1 })), ["asked", "closed", "talk"]);
});

test("votes are told by option and round, a round without votes as nothing", () => {
  const votes = votesOf([[1, 3], [0, 0]], [{}, {}]);
  assert.deepEqual(votes, [[{ votes: 1, share: 0.25 }, { votes: 0, share: 0 }], [{ votes: 3, share: 0.75 }, { votes: 0, share: 0 }]]);
  assert.deepEqual(votesOf([], [{}]), [[]]);
});

test("moves and the known answer are sentences", () => {
  assert.equal(movedWords(null), "");
  assert.match(movedWords({ both: 0, moved: 0, to_chosen: 0, from_chosen: 0 }), /Nobody voted in both/);
  assert.equal(movedWords({ both: 9, moved: 4, to_chosen: 3, from_chosen: 1 }), "4 of 9 changed their vote: 3 to what the model chose, 1 away from it.");
  assert.equal(knownWords({ chosen: [1], known: null }), "");
  assert.match(knownWords({ chosen: [1], known: [] }), /^None/);
  assert.match(knownWords({ chosen: [0, 1], known: [1] }), /in what the model chose/);
  assert.match(knownWords({ chosen: [0], known: [1] }), /in another option/);
});

test("a learner is told that the vote is in only when it is", () => {
  const open = { phase: "voting", round: 1, mine: null };
  assert.match(learnerWords(open, null), /^Vote now/);
  assert.match(learnerWords(open, { option: 1 }), /^Sending/);
  assert.match(learnerWords({ ...open, mine: 1 }, null), /^Your vote is in/);
  assert.match(phaseWords({ phase: "voting", round: 2, voted: 1, joined: 3 }), /^Second vote: 1 of 3 devices have voted/);
  assert.equal(clockWords(125), "2:05");
});
