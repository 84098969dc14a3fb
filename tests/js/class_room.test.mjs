// A class in words and figures: what Enter does in each phase, and how votes, moves and the known answer are told.
import assert from "node:assert/strict";
import { test } from "node:test";
import { chosenWords, clockLabel, clockWords, devicesHere, doorWords, goingOnWords, joinHint, learnerWords, mainAct, mayReveal, nextVote, noteWords, phaseWords, removals, stopBetween, votesOf, votesOn } from "../../assets/js/class_room/class_model.js";
import { html, render } from "../../assets/vendor/preact.js";
import { phrasesOf } from "../../assets/js/class_room/lesson_words.js";
import { Options } from "../../assets/js/class_room/options.js";
import { openDocument } from "./document.mjs";

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
  assert.equal(mainAct({ phase: "closed", round: 1, lesson: { once: true } }).do, "reveal");
  assert.ok(!mayReveal({ phase: "closed", round: 1, lesson: { once: true } }));
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

test("a move forward stops at the first pause and at the first decision that was not shown yet; a move back stops nowhere", () => {
  const data = { decisions: [3, 6], done: [3], stops: [{ at: 2, note: "", pauses: true }, { at: 4, note: "look", pauses: false }] };
  const to = (from, at) => stopBetween(data, from, at);
  assert.deepEqual([to(0, 9), to(2, 9), to(2, 5), to(6, 9), to(9, 0), to(1, 2)], [2, 6, null, null, null, 2]);
});

test("the teacher is taken to the next decision that was not shown yet", () => {
  const data = { decisions: [3, 6, 9], done: [6] };
  assert.deepEqual([0, 3, 8, 9].map((at) => nextVote(data, at)), [3, 9, 9, null]);
});

test("the teacher is told at how many steps the class votes", () => {
  const told = (usual, all, every = false) => votesOn({ usual, all, every });
  assert.equal(told(1, 1), "The class votes once: one step of this reading can be predicted.");
  assert.equal(told(2, 2), "The class votes at both steps that can be predicted.");
  assert.equal(told(2, 7, true), "The class votes at all 7 steps that can be predicted.");
  assert.equal(told(2, 7), "The class votes at 2 of the 7 steps that can be predicted.");
});

test("a learner is told by name what the model chose", () => {
  const options = ["page 1", "page 2", "page 3"].map((name) => ({ name }));
  assert.equal(learnerWords({ phase: "revealed", options, verb: "chose", reveal: { chosen: [0, 2] } }, null), "What the model chose: page 1 and page 3.");
});

test("a phone shows the beginning of a long option, and the whole of it on request", () => {
  openDocument();
  const data = { counts: [], reveal: null, options: [{ mark: "1", name: "page 1", text: "word ".repeat(200) }, { mark: "2", name: "back up", text: "" }] };
  const root = document.createElement("main");
  const drawn = (unfolded, folds = () => {}) => {
    render(html`<${Options} data=${data} folds=${folds} unfolded=${unfolded} />`, root);
    return root.querySelectorAll("li").map((li) => [li.className, li.querySelector(".whole")?.textContent]);
  };
  assert.deepEqual(drawn([]), [["folded", "Read whole"], ["", undefined]]);
  assert.deepEqual(drawn([0])[0], ["long", "Shorten"]);
  assert.equal(drawn([], null)[0][0], "long"); // on the room’s screen it is whole, and may go on in the next column
});

test("the teacher has the note of the step, or is told where the next one is", () => {
  const stops = [{ at: 2, note: "Wait.", pauses: false }, { at: 4, note: "", pauses: true }, { at: 7, note: "Ask.", pauses: false }];
  assert.equal(noteWords(stops, 2), "Wait.");
  assert.match(noteWords(stops, 4), /next note is on step 8/);
  assert.match(noteWords(stops, 9), /nor on a later one/);
  assert.equal(noteWords([stops[1]], 4), "");
});

test("a learner is always told what is happening", () => {
  const going = { joining: false, at: 6, steps: 20, says: "It opened part 2." };
  assert.equal(goingOnWords(going), "The teacher is going on. Step 7 of 20: It opened part 2.");
  assert.equal(goingOnWords({ ...going, says: "" }), "The teacher is going on. Step 7 of 20.");
  assert.match(goingOnWords({ ...going, joining: true }), /begins soon/);
  const shown = { round: 1, mine: null, reveal: { chosen: [0] }, options: [{ name: "page 1" }] };
  for (const phase of ["asked", "voting", "closed", "talk", "revealed"]) assert.ok(learnerWords({ ...shown, phase }, null) && clockLabel({ phase, round: 1 }), phase);
  assert.deepEqual([0, 1, 3].map(devicesHere), ["no device here yet", "1 device here", "3 devices here"]);
});

test("a learner is told that the vote is in only when it is", () => {
  const open = { phase: "voting", round: 1, mine: null };
  assert.match(learnerWords(open, null), /^Vote now/);
  assert.match(learnerWords(open, { option: 1, sent: 2 }), /^Sending/);
  assert.match(learnerWords(open, { option: 1, sent: 3 }), /has not arrived yet/);
  assert.match(learnerWords({ ...open, phase: "closed" }, null, true), /is not counted/);
  assert.match(learnerWords({ ...open, mine: 1 }, null), /^Your vote is in/);
  assert.match(phaseWords({ phase: "voting", round: 2, voted: 1, here: 3 }), /^Second vote: 1 of 3 devices have voted/);
  assert.equal(clockWords(125), "2:05");
});

test("the teacher is told who can join, and can remove those that came late, each number once", () => {
  const late = (...devices) => [1, 10, 0].map((minutes, n) => ({ minutes, devices: devices[n] }));
  assert.deepEqual(removals(late(2, 5, 9)).map(({ says }) => says), ["Remove the 2 that joined in the last minute", "Remove the 5 that joined in the last 10 minutes", "Remove all 9"]);
  assert.deepEqual(removals(late(0, 5, 5)).map(({ minutes }) => minutes), [10]);
  assert.deepEqual(removals(late(0, 0, 0)), []);
  assert.match(doorWords({ closed: true, word: "lemon 4711" }), /is closed/);
  assert.match(doorWords({ closed: false, word: "lemon 4711" }), /this word:$/);
  assert.match(doorWords({ closed: false, word: "" }), /Every device/);
  assert.match(joinHint({ closed: false, asksWord: true }), /tells you the word/);
  assert.equal(joinHint({ closed: true, asksWord: true }), "No more devices can join.");
});

test("words that name parts of the text are phrases with their marks, also several of a kind", () => {
  const marks = { "page 3": [3, 4], "segment 4": [4, 5], "segment 12": [12, 13], "part 2.1": [21, 22] };
  const told = (words) => phrasesOf(words, marks).filter(({ mark }) => mark).map(({ text, mark }) => [text, mark[0]]);
  assert.deepEqual(told("Page 3 ends. It took part 2.1."), [["Page 3", 3], ["part 2.1", 21]]);
  assert.deepEqual(told("Segments 4, 8 and 12 have them."), [["Segments 4", 4], ["12", 12]]);
  assert.deepEqual(told("In segments 8 and 12."), [["12", 12]]);
  assert.equal(phrasesOf("Segments 4, 8 and 12, page 3.", marks).map(({ text }) => text).join(""), "Segments 4, 8 and 12, page 3.");
});

test("what a lesson's own choices say is told as what happened, and the right answer to a question as right", () => {
  const words = learnerWords({ phase: "revealed", options: [{ name: "Page 3 alone" }, { name: "Pages 4 to 8" }], verb: "did", reveal: { chosen: [1] } }, null);
  assert.equal(words, "What happened: Pages 4 to 8.");
  assert.equal(mainAct({ phase: "closed", round: 1, verb: "right", lesson: { once: true } }).says, "Show the right answer");
  assert.equal(chosenWords("right"), "This is right.");
});
