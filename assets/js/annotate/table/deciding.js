// What keys decide on the table: sides taken whole or by item, which item is current, and what is left. The values that a key stands for
// come from Python (`takes`); every decision goes into the outbox. Not here: the page (table.js).
import { currentValue } from "../fields.js";

// `data()` is the last data from Python.
export function createDeciding({ outbox, data }) {
  let current = ""; // the name of an item; empty: the whole reading

  const items = () => data().items;
  const item = (name = current) => items().find((one) => one.name === name);
  const value = (name) => currentValue(outbox, name);
  const left = () => items().filter((one) => one.differs && !value(one.name));

  function put(name, wanted, group = "") {
    if (same(value(name), wanted)) return;
    outbox.put({ id: name, kind: "decision", target: item(name).target, value: wanted }, 0, group);
  }

  // Take what a key stands for, in the current item or in all of them; how many items that decided.
  function take(key) {
    const offered = data().takes[key] ?? {};
    const names = (current ? [current] : items().map(({ name }) => name)).filter((name) => offered[name]);
    const group = `${key}.${Date.now()}`;
    for (const name of names) put(name, offered[name], group);
    if (current && names.length) advance();
    return names.length;
  }

  // Decide an item for a value that may be nobody's.
  function choose(name, wanted) {
    if (item(name)) put(name, wanted);
  }

  // Add a code to the decision on a step, or take it out again. The first one begins a set.
  function toggleCode(name, code) {
    const codes = value(name)?.codes ?? [];
    choose(name, { codes: codes.includes(code) ? codes.filter((one) => one !== code) : [...codes, code].toSorted(byCharacter) });
  }

  function withdraw(name = current) {
    if (name && value(name)) outbox.remove(name);
  }

  // To the next item with something to decide, else back to the whole reading.
  function advance() {
    const names = items().map(({ name }) => name);
    const open = left().map(({ name }) => name);
    const at = names.indexOf(current);
    current = [...names.slice(at + 1), ...names.slice(0, at)].find((name) => open.includes(name)) ?? "";
  }

  // Up and down through the items; before the first and after the last is the whole reading.
  function move(by) {
    const names = ["", ...items().map(({ name }) => name)];
    current = names[(Math.max(0, names.indexOf(current)) + by + names.length) % names.length];
  }

  // The steps that the current item is about, else those of all items, each once and in order.
  function steps() {
    const about = current ? [item()] : items();
    const found = about.flatMap((one) => [one?.step, ...(one?.sides ?? []).map(({ step }) => step)]).filter(Boolean);
    return [...new Set(found)].toSorted((a, b) => a - b);
  }

  return {
    take, choose, toggleCode, withdraw, move, steps, left, value, item,
    current: () => (item() ? current : ""),
    go: (name) => (current = item(name) ? name : ""),
  };
}

export const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
const byCharacter = (a, b) => (a < b ? -1 : Number(a > b)); // the order in which Python sorts them

// The sides of an item by what they gave, each with its key: annotators who gave the same stand together, in the order of their keys.
export function byValue({ name, sides }, { annotators, takes }) {
  const found = new Map();
  for (const side of sides) {
    const key = String(annotators.indexOf(side.name) + 1);
    const given = JSON.stringify(takes[key]?.[name] ?? [side.name]); // whoever has no key stands alone
    found.set(given, [...(found.get(given) ?? []), { ...side, key }]);
  }
  return [...found.values()];
}
