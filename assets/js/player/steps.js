// Steps of a reading, as data: what holds at a step, which step stood at a place, which steps contain given words. Pure: no page.

// The last change at or before a step. `changes` are [step, state] in order of steps; undefined before the first one.
export function stateAt(changes, at) {
  let low = 0;
  let high = changes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (changes[middle][0] <= at) low = middle + 1;
    else high = middle;
  }
  return low ? changes[low - 1][1] : undefined;
}

// The mark of step `n` while step `at` is shown: what happened later is plain, unless the end is shown.
export function markAt(steps, n, at, ends) {
  return n <= at || ends ? steps[n].mark : "look";
}

export function phaseAt(phases, at) {
  return phases.findLast((phase) => phase.from <= at);
}

// The first step of the next phase; undefined in the last one.
export function phaseAfter(phases, at) {
  return phases.find(({ from }) => from > at)?.from;
}

// The first step of the phase that a step belongs to or, there already, of the phase before; undefined at the very first.
export function phaseBefore(phases, at) {
  return phases.findLast(({ from }) => from < at)?.from;
}

// The next step at which one of several options was chosen; undefined if there is none. A reader that is never offered any decides
// at every step what it writes.
export function decisionAfter(steps, at) {
  const offered = (step) => step.decision?.options.length;
  const found = steps.findIndex((step, n) => n > at && (offered(step) || !steps.some(offered)));
  return found < 0 ? undefined : found;
}

// The line of the algorithm at which a step stands: the last that it ran; undefined if it ran none.
export const lineAt = (step) => step?.ran?.at(-1)?.[0];

// The next step that ran a line of the algorithm, from the first step on again if none is later; undefined if there is none.
export function nextRunOf(steps, line, at) {
  const runs = steps.flatMap(({ ran = [] }, n) => (ran.some(([number]) => number === line) ? [n] : []));
  return runs.find((n) => n > at) ?? runs[0];
}

// Of the steps that visited something, the nearest to a step; the earlier of two that are equally near.
export function nearestVisit(visits, at) {
  return visits.toSorted((a, b) => Math.abs(a - at) - Math.abs(b - at))[0];
}

// The step that opened the text at `offset`, and whether it read it raw; null if none did. Raw comes before anything else, then the
// smallest passage, then the step nearest to `at`.
export function stepAtPlace(steps, offset, at) {
  const there = steps.map((step, n) => ({ step: n, size: sizeAround(step, offset), raw: Boolean(step.raw) })).filter(({ size }) => size);
  const raw = there.filter((found) => found.raw);
  const best = (raw.length ? raw : there).sort((a, b) => a.size - b.size || Math.abs(a.step - at) - Math.abs(b.step - at))[0];
  return best ? { step: best.step, raw: best.raw } : null;
}

// The length of the passage around `offset` that a step opened; 0 if it opened none there.
function sizeAround(step, offset) {
  const found = step.focus.find(([start, end]) => start <= offset && offset < end);
  return found ? found[1] - found[0] : 0;
}

// The numbers of the steps that contain the words typed, in any case; all of them if nothing was typed. With `until`, none after it.
export function stepsWith(typed, steps, texts, until = Infinity) {
  const words = typed.trim().toLowerCase();
  return steps.slice(0, until + 1).flatMap((step, n) => (!words || searchable(step, texts).includes(words) ? [n] : []));
}

// What is searched of a step: its sentence, place and reasons, and the name and text of every option. Kept with the step.
function searchable(step, texts) {
  if (step.searchable === undefined) {
    const options = step.decision?.options.flatMap(({ name, ref }) => [name, texts[ref] ?? ""]) ?? [];
    const notes = step.decision?.notes.map(({ text }) => text) ?? [];
    step.searchable = [step.say, step.where, ...step.reasons, ...options, ...notes].join("\n").toLowerCase();
  }
  return step.searchable;
}
