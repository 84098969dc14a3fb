// The board as data: which group each note lies in, what a change makes of it, and which notes a search finds. Pure.

// The state of Python's data: `group` by the note's id, and the names of the groups in their order.
export function stateOf({ notes, groups }) {
  const group = new Map(notes.map(({ id }) => [id, ""]));
  for (const { name, notes: inside } of groups) for (const id of inside) group.set(id, name);
  return { group, order: groups.map(({ name }) => name) };
}

// Names that differ only in capitals are one group; the known spelling stays.
export function spelled(order, name) {
  const tidy = name.trim().split(/\s+/).join(" ");
  return order.find((known) => known.toLowerCase() === tidy.toLowerCase()) ?? tidy;
}

// The state after a change that the server has not answered yet. An undo waits for the server, which knows what to undo.
export function applied(state, act) {
  const group = new Map(state.group);
  let order = state.order;
  if (act.do === "move") {
    const to = spelled(order, act.to);
    for (const [id] of act.notes) if (group.has(id)) group.set(id, to);
    if (to && !order.includes(to)) order = [...order, to];
  } else if (act.do === "rename") {
    const same = act.from.toLowerCase() === act.to.trim().toLowerCase();
    const to = same ? act.to.trim() : spelled(order, act.to);
    for (const [id, name] of group) if (name === act.from) group.set(id, to);
    order = order.includes(to) ? order.filter((name) => name !== act.from) : order.map((name) => (name === act.from ? to : name));
  } else return state;
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
  const tidy = typed.trim().split(/\s+/).join(" ").toLowerCase();
  if (!tidy) return order.map((name) => ({ name }));
  const begins = order.filter((name) => name.toLowerCase().startsWith(tidy));
  const holds = order.filter((name) => !name.toLowerCase().startsWith(tidy) && name.toLowerCase().includes(tidy));
  const rows = [...begins, ...holds].map((name) => ({ name }));
  return order.some((name) => name.toLowerCase() === tidy) ? rows : [...rows, { name: spelled([], typed), fresh: true }];
}

// The note to go to after some were moved: the next one of the box that is still there, else the one before.
export function following(ids, gone, current) {
  const at = Math.max(0, ids.indexOf(current));
  return [...ids.slice(at), ...ids.slice(0, at).reverse()].find((id) => !gone.has(id)) ?? "";
}

// How much is on the board, in words.
export function howMuch({ notes, groups, loose, selected }) {
  const counted = (n, thing) => `${n.toLocaleString("en")} ${thing}${n === 1 ? "" : "s"}`;
  return [selected ? `${selected.toLocaleString("en")} selected` : "", counted(notes, "note"), counted(groups, "group"), `${loose.toLocaleString("en")} without a group`].filter(Boolean).join(" · ");
}

// Where a box of this size opens so that it covers nothing but what it is about: below it, and inside the board. All in pixels, `about`
// and `board` from the window's corner, the result from the board's.
export function opensAt(about, board, { width, height }) {
  const within = (at, most) => Math.max(0, Math.min(at, most));
  return { left: within(about.left - board.left, board.width - width), top: within(about.bottom - board.top, board.height - height) };
}
