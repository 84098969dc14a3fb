// The memories of a reading, as data: the memory at a step, what was overwritten, older layers, and where words were last in memory.
// Pure: no page.

export const LAYERS_AT_ONCE = 80;

// The memory at a step: its number (-1 if none yet), and whether it was written at this very step.
export function standing(picture, at) {
  const number = picture.here[at] ?? -1;
  return { number, fresh: number >= 0 && picture.snapshots[number].step === at };
}

// The number of the memory with which the model saw what it had looked for, and the step whose memory that was; null for none.
export function recalledBefore(picture, at) {
  const { number, fresh } = standing(picture, at);
  const looked = fresh ? number - 1 : number;
  return { looked, had: picture.snapshots[looked]?.callback?.recalled ?? null };
}

// Where a sentence is that a memory has: "in memory", or in what the reader calls it.
export const inMemory = (picture) => (!picture || picture.called === "memory" ? "in memory" : `in the ${picture.called}`);
export const counted = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;
export const stepOf = (picture, number) => picture.snapshots[number].step + 1;
export const wordsOf = (picture, lane, version) => picture.texts[picture.lanes[lane].v[version][1]];

// Whether a sentence is gone for good: it did not become part of another one, which would show it.
export function isLost(picture, lane, number) {
  return picture.lanes[lane].gone.some(([at, into]) => at === number && into < 0);
}

// What a memory did to a sentence that is not in it as it was: only an overwritten one is lost, the words of others stand elsewhere in it.
export function olderFate(picture, { lane, at: number }) {
  const end = picture.lanes[lane].gone.find(([at]) => at === number);
  return !end ? "reworded" : end[1] >= 0 ? "merged into another" : "overwritten";
}

// What was overwritten in the last `depth` memories up to `from`, the latest first: each under the sentence it stood after (-1: at the
// top), `most` at once. `more`, if not 0, is the number after that of the memory from which back layers are left out.
export function layers(picture, number, { from, depth, most }) {
  const now = new Map(picture.memories[number].map(([lane, version]) => [lane, version]));
  const beside = new Map(); // for a lane that is gone: the lane it stood after
  const seen = new Set();
  const found = [];
  const down = Math.max(0, from - depth + 1);
  let more = 0;
  for (let at = number; at >= down && !more; at--) {
    const rows = picture.over[at];
    for (const [lane, , after] of rows) if (!now.has(lane)) beside.set(lane, after);
    if (at > from) continue;
    for (const [lane, version] of rows) {
      const text = picture.lanes[lane].v[version][1];
      const same = now.has(lane) && picture.lanes[lane].v[now.get(lane)][1] === text;
      if (same || seen.has(`${lane} ${text}`)) continue;
      seen.add(`${lane} ${text}`);
      if (found.length < most) found.push({ lane, version, at, after: anchor(lane, now, beside) });
      else more = at + 1;
    }
  }
  return { found, more };
}

function anchor(lane, now, beside) {
  const passed = new Set();
  while (lane >= 0 && !now.has(lane)) {
    if (passed.has(lane)) return -1;
    passed.add(lane);
    lane = beside.get(lane) ?? -1;
  }
  return lane;
}

// The lane that holds a sentence in a memory: its own, or the one that it was merged into.
export function laneIn(picture, lane, number) {
  const last = picture.lanes[lane].gone.findLast(([at]) => at <= number);
  const back = last && picture.lanes[lane].v.some(([at]) => at > last[0] && at <= number);
  return last && last[1] >= 0 && !back ? laneIn(picture, last[1], number) : lane;
}

const plain = (words) => words.toLowerCase().replace(/\s+/g, " ");

// Every memory as plain words, to be searched.
export function plainMemories(picture) {
  return picture.memories.map((rows) => plain(rows.map(([lane, version]) => wordsOf(picture, lane, version)).join(" ")));
}

// The runs of memories, [first, last], that contain a phrase, whatever its case and spaces.
export function runsWith(phrase, memories) {
  const wanted = plain(phrase);
  const runs = [];
  memories.forEach((words, n) => {
    if (!words.includes(wanted)) return;
    if (runs.at(-1)?.[1] === n - 1) runs.at(-1)[1] = n;
    else runs.push([n, n]);
  });
  return runs;
}

// Where a phrase occurs in the text, whatever its case and line ends; -1 if nowhere, or if the text is not loaded.
export function placeOfPhrase(phrase, whole) {
  const words = phrase.split(/\s+/).map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
  return whole === null ? -1 : whole.search(new RegExp(words.join("\\s+"), "iu"));
}
