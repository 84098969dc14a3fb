// What a picture marks of the facts that are followed: for what is drawn, by its refs, a mark for each fact at a step. Which text carries
// a fact is computed by readers/engine/analysis/facts/life.py. Pure: no page. Not here: how a mark is drawn (fact_badges.js).

const FACT_SAID = ["lost", "unclear", "altered", "carried"]; // of several texts, the one that says most counts
export const FACT_WORDS = {
  raw: "the model saw it raw here", carried: "it says it", altered: "it says it with another value", unclear: "whether it says it cannot be told",
  lost: "it no longer says it", "left out": "taken out of view", none: "it got no further",
};

// The facts that are followed, in the order of their lifelines.
export const factsOf = (player) => player.facts?.() ?? [];

// The marks of what has these refs, at a step: { n, of, shape, raw, died }. `n` is the number of the fact of `of` many; `raw`: it stood
// raw here, too, as the text was written; `died`: here, which is told only once the end is shown.
export function factMarks(facts, refs, at, ends) {
  return facts.flatMap((fact, n) => {
    const found = factMarkOf(fact.carriers.marks, refs, at);
    const died = Boolean(ends && fact.fate && fact.fate.step <= at && refs.some((ref) => fact.carriers.died.includes(ref)));
    return found || died ? [{ n, of: facts.length, shape: "none", raw: false, ...found, died }] : [];
  });
}

// One mark for refs that are drawn as one: the text says more than that the passage stood raw at another step.
function factMarkOf(marks, refs, at) {
  const now = refs.map((ref) => lastChange(marks[ref] ?? [], at)).filter((change) => change?.[1]);
  const written = now.filter(([, mark]) => FACT_SAID.includes(mark)).sort((a, b) => FACT_SAID.indexOf(b[1]) - FACT_SAID.indexOf(a[1]))[0];
  const others = now.filter(([, mark]) => !FACT_SAID.includes(mark)).map(([, mark]) => mark);
  const raw = others.includes("raw");
  if (raw && written?.[0] !== at) return { shape: "raw" };
  if (written) return { shape: written[1], raw };
  return others.length ? { shape: others[0] } : null;
}

// The last change at or before a step; undefined before the first.
function lastChange(changes, at) {
  let [low, high] = [0, changes.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (changes[middle][0] <= at) low = middle + 1;
    else high = middle;
  }
  return changes[low - 1];
}

// The marks in words, for a title and for people who do not see them.
export function factWords(marks) {
  return marks.map(({ n, of, shape, raw, died }) => {
    const words = [raw && "read raw at this step", FACT_WORDS[shape], died && "here its fate was decided"].filter(Boolean).join("; ");
    return `${of > 1 ? `fact ${n + 1}` : "the fact"}: ${words}`;
  }).join(" · ");
}

// What to compare, to see whether marks have changed.
export const factKey = (marks) => marks.map(({ n, shape, raw, died }) => `${n}${shape}${raw ? "r" : ""}${died ? "d" : ""}`).join(",");

// What the upper of two connected things says of the first fact that the lower one says: "carried", "altered", "unclear" or "lost"; ""
// if there is none.
export function factPath(lower, upper) {
  const says = ({ shape }) => shape !== "none" && shape !== "left out" && shape !== "lost";
  const above = lower.filter(says).flatMap(({ n }) => upper.filter((mark) => mark.n === n && (says(mark) || mark.shape === "lost")))[0];
  return above ? (above.shape === "raw" ? "carried" : above.shape) : "";
}
