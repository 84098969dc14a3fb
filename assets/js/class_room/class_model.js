// What follows what in a class, in words and figures, for its teacher's page and its learners'. Pure: no DOM.
import { listed } from "../player/listed.js";

// What was voted on, once it is shown: "did" where the options say what happened, "right" where they answer a question of a lesson.
export const outcome = (verb) => ({ did: "what happened", right: "the right answer" })[verb] ?? `what the model ${verb}`;
export const chosenWords = (verb) => ({ did: "This is what happened.", right: "This is right." })[verb] ?? `The model ${verb} this.`;

// What Enter does on the teacher's page in each phase, and the words of its button.
// `once`: a lesson has one vote on this, and no talk between two.
export function mainAct({ phase, round, verb, lesson }) {
  const most = lesson?.once ? 1 : 2;
  if (phase === "asked") return { do: "open", says: "Open the vote" };
  if (phase === "voting") return { do: "close", says: "Close the vote" };
  if (phase === "closed" && round < most) return { do: "talk", says: "Let them talk" };
  if (phase === "talk") return { do: "open", says: "Vote again" };
  if (phase === "closed") return { do: "reveal", says: `Show ${outcome(verb)}` };
  if (phase === "revealed") return { do: "on", says: `Go on with the ${lesson ? "lesson" : "reading"}` };
  return null;
}

// Whether the model's choice may be shown now by a key of its own: Enter would do something else.
export const mayReveal = ({ phase, round, lesson }) => phase === "asked" || phase === "talk" || (phase === "closed" && round < (lesson?.once ? 1 : 2));

// The first step that a move forward stops at: a pause, or a decision to ask about, which must not be passed unseen; null for none.
export function stopBetween({ decisions, done, stops }, from, to) {
  const halts = [...decisions.filter((at) => !done.includes(at)), ...stops.filter(({ pauses }) => pauses).map(({ at }) => at)];
  const passed = halts.filter((at) => from < at && at <= to);
  return passed.length ? Math.min(...passed) : null;
}

// What the teacher has written on a step, or where the next note is; nothing for a reading without notes.
export function noteWords(stops, at) {
  if (!stops.some(({ note }) => note)) return "";
  const here = stops.find((stop) => stop.at === at);
  if (here?.note) return here.note;
  const next = stops.find((stop) => stop.note && stop.at > at);
  return next ? `Nothing on this step. The next note is on step ${next.at + 1}.` : "Nothing on this step, nor on a later one.";
}

// The next step that the class is to be asked about, after this one; null for none.
export const nextVote = ({ decisions, done }, at) => decisions.find((one) => one > at && !done.includes(one)) ?? null;

export const devicesHere = (here) => (here ? `${here} ${here === 1 ? "device" : "devices"} here` : "no device here yet");

// Who can join, for the teacher.
export const doorWords = ({ closed, word }) => (closed ? "The door is closed: no more devices can join." : word ? "A device joins with the code and this word:" : "Every device that has the code can join.");

// Which devices can be removed together, in words; times that would remove the same as a shorter one are left out.
export function removals(late) {
  const others = late.filter(({ devices }, n) => devices && devices !== late[n - 1]?.devices);
  const joined = (minutes) => (minutes === 1 ? "in the last minute" : `in the last ${minutes} minutes`);
  return others.map(({ minutes, devices }) => ({ minutes, says: minutes ? `Remove the ${devices} that joined ${joined(minutes)}` : `Remove all ${devices}` }));
}

// What is said below the code of a class.
export const joinHint = ({ closed, asksWord }) => (closed ? "No more devices can join." : `No account and no name.${asksWord ? " Your teacher tells you the word." : ""} Each browser has one vote.`);

// What the clock measures.
export const clockLabel = ({ phase, round }) => ({ reading: "reading", asked: "question shown", voting: round > 1 ? "second vote open" : "vote open", closed: "vote closed", talk: "talking", revealed: "answer shown" })[phase];

// The phase in words for the room.
export function phaseWords({ phase, round, voted, here, verb }) {
  const votes = `${voted} of ${here} ${here === 1 ? "device has" : "devices have"} voted`;
  return {
    reading: "",
    asked: "Read the options, here or on your device.",
    voting: `${round > 1 ? "Second vote" : "Vote now"}: ${votes}.`,
    closed: round > 1 ? "The second vote is closed." : "The vote is closed.",
    talk: "Talk with your neighbours: what speaks for your option?",
    revealed: capitalised(outcome(verb)),
  }[phase];
}

// The same for a learner. `waits`: the vote that is on its way, and how often it was sent; `missed`: whether the vote came too late.
export function learnerWords({ phase, round, mine, reveal, options, verb }, waits, missed = false) {
  if (phase === "voting") {
    if (waits?.sent > 2) return "Your vote has not arrived yet. Stay on this page: it is sent again until it does.";
    if (waits) return "Sending your vote …";
    if (mine !== null) return "Your vote is in. You can change it until the vote is closed.";
    return round > 1 ? "Vote again. Tap an option." : "Vote now. Tap an option.";
  }
  return {
    asked: "Read the options. You can vote in a moment.",
    closed: missed ? "The vote is closed. Your vote did not arrive in time, and is not counted." : "The vote is closed.",
    talk: "Talk with your neighbours. You will vote again.",
    revealed: reveal && `${capitalised(outcome(verb))}: ${listed(reveal.chosen.map((number) => options[number].name))}.`,
  }[phase];
}

// What the class votes on, for its teacher alone.
export function votesOn({ usual, all, every, unit = "step" }) {
  if (usual < all && !every) return `The class votes at ${usual} of the ${all} ${unit}s that can be predicted.`;
  return all === 1 ? "The class votes once: one step of this reading can be predicted." : `The class votes at ${all === 2 ? "both" : `all ${all}`} ${unit}s that can be predicted.`;
}

// What a learner is told between the questions: always what is happening now.
export function goingOnWords({ joining, at, steps, says, unit }) {
  if (joining) return "You are in the class. It begins soon: watch the screen.";
  const step = `The teacher is going on. ${unit === "part" ? "Part" : "Step"} ${at + 1} of ${steps}`;
  return says ? `${step}: ${says}` : `${step}.`;
}

const capitalised = (words) => words.slice(0, 1).toUpperCase() + words.slice(1);

// For each option the votes of each closed round, with the share of the round from 0 to 1.
export function votesOf(counts, options) {
  const voters = counts.map((round) => round.reduce((sum, votes) => sum + votes, 0));
  return options.map((_, option) => counts.map((round, n) => ({ votes: round[option], share: voters[n] ? round[option] / voters[n] : 0 })));
}

// Seconds as minutes and seconds.
export const clockWords = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
