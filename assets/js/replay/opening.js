// Where a replay opens: which of its readings, which step, and whether the end is hidden. Pure: no page.

// The number (from 0) of the reading that the address names; the first if it names none that is there.
export function readingNamed(words, count) {
  const number = /^[1-9]\d{0,2}$/.test(words ?? "") ? Number(words) - 1 : 0;
  return number < count ? number : 0;
}

// The step (from 0) that the address names; if it names none, the one at which a reading opens.
export function firstStep(words, otherwise = 0) {
  return /^[1-9]\d{0,6}$/.test(words ?? "") ? Number(words) - 1 : otherwise;
}

// The step at which a reading opens: the first decision, after what was prepared; the first step where steps are to be predicted.
export const opensAt = ({ opens_at: decides = 0, stops }) => ((stops ?? []).some(({ options }) => options) ? 0 : decides);

// Whether the answer is hidden until the last step: unless the address says otherwise, it is.
export const endAtFirst = (words) => ({ hides: words !== "shown", usual: "hidden" });

// What the readings are called, to choose between: by number and reader, and by what tells them apart. None for one reading alone.
export function namesOfReadings(readings) {
  if (readings.length < 2) return [];
  const asks = new Set(readings.map(({ question }) => question)).size > 1;
  return readings.map(({ name, changed, question }, number) => [`${number + 1}. ${name}${changed ? ", changed" : ""}`, ...(asks ? [question] : [])].join(": "));
}
