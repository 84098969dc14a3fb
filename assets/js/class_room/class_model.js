// What follows what in a class, in words and figures, for its teacher's page and its learners'. Pure: no DOM.

// What Enter does on the teacher's page in each phase, and the words of its button.
export function mainAct({ phase, round }) {
  if (phase === "asked") return { do: "open", says: "Open the vote" };
  if (phase === "voting") return { do: "close", says: "Close the vote" };
  if (phase === "closed" && round < 2) return { do: "talk", says: "Let them talk" };
  if (phase === "talk") return { do: "open", says: "Vote again" };
  if (phase === "closed") return { do: "reveal", says: "Show what the model chose" };
  if (phase === "revealed") return { do: "on", says: "Go on with the reading" };
  return null;
}

// Whether the model's choice may be shown now by a key of its own: Enter would do something else.
export const mayReveal = ({ phase, round }) => phase === "asked" || phase === "talk" || (phase === "closed" && round < 2);

// The phase in words for the room.
export function phaseWords({ phase, round, voted, joined }) {
  const votes = `${voted} of ${joined} ${joined === 1 ? "device has" : "devices have"} voted`;
  return {
    reading: "",
    asked: "Read the options. The vote opens soon.",
    voting: `${round > 1 ? "Second vote" : "Vote now"}: ${votes}.`,
    closed: round > 1 ? "The second vote is closed." : "The vote is closed.",
    talk: "Talk with your neighbours: what speaks for your option?",
    revealed: "What the model chose",
  }[phase];
}

// The same for a learner.
export function learnerWords({ phase, round, mine }, waits) {
  if (phase === "voting") {
    if (waits) return "Sending your vote …";
    if (mine !== null) return "Your vote is in. You can change it until the vote is closed.";
    return round > 1 ? "Vote again. Tap an option." : "Vote now. Tap an option.";
  }
  return {
    reading: "",
    asked: "Read the options. You can vote in a moment.",
    closed: "The vote is closed.",
    talk: "Talk with your neighbours. You will vote again.",
    revealed: "What the model chose",
  }[phase];
}

// For each option the votes of each closed round, with the share of the round from 0 to 1.
export function votesOf(counts, options) {
  const voters = counts.map((round) => round.reduce((sum, votes) => sum + votes, 0));
  return options.map((_, option) => counts.map((round, n) => ({ votes: round[option], share: voters[n] ? round[option] / voters[n] : 0 })));
}

// How many changed their vote between the rounds.
export function movedWords(moved) {
  if (!moved) return "";
  if (!moved.both) return "Nobody voted in both rounds.";
  if (!moved.moved) return `Nobody of the ${moved.both} who voted in both rounds changed their vote.`;
  return `${moved.moved} of ${moved.both} changed their vote: ${moved.to_chosen} to what the model chose, ${moved.from_chosen} away from it.`;
}

// Where the known answer was, against what was chosen.
export function knownWords(reveal) {
  if (!reveal || reveal.known === null) return "";
  if (!reveal.known.length) return "None of the options holds the known answer.";
  return reveal.known.some((option) => reveal.chosen.includes(option)) ? "The known answer was in what the model chose." : "The known answer was in another option.";
}

// Seconds as minutes and seconds.
export const clockWords = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
