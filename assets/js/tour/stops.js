// The stops of the tour of the Trace page, and when it comes by itself. Pure: what is asked of the page is asked through functions.

// `find(player)` gives what a stop speaks of; `step(player)` the step at which it is there, where not every step has it.
export const TOUR_STOPS = [
  {
    title: "Question and answer",
    words: "At the top is the question, and below it the answer: who wrote it, and where in the text it rests. The figures beside it say how the reading ended and what it took.",
    find: () => document.querySelector(".st-key-trace-head"),
  },
  {
    title: "Step by step",
    words: "Every mark on this line is a step of the reading. Go from one to the next with the buttons or with ← and →; Space plays. The key ? lists all keys.",
    find: inPlayer(".stepper .row"),
  },
  {
    title: "What happened at this step",
    words: "These sentences say what the reader did. A rule makes them from the record; no model wrote them. A word with a dotted underline is explained when you press it.",
    find: inPlayer(".say"),
  },
  {
    title: "Reading map",
    words: "This bar is the whole text, from its first word to its last. Solid: the model had the words themselves. Hatched: only something that stood for them, such as a summary. Press a place to go to the step that opened it.",
    find: inPlayer(".map-box"),
  },
  {
    title: "The picture",
    words: "What this method builds and keeps: a tree, pages, a graph or a memory. It is drawn as it stood at the step, and where the reader is now is ringed.",
    find: inPlayer(".columns > .pane:not(.text-pane, .algorithm-pane)"),
  },
  {
    title: "The text",
    words: "The text itself, where the reader is. What the model had before it is marked, and so are the places that the answer rests on. Select words to follow what became of them.",
    find: inPlayer(".text-pane"),
  },
  {
    title: "The decision",
    words: "What the model could choose from, what it chose, and the reason it gave. A reason is what the model said; it need not be what made it choose.",
    find: inPlayer('[aria-label="The decision"]'),
    step: ({ frames, at, ends }) => decisionNear(frames.steps, at, ends()),
  },
  {
    title: "Simple and Full",
    words: "Simple tells the story. Full adds every prompt and reply, measures, settings and experiments. This tour is there again under Keys, or with the key t.",
    find: () => document.querySelector(".st-key-trace-switches"),
  },
];

function inPlayer(selector) {
  return ({ root }) => root.querySelector(selector);
}

// The step to show a decision at: this one if the model chose here, else the nearest before it, else, where later steps may be shown,
// the next; null if there is none.
export function decisionNear(steps, at, later) {
  const chose = (step) => Boolean(step?.decision?.by_model && step.decision.options.length);
  for (let n = at; n >= 0; n -= 1) if (chose(steps[n])) return n;
  const next = later ? steps.findIndex(chose) : -1;
  return next < 0 ? null : next;
}

// The stops of this reading: those whose step there is, and without a step of their own, those that the page has.
export function stopsHere(stops, player, isThere) {
  return stops.filter((stop) => (stop.step ? stop.step(player) !== null : isThere(stop.find(player))));
}

// How the tour comes unasked: at a first visit it begins; to who came for something else (a step in the address, playing, Stage, a reading
// that they watched) it is offered; to who has had either of these, and beside a reading in progress or Stage, it does not come.
export function tourComes({ seen, live, staged, named }) {
  if (seen || live || staged) return "";
  return named ? "offered" : "begun";
}
