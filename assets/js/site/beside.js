// What a site's comparison is made of, from its address and the list of readings. Pure: no page.

const LONGEST = 40; // characters of an id that is not there

// The readings that the address names, each once: those of the list, and the names of those that are not in it.
export function named(words, readings) {
  const ids = [...new Set((words ?? "").split(",").map((id) => id.trim()).filter(Boolean))];
  const found = new Map(readings.map((one) => [one.id, one]));
  return { chosen: ids.filter((id) => found.has(id)).map((id) => found.get(id)), missing: ids.filter((id) => !found.has(id)).map((id) => (id.length > LONGEST ? `${id.slice(0, LONGEST)}…` : id)) };
}

// The two that are in the players, as numbers from 0: the first two, unless the address names others ("1,3").
export function pairNamed(words, count) {
  const found = /^([1-9]\d?),([1-9]\d?)$/.exec(words ?? "");
  const [one, other] = found ? [Number(found[1]) - 1, Number(found[2]) - 1] : [0, 1];
  return one !== other && Math.max(one, other) < count ? [one, other] : [0, 1];
}

// What all of them end with after a dot, such as the model; empty if there is nothing, or for one reading alone.
export function sharedEnd(readings) {
  const ends = new Set(readings.map(({ way }) => (way.includes(" · ") ? way.slice(way.lastIndexOf(" · ")) : "")));
  return readings.length > 1 && ends.size === 1 ? [...ends][0] : "";
}

// What a reading is called.
export const nameOf = ({ way, changed }) => (changed ? `${way}, changed` : way);

// The readings that may be added, those of the same question as a chosen one first; of the others those that have all the words.
export function offered({ readings, questions }, chosen, words) {
  const sought = words.toLowerCase().split(/\s+/).filter(Boolean);
  const asked = new Set(chosen.map(({ question }) => question));
  const has = (one) => {
    const { question, text } = questions[one.question];
    const said = `${question} ${text} ${nameOf(one)} ${one.changed} ${one.chip[1]}`.toLowerCase();
    return sought.every((word) => said.includes(word));
  };
  const left = readings.filter((one) => !chosen.includes(one) && has(one));
  return [...left.filter(({ question }) => asked.has(question)), ...left.filter(({ question }) => !asked.has(question))];
}

// A table of what is said of each reading under titles, [[title, value], ...] each: its rows with the values in the readings' order (null
// where a reading has none). A row differs if those that have a value do not all have the same.
export function tableOf(columns) {
  const titles = [...new Set(columns.flat().map(([title]) => title))];
  const found = columns.map((rows) => new Map(rows));
  return titles.map((title) => {
    const values = found.map((rows) => rows.get(title) ?? null);
    return { title, values, differs: new Set(values.filter((value) => value !== null)).size > 1 };
  });
}

// Where two readings part, which the data of one of them say: told from the first of the two; null if it is not known.
export function partedOf(one, other) {
  const told = one.parted?.[other.frames.run];
  if (told) return told;
  const turned = other.parted?.[one.frames.run];
  return turned ? { ...turned, sides: turned.sides.toReversed(), at: turned.at?.toReversed() ?? null } : null;
}

// The steps (from 0) at which the two players open: those of the address ("7,9"), or where readings by one reader part, or where each
// decided.
export function opensPair(words, both, parted) {
  const found = /^([1-9]\d{0,6}),([1-9]\d{0,6})$/.exec(words ?? "");
  if (found) return [Number(found[1]) - 1, Number(found[2]) - 1];
  return both[0].reader === both[1].reader && parted?.at ? parted.at : both.map(({ at }) => at);
}
