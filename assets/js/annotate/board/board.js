// Entry point: Streamlit calls it to mount the board of a project, and again with new data. The keyboard comes first; dragging does the
// same. Every string comes from people and is put on the page as text.
import { el, reveal } from "../../player/dom.js";
import { joinKeys, keyRowsDrawn } from "../../player/keymap.js";
import { createActs, storage } from "../../player/outbox.js";
import { whenUnmounted } from "../../player/unmounted.js";
import { applied, boxes, following, howMuch, stateOf } from "./model.js";
import { createNames } from "./names.js";
import { groupBox, noteItem } from "./parts.js";

const WHOSE = "palimpsest.board.whose";
const device = storage("localStorage");
const mountedBoards = new WeakMap();

export default function (component) {
  const { data, parentElement, setStateValue } = component;
  let board = mountedBoards.get(parentElement);
  if (!board) {
    board = createBoard(parentElement.querySelector(".board"), data, (acts) => board.tell("acts", acts));
    mountedBoards.set(parentElement, board);
  }
  board.tell = setStateValue;
  board.receive(data);
  return whenUnmounted(parentElement, () => {
    mountedBoards.delete(parentElement);
    board.destroy();
  });
}

function createBoard(root, first, send) {
  const outbox = createActs({ send, name: `palimpsest.board.${first.project}`, survives: ({ do: what }) => what === "move" || what === "rename" }); // an undo could undo too much
  const items = new Map(); // the list item of each note, made once
  const selected = new Set();
  let data = first;
  let state = stateOf(first);
  let shown = boxes(state, first.notes);
  let current = "";
  let again = ""; // the group that was used last
  let drawnAs = "";
  let naming = () => {};

  const names = createNames({ chosen: (name) => naming(name), closed: () => focusCurrent() });
  const find = el("input", { type: "search", class: "find", placeholder: "Find notes by their words", "aria-label": "Find notes by their words", on: { input: () => draw() } });
  const whose = el("button", { type: "button", class: "tool", "data-key": "w", on: { click: () => showWhose(!root.classList.contains("whose")) } });
  const undo = tool("Undo", "u", () => undoLast());
  const group = tool("Group", "g", () => askGroup());
  const help = el("section", { class: "help", hidden: "", "aria-label": "Keys" });
  const counts = el("p", { class: "counts", "aria-live": "polite" });
  const legend = el("ul", { class: "legend", "aria-label": "Whose note is whose" });
  const message = el("p", { class: "message", role: "status" });
  const tray = el("section", { class: "box tray" });
  const grid = el("div", { class: "grid" });
  const fresh = el("div", { class: "fresh", text: "Drop notes here for a new group" });
  const keys = tool("Keys", "?", () => showKeys());
  root.replaceChildren(el("div", { class: "head" }, find, group, undo, whose, keys, counts), legend, message, help, names.node, el("div", { class: "boxes" }, tray, grid));
  dropsOn(fresh, () => askGroup());

  function tool(label, key, act) {
    return el("button", { type: "button", class: "tool", "data-key": key, on: { click: act } }, el("span", { text: label }), el("kbd", { text: key, "aria-hidden": "true" }));
  }

  // Drawing

  function receive(given) {
    data = given;
    outbox.done(data.n);
    state = outbox.waiting().reduce(applied, stateOf(data));
    message.textContent = data.message;
    undo.disabled = !data.undo && !outbox.waiting().length;
    for (const id of selected) if (!state.group.has(id)) selected.delete(id);
    const colours = new Map(data.people.map((name, n) => [name, n % 7]));
    legend.replaceChildren(...data.people.map((name) => el("li", { class: `by-${colours.get(name)}`, text: name })));
    for (const note of data.notes) if (!items.has(note.id)) items.set(note.id, noteItem(note, colours.get(note.by), { point: pick, select: toggle, drag: startDrag }));
    draw();
  }

  function draw() {
    shown = boxes(state, data.notes, find.value);
    const boxesNow = [...shown].map(([name, notes]) => [name, notes.map(({ id }) => id)]);
    if (!state.group.has(current) || !boxesNow.some(([, ids]) => ids.includes(current))) current = boxesNow.find(([, ids]) => ids.length)?.[1][0] ?? "";
    const as = JSON.stringify([boxesNow, data.groups.map(({ code }) => code), data.codes]);
    if (as !== drawnAs) {
      drawnAs = as;
      const places = new Map([...root.querySelectorAll(".box")].map((box) => [box.dataset.name, box.querySelector("ul")?.scrollTop ?? 0]));
      fill(tray, "", boxesNow[0][1], 0);
      grid.replaceChildren(...boxesNow.slice(1).map(([name, ids], n) => fill(el("section", { class: "box" }), name, ids, n + 1)), fresh);
      for (const box of root.querySelectorAll(".box")) box.querySelector("ul").scrollTop = places.get(box.dataset.name) ?? 0;
    }
    mark();
  }

  function fill(box, name, ids, number) {
    box.dataset.name = name;
    const every = [...state.group.values()].filter((one) => one === name).length;
    const code = data.groups.find((group) => group.name === name)?.code ?? "";
    const makeCode = data.codes && number && !code ? () => toCode(name) : null;
    groupBox(box, { name, number, count: every, shown: ids.length, code, makeCode, rename: () => askName(name) }, ids.map((id) => items.get(id).node));
    dropsOn(box, () => moveTo(name), name);
    return box;
  }

  function mark() {
    for (const [id, { node, box }] of items) {
      node.classList.toggle("here", id === current);
      if (id === current) node.setAttribute("aria-current", "true");
      else node.removeAttribute("aria-current");
      node.tabIndex = id === current ? 0 : -1;
      if (box.checked !== selected.has(id)) box.checked = selected.has(id);
      node.classList.toggle("selected", selected.has(id));
    }
    const loose = [...state.group.values()].filter((name) => !name).length;
    counts.textContent = howMuch({ notes: data.notes.length, groups: state.order.length, loose, selected: selected.size });
  }

  function focusCurrent() {
    const node = items.get(current)?.node;
    if (!node) return;
    node.focus({ preventScroll: true });
    reveal(node.parentElement, node);
    node.closest(".box")?.scrollIntoView({ block: "nearest" });
  }

  function showWhose(on) {
    root.classList.toggle("whose", on);
    whose.replaceChildren(el("span", { text: on ? "Hide whose" : "Show whose" }), el("kbd", { text: "w", "aria-hidden": "true" }));
    whose.setAttribute("aria-pressed", String(on));
    device.set(WHOSE, on ? "1" : "0");
  }

  // Going about

  const lists = () => [...shown].map(([name, notes]) => [name, notes.map(({ id }) => id)]).filter(([, ids]) => ids.length);
  const listOf = (id) => lists().find(([, ids]) => ids.includes(id))?.[1] ?? [];

  function pick(id) {
    current = id;
    mark();
  }
  function step(by) {
    const ids = listOf(current);
    if (!ids.length) return;
    pick(ids[Math.min(ids.length - 1, Math.max(0, ids.indexOf(current) + by))]);
    focusCurrent();
  }
  function stepBox(by) {
    const all = lists();
    const at = all.findIndex(([, ids]) => ids.includes(current));
    if (at < 0) return;
    pick(all[(at + by + all.length) % all.length][1][0]);
    focusCurrent();
  }
  function toggle(id = current) {
    if (!selected.delete(id) && id) selected.add(id);
    mark();
  }
  function toggleBox() {
    const ids = listOf(current);
    const all = ids.every((id) => selected.has(id));
    for (const id of ids) all ? selected.delete(id) : selected.add(id);
    mark();
  }

  // Changing

  const targets = () => (selected.size ? [...selected] : current ? [current] : []);

  function moveTo(name) {
    const ids = targets().filter((id) => state.group.get(id) !== name);
    if (!ids.length) return;
    const before = listOf(current);
    change({ do: "move", notes: ids.map((id) => [id, state.group.get(id)]), to: name });
    if (name) again = name;
    selected.clear();
    current = following(before, new Set(ids), current) || current;
    draw();
    focusCurrent();
  }
  function change(act) {
    state = applied(state, act);
    outbox.add(act);
    undo.disabled = false;
  }
  function askGroup() {
    const ids = targets();
    if (!ids.length) return;
    naming = (name) => moveTo(name);
    names.open(state.order, { what: ids.length > 1 ? `Put the ${ids.length} selected notes into` : "Put this note into" });
  }
  function askName(name = state.group.get(current)) {
    if (!name) return;
    naming = (to) => {
      if (to === name) return focusCurrent();
      change({ do: "rename", from: name, to });
      again = to;
      draw();
      focusCurrent();
    };
    names.open(state.order.filter((one) => one !== name), { what: `Rename “${name}”, or merge it into another group`, typed: name, merging: true, beside: headOf(name) });
  }
  const headOf = (name) => [...grid.querySelectorAll(".box")].find((box) => box.dataset.name === name)?.querySelector("header");
  function toCode(name = state.group.get(current)) {
    if (!name || !data.codes || data.groups.find((group) => group.name === name)?.code) return;
    outbox.add({ do: "code", from: name });
  }
  function undoLast() {
    outbox.add({ do: "undo" });
  }

  // Dragging

  function startDrag(id) {
    if (!selected.has(id)) selected.clear();
    if (!selected.size) current = id;
    mark();
  }
  function dropsOn(box, drop) {
    if (box.drops) return (box.drop = drop);
    Object.assign(box, { drops: true, drop });
    box.addEventListener("dragover", (event) => {
      event.preventDefault();
      box.classList.add("over");
    });
    box.addEventListener("dragleave", (event) => !box.contains(event.relatedTarget) && box.classList.remove("over"));
    box.addEventListener("drop", (event) => {
      event.preventDefault();
      box.classList.remove("over");
      box.drop();
    });
    return box;
  }

  // Keys

  function showKeys() {
    help.replaceChildren(keyRowsDrawn(), el("p", { text: "To split a group, select some of its notes, then press g and type a new name." }));
    help.hidden = !help.hidden;
  }
  function leaveFind() {
    find.value = "";
    find.blur();
    draw();
  }

  const key = (keys, does, run) => ({ keys: [keys].flat(), does, run });
  const goes = (...about) => ({ ...key(...about), held: true });
  const inFind = (event) => event.composedPath()[0] === find;
  const boardKeys = [
    goes(["ArrowDown", "j"], "next note", () => step(1)),
    goes(["ArrowUp", "k"], "previous note", () => step(-1)),
    goes("ArrowRight", "next group", () => stepBox(1)),
    goes("ArrowLeft", "previous group", () => stepBox(-1)),
    key(["x", " "], "select this note", () => toggle()),
    key("a", "select all notes of this group that are shown", toggleBox),
    key("g", "put the note, or the selected notes, into a group: type its name", askGroup),
    { ...key([..."123456789"], "into the group with this number", (event) => (state.order[event.key - 1] ? moveTo(state.order[event.key - 1]) : false)), shown: "1 … 9" },
    key(".", "into the group used last", () => void (again && moveTo(again))),
    key("0", "out of its group", () => moveTo("")),
    key("r", "rename this group; an existing name merges the two", () => askName()),
    key("c", "make this group a code of the codebook, with its notes as examples (stage 3)", () => toCode()),
    key("u", "undo your last move or name", () => void (undo.disabled || undoLast())),
    key("/", "find notes by their words", () => find.focus()),
    { keys: ["Escape"], run: leaveFind, when: inFind, always: true },
    { keys: ["Enter"], run: () => find.blur(), when: inFind, always: true },
    key("w", "show or hide whose note is whose", () => whose.click()),
    key("Escape", "clear the selection", () => { selected.clear(); mark(); }),
    key("?", "show or hide these keys", showKeys),
  ];
  const place = joinKeys({ place: "desk", root, keys: () => boardKeys });

  showWhose((device.get(WHOSE) ?? "1") === "1");
  outbox.post();
  return {
    receive,
    destroy: () => {
      place.leave();
      outbox.end();
    },
  };
}
