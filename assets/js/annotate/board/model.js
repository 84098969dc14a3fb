// The board as data: which group each note lies in, what a change makes of it, which notes a search finds, and where a box opens. Pure.

// The state of Python's data: `group` by the note's id, and the names of the groups in their order.
export function stateOf({ notes, groups }) {
  const group = new Map(notes.map(({ id }) => [id, ""]));
  for (const { name, notes: inside } of groups) for (const id of inside) group.set(id, name);
  return { group, order: groups.map(({ name }) => name) };
}

// A name as it is kept: one blank between its words, and none around them.
const tidy = (name) => name.trim().split(/\s+/).join(" ");
const isSame = (one, other) => one.toLowerCase() === other.toLowerCase();

// Names that differ only in capitals are one group; the known spelling stays.
export const spelled = (order, name) => order.find((known) => isSame(known, tidy(name))) ?? tidy(name);

// The state after a change that the server has not answered yet. An undo waits for the server, which knows what to undo.
export function applied(state, act) {
  if (act.do === "move") return moved(state, act);
  return act.do === "rename" ? renamed(state, act) : state;
}

function moved({ group, order }, act) {
  const to = spelled(order, act.to);
  const after = new Map(group);
  for (const [id] of act.notes) if (group.has(id)) after.set(id, to);
  return inUse(after, to && !order.includes(to) ? [...order, to] : order);
}

// A group that gets another's name becomes part of it; one that gets its own in other capitals stays where it is.
function renamed({ group, order }, act) {
  const to = isSame(act.from, tidy(act.to)) ? tidy(act.to) : spelled(order, act.to);
  const after = new Map([...group].map(([id, name]) => [id, name === act.from ? to : name]));
  const isThere = to !== act.from && order.includes(to);
  return inUse(after, isThere ? order.filter((name) => name !== act.from) : order.map((name) => (name === act.from ? to : name)));
}

// Groups without notes are gone.
function inUse(group, order) {
  const used = new Set(group.values());
  return { group, order: order.filter((name) => used.has(name)) };
}

// The notes of each box as it is shown: "" is the tray of notes without a group, and always there.
export function boxes(state, notes, typed = "") {
  const found = new Map(["", ...state.order].map((name) => [name, []]));
  for (const note of notes) if (fits(note, typed)) found.get(state.group.get(note.id) ?? "").push(note);
  return found;
}

// A note fits if it contains every word typed.
export function fits(note, typed) {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const text = words.length ? `${note.words} ${note.by} ${note.place}`.toLowerCase() : "";
  return words.every((word) => text.includes(word));
}

// The groups that a typed name offers: those that begin with it, then those that contain it; last, a new one of this name.
export function offered(order, typed) {
  const name = tidy(typed);
  const sought = name.toLowerCase();
  if (!name) return order.map((known) => ({ name: known }));
  const begins = order.filter((known) => known.toLowerCase().startsWith(sought));
  const contains = order.filter((known) => !begins.includes(known) && known.toLowerCase().includes(sought));
  const rows = [...begins, ...contains].map((known) => ({ name: known }));
  return order.some((known) => isSame(known, name)) ? rows : [...rows, { name, fresh: true }];
}

// The note to go to after some were moved: the next one of the box that is still there, else the one before.
export function following(ids, gone, current) {
  const at = Math.max(0, ids.indexOf(current));
  return [...ids.slice(at), ...ids.slice(0, at).reverse()].find((id) => !gone.has(id)) ?? "";
}

// How much is on the board, in words.
export function howMuch({ notes, groups, loose, selected }) {
  const figure = (n) => n.toLocaleString("en");
  const counted = (n, thing) => `${figure(n)} ${thing}${n === 1 ? "" : "s"}`;
  const all = [counted(notes, "note"), counted(groups, "group"), `${figure(loose)} without a group`];
  return (selected ? [`${figure(selected)} selected`, ...all] : all).join(" · ");
}

// Where a box of this size opens so that it covers nothing but what it is about: below it, and inside the board. All in pixels, `about`
// and `board` from the window's corner, the result from the board's.
export function opensAt(about, board, { width, height }) {
  const within = (at, most) => Math.max(0, Math.min(at, most));
  return { left: within(about.left - board.left, board.width - width), top: within(about.bottom - board.top, board.height - height) };
}
