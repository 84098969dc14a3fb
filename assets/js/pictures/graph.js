// A picture that is a graph: nodes at fixed places and a numbered walk over them, drawn with vis-network; also as a table, with a card
// for one node and a search for nodes. Its data is made by components/player/graph_layout.py; how it looks and what it is called is
// its style: a tree's (graph_marks.js) or a net's (net_marks.js).
import { el, inks, reveal } from "../player/dom.js";
import { holdsKnown } from "../player/places.js";
import { nearestVisit, stateAt } from "../player/steps.js";
import { showTermed } from "../player/terms.js";
import { drawFactBadges, factKeyLine } from "./fact_badges.js";
import { factKey, factMarks, factsOf, factWords } from "./fact_marks.js";
import { nodesAbove, nodesWith, unfoldedBy } from "./graph_ids.js";
import { BESIDE, LARGEST, LEGIBLE, reachOf, scaleOnStage, scaleToFit, spreadOf, within } from "./graph_camera.js";
import { FONT } from "./graph_marks.js";
import { LABEL, boundsOf, centreOf, moveTo, newNetwork, tableOf, unstyled } from "./graph_nodes.js";
import { foundNodes, legendKeys } from "./graph_words.js";
import { knownKey, markKnownBoxes } from "./known_mark.js";
import { seen } from "./net_labels.js";
import { createSmallMap } from "./small_map.js";

const UNNAMED = 10; // the width of a node whose name is not shown

export function createGraph(player, style) {
  const caption = el("h2", {});
  const hint = el("span", { class: "hint" });
  const canvas = el("div", { class: "canvas" });
  const map = createSmallMap((place) => network.moveTo({ position: within(place, bounds(), half()), animation: false }));
  const tabular = el("div", { class: "twin", hidden: "", tabindex: 0, role: "region", "aria-label": "The picture as a table" });
  const card = style.createCard(player, { close: () => select(null), select: (id) => goTo(id) });
  const panel = style.createPanel?.(player, { select: (id) => goTo(id) });
  const legend = el("p", { class: "legend" });
  const knownLine = knownKey(style.knownHere);
  const factLine = factKeyLine();
  const found = el("div", { class: "found", hidden: "" });
  const field = el("input", { type: "search", placeholder: style.field, "aria-label": style.field, on: { input: () => find() } });
  const tool = (text, name, act) => el("button", { type: "button", class: "tool", "aria-label": name, title: name, on: { click: act } }, text);
  const twin = tool("Table", "Show the picture as a table", () => asTable(tabular.hidden));
  const tools = el("div", { class: "tools" }, field, tool("−", "Smaller", () => zoom(1 / 1.25)), tool("+", "Larger", () => zoom(1.25)), tool("Whole", "Show the whole picture", () => fit(true)), twin);
  const waiting = el("p", { class: "none" });
  const later = el("p", { class: "none later", hidden: "", text: "Nothing has been drawn yet at this step." });
  const node = el("section", { class: "card pane graph-pane", "aria-label": "The reader's picture" },
    el("div", { class: "head" }, caption, hint), el("div", { class: "stage" }, canvas, map.node, waiting, later), tabular, el("div", { class: "foot" }, tools, found, legend, panel?.node, card.node));
  let network = null;
  let nodes = null;
  let byId = new Map();
  let walk = [];
  let selected = null;
  let unfolding = null; // a node to show once Python has unfolded its parents
  let opened = [];
  let followed = -1;
  let painted = new Map();
  let scale = null; // chosen by the person, or null
  let rows = new Map();
  let larger = false; // than the panel
  let walking = null; // whether the nodes are at their places of the walk

  const picture = () => player.frames.picture;

  function load() {
    const current = picture();
    waiting.hidden = Boolean(current?.nodes.length);
    waiting.textContent = player.frames.live ? "The picture will grow here as the reading proceeds." : style.empty;
    tools.hidden = canvas.hidden = !current?.nodes.length;
    if (!current) return;
    node.classList.toggle("segments", "shown" in current.meanings);
    byId = new Map(current.nodes.map((each) => [each.id, { ...each, net: [each.x, each.y] }]));
    walking = null;
    walk = current.edges.filter((edge) => edge.label);
    painted = new Map();
    if (!network) start();
    nodes.clear();
    nodes.add(current.nodes.map((each) => unstyled(each, style.words(each, current))));
    legend.replaceChildren(...legendKeys(current, player), knownLine, factLine, current.note ? el("span", { class: "of-words", text: current.note }) : "");
    tabulate();
    requestAnimationFrame(() => {
      fit();
      if (byId.has(unfolding)) select(unfolding);
    });
  }

  function start() {
    nodes = new player.vis.DataSet();
    network = newNetwork(player.vis, canvas, nodes);
    network.on("click", (event) => press(event.nodes[0] ?? null));
    network.on("hoverNode", () => (canvas.style.cursor = "pointer"));
    network.on("blurNode", () => (canvas.style.cursor = ""));
    canvas.addEventListener("mousemove", ({ offsetX, offsetY }) => {
      const words = style.wordsAt?.(network.DOMtoCanvas({ x: offsetX, y: offsetY }), byId, picture()?.edges ?? [], player.at) ?? "";
      if (canvas.title !== words) canvas.title = words;
    });
    network.on("beforeDrawing", (context) => style.drawUnder(context, byId, picture().edges, player.at, { ink: inks(player.root), view: view(BESIDE) }));
    network.on("afterDrawing", (context) => {
      const ink = inks(player.root);
      style.drawOver(context, byId, walk, player.at, { ink, view: view(BESIDE), here: here(), selected, picture: picture() });
      const drawn = [...byId.values()].filter((each) => seen(each, player.at));
      markKnownBoxes(context, drawn, { known: player.known, spansOf, half: style.half, ink });
      for (const each of drawn) if (each.facts?.length) drawFactBadges(context, each.facts, { ...style.factsAt(each), ink, font: FONT });
      const colourOf = (each) => style.look(each, stateAt(each.changes, player.at), false, ink).color.border;
      map.draw(drawn, { bounds: bounds(), view: view(), here: here(), colourOf, ink });
    });
  }

  // Half of what is in view, each way, and what is in view with so much beside it.
  const size = () => ({ x: canvas.clientWidth, y: canvas.clientHeight });
  const half = () => ({ x: size().x / 2 / network.getScale(), y: size().y / 2 / network.getScale() });
  function view(beside = 0) {
    const [middle, { x, y }] = [network.getViewPosition(), half()];
    return { left: middle.x - x - beside, right: middle.x + x + beside, top: middle.y - y, bottom: middle.y + y };
  }

  // Once a walk begins that has places of its own, the nodes go there, and what has none is away. Whether anything moved.
  function settle(at) {
    const { walks_from: from = null } = picture();
    const now = from !== null && at >= from;
    if (now === walking) return false;
    walking = now;
    painted = new Map();
    for (const each of byId.values()) moveTo(each, now);
    return true;
  }

  // The places in the text that a node stands for.
  const spansOf = (each) => picture().cards?.[each.id]?.spans ?? [each.span];

  function here() {
    return picture()?.here[player.at] ?? null;
  }

  function draw(at) {
    if (!picture()) return;
    const ink = inks(player.root);
    const moved = settle(at);
    const facts = factsOf(player);
    head(at);
    const changed = [];
    for (const edge of picture().edges) edge.facts = edge.refs ? factMarks(facts, edge.refs, at, player.ends()) : [];
    for (const each of byId.values()) {
      const state = stateAt(each.changes, at) ?? "hidden";
      const named = player.ends() || state !== "unseen" || style.namesAll; // a name would tell where the walk will come
      each.drawn = named ? each.width : Math.min(each.width, UNNAMED);
      each.facts = factMarks(facts, each.refs ?? [], at, player.ends());
      const key = `${state}${each.id === here() ? " here" : ""}${named ? "" : " unnamed"} ${factKey(each.facts)}${holdsKnown(player.known, spansOf(each)) ? " known" : ""}`;
      if (painted.get(each.id) === key) continue;
      painted.set(each.id, key);
      const widthConstraint = { minimum: each.drawn, maximum: each.drawn }; // the room for a name would tell where the walk will come, too
      changed.push({ id: each.id, label: named || each.kind !== "node" ? each.label : "", widthConstraint, ...style.look(each, state, each.id === here(), ink) });
      row(each, state);
    }
    later.hidden = !byId.size || [...painted.values()].some((key) => !key.startsWith("hidden"));
    knownLine.hidden = ![...painted.values()].some((key) => !key.startsWith("hidden") && key.endsWith(" known"));
    factLine.hidden = ![...byId.values(), ...picture().edges].some((each) => each.facts?.length && seen(each, at));
    if (moved) for (const each of changed) Object.assign(each, { x: byId.get(each.id).x, y: byId.get(each.id).y });
    if (changed.length) nodes.update(changed);
    else network.redraw();
    for (const [id, line] of rows) line.toggleAttribute("aria-current", id === here());
    if (at !== followed) reveal(tabular, rows.get(here()));
    panel?.draw(at);
    if (selected) card.draw(selected, stateAt(byId.get(selected)?.changes ?? [], at));
    if (moved) fit();
    if (at !== followed) follow();
    followed = at;
  }

  // The camera: the whole graph if it stays legible, else the current node in view.
  function fit(whole = false) {
    if (!byId.size || !canvas.clientWidth) return;
    map.node.hidden = true;
    sized();
    let box = bounds();
    let most = scaleToFit(box, size());
    if (whole) scale = Math.min(LARGEST, most);
    const rows = () => (walking ? size().y / (box.bottom - box.top) : undefined);
    const scaled = () => (player.staged ? scaleOnStage(most, lettersOnStage(), rows()) : (scale ?? Math.min(LARGEST, Math.max(LEGIBLE, most))));
    if (most < scaled()) {
      map.node.hidden = false; // it takes some of the panel's height
      sized();
      box = bounds();
      most = scaleToFit(box, size());
    }
    const chosen = scaled();
    const current = player.staged && byId.get(here()); // on Stage it starts around the current node
    const net = !walking && picture().walk_caption && most < chosen; // the middle of a net is where most of its nodes are
    const middle = current ? { x: current.x, y: current.y } : net ? centreOf([...byId.values()]) : { x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 };
    network.moveTo({ position: middle, scale: chosen, animation: false });
    byId.has(selected) ? reach(byId.get(selected)) : follow();
    larger = !whole && most < chosen;
    head(player.at);
  }

  const lettersOnStage = () => parseFloat(getComputedStyle(player.root).fontSize) / LABEL; // as large as the other words

  // What is drawn at a step; of the walk, nothing is said before it begins.
  function head(at) {
    const { caption: words, walk_caption: walkWords, hint: order } = picture();
    const begun = walkWords ? walking : at >= player.frames.building;
    showTermed(caption, player.frames, (begun ? walkWords : style.builds) || words);
    hint.textContent = [larger && "drag for the rest", begun && order].filter(Boolean).join(" · ");
  }

  // The panel has another size now.
  function sized() {
    network.setSize("100%", "100%");
    network.redraw();
    if (style.fills) fill();
  }

  // Draw the nodes apart until they fill the panel.
  function fill() {
    const all = [...byId.values()];
    for (const each of all) Object.assign(each, (each.laidOut ??= { x: each.x, y: each.y }));
    const by = spreadOf(all, bounds(), size(), player.staged ? lettersOnStage() : LARGEST);
    for (const each of all) Object.assign(each, { x: each.x * by.x, y: each.y * by.y });
    nodes.update(all.map(({ id, x, y }) => ({ id, x, y })));
  }

  function zoom(by) {
    scale = network.getScale() * by;
    fit();
  }

  const bounds = () => boundsOf([...byId.values()], walking ? (picture().heads ?? []) : []);

  function follow() {
    const each = byId.get(here());
    if (each && network) reach(each);
  }

  // Move just enough to show a node with its surroundings and, where there is room, its parent.
  function reach(each) {
    const at = network.getViewPosition();
    const aim = reachOf(each, byId.get(picture().parents?.[each.id]), { at, box: bounds(), half: half() });
    if (Math.abs(aim.x - at.x) + Math.abs(aim.y - at.y) > 1) network.moveTo({ position: aim, animation: false });
  }

  function press(id) {
    const each = byId.get(id);
    if (each?.kind === "stub") open(unfoldedBy(id, picture().parents));
    else select(id);
  }

  // Python folds and lays out the graph; ask it to open these nodes.
  function open(...ids) {
    opened = [...new Set([...opened, ...ids])];
    player.want({ open: opened });
  }

  // Show a node's card, and go to the step that visited it; if none did, the text shows its place.
  function select(id) {
    selected = id;
    unfolding = null;
    const each = byId.get(id);
    if (!each) return card.hide();
    const visit = nearestVisit(each.visits, player.at);
    if (visit !== undefined && visit !== player.at) player.go(visit);
    else if (visit === undefined && each.span) player.show(each.span[0]);
    card.draw(id, stateAt(each.changes, player.at));
    if (canvas.parentElement.hidden) return;
    reach(each);
    network.redraw();
  }

  function find() {
    found.hidden = !field.value.trim();
    found.replaceChildren(...foundNodes(nodesWith(field.value, picture()), picture().names, style, goTo));
  }

  // Select a node; a folded one is unfolded first.
  function goTo(id) {
    if (byId.has(id) && byId.get(id).kind !== "dot") return select(id);
    const above = nodesAbove(id, picture().parents);
    unfolding = id;
    open(...(above.length ? above : [id]));
  }

  function asTable(on) {
    tabular.hidden = !on;
    canvas.parentElement.hidden = on;
    twin.textContent = on ? "Picture" : "Table";
    twin.setAttribute("aria-label", on ? "Show the table as a picture" : "Show the picture as a table");
    if (on) reveal(tabular, rows.get(here()));
    else fit();
  }

  function tabulate() {
    const made = tableOf([...byId.values()], style, { press: (id) => press(id), picture: picture() });
    rows = made.rows;
    tabular.replaceChildren(made.table);
  }

  function row(each, state) {
    const line = rows.get(each.id);
    if (!line) return;
    line.hidden = state === "hidden";
    const numbers = walk.filter((edge) => edge.to === each.id && edge.kind !== "back" && stateAt(edge.changes, player.at)).map((edge) => edge.label);
    const words = each.id === here() ? "here, now" : (picture().meanings[state] ?? { answer: "the answer is from here" }[state] ?? "");
    const known = holdsKnown(player.known, spansOf(each)) ? `◇ ${style.knownHere}` : "";
    const fact = factWords(each.facts);
    line.children[1].textContent = [words, known, fact, numbers.length ? `move ${numbers.join(", ")}` : ""].filter(Boolean).join(" · ");
  }

  return { node, load, draw, fit, destroy: () => network?.destroy() };
}
