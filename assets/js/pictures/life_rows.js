// The life of every sentence of a memory, as rows of data: where it was in memory, what happened to it, its words at a step. Pure: no
// page.

export const MOST_ROWS = 240;

// What is marked on a row, by how a version came about.
const MARKED = { new: "came", split: "changed", reworded: "changed", merged: "changed", restored: "back", uncertain: "unsure" };

// The runs of memories, [first, last], that contain a sentence.
export function stays(picture, lane) {
  const { v: versions, gone } = picture.lanes[lane];
  const last = picture.memories.length - 1;
  const ends = gone.map(([at]) => at);
  const starts = [versions[0][0], ...ends.map((end) => versions.find(([at]) => at > end)?.[0] ?? last + 1)];
  return starts.map((start, n) => [start, (ends[n] ?? last + 1) - 1]).filter(([start]) => start <= last);
}

// A row for each sentence, in the order in which they came; of very many those that lived longest.
export function lifeRows(picture, most = MOST_ROWS) {
  const rows = picture.lanes.map(({ v: versions, gone }, lane) => ({
    lane,
    first: versions[0][0],
    stays: stays(picture, lane),
    marks: [
      ...versions.flatMap(([at, , how]) => (MARKED[picture.hows[how]] ? [{ at, kind: MARKED[picture.hows[how]] }] : [])),
      ...gone.map(([at, into]) => ({ at, kind: into < 0 ? "lost" : "changed" })),
    ],
  }));
  const long = ({ stays: runs }) => runs.reduce((sum, [from, to]) => sum + to - from + 1, 0);
  const kept = new Set(rows.toSorted((a, b) => long(b) - long(a) || a.lane - b.lane).slice(0, most).map(({ lane }) => lane));
  return rows.filter(({ lane }) => kept.has(lane)).sort((a, b) => a.first - b.first || a.lane - b.lane);
}

// The words of a sentence in memory `number`, or last before it.
export function wordsIn(picture, lane, number) {
  const { v: versions } = picture.lanes[lane];
  return picture.texts[(versions.findLast(([at]) => at <= number) ?? versions[0])[1]];
}
