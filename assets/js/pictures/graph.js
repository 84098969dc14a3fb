// A picture that is a graph: its drawing (graph_canvas.js), also as a table, with a card for one node and a search for nodes. Its data is
// made by components/player/graph_layout.py; how it looks and what it is called is its style: a tree's (graph_marks.js), one of slices
// (slices.js) or a net's (net_marks.js), which has another view of its walk, shown first once the walk begins.
import { html, render, useLayoutEffect, useRef } from "../../vendor/preact.js";
import { el, reveal } from "../player/dom.js";
import { nearestVisit, stateAt } from "../player/steps.js";
import { Termed } from "../player/terms.js";
import { factWords } from "./fact_marks.js";
import { createGraphCanvas } from "./graph_canvas.js";
import { nodesAbove, nodesWith, unfoldedBy } from "./graph_ids.js";
import { seen } from "./graph_nodes.js";

const FOUND_AT_MOST = 12;
const TWIN = { table: ["Table", "Show the picture as a table"], picture: ["Picture", "Show the table as a picture"] };
const VIEWS = { walk: ["Walk", "Show the walk, trial by trial"], picture: ["Net", "Show the net"], table: TWIN.table };

export function createGraph(player, style) {
  const head = el("div", { class: "head" });
  const twin = el("div", { class: "twin", hidden: "", tabindex: 0, role: "region", "aria-label": "The picture as a table" });
  const foot = el("div", { class: "foot" });
  const canvas = createGraphCanvas(player, style, { press, selected: () => selected });
  const route = style.createWalk?.(player, { select: goTo });
  const node = el("section", { class: "card pane graph-pane", "aria-label": "The reader's picture" }, head, canvas.node, route?.node, twin, foot);
  let typed = "";
  let selected = null;
  let unfolding = null; // a node to show once Python has unfolded its parents
  let loading; // the frame in which what was loaded is fitted
  let opened = [];
  let chosen = null; // the view that a person chose, or null

  const picture = () => player.frames.picture;

  function load() {
    canvas.load();
    if (!picture()) return;
    loading = requestAnimationFrame(() => {
      if (!canvas.fits()) fit();
      if (canvas.has(unfolding)) select(unfolding);
    });
  }

  // The walk is no view before it begins.
  function view() {
    const walks = route && player.at >= player.frames.building && picture().bands.length > 0;
    return chosen && (chosen !== "walk" || walks) ? chosen : walks ? "walk" : "picture";
  }

  function draw(at) {
    if (!picture()) return render(null, foot);
    const shown = view();
    node.dataset.view = shown;
    node.classList.toggle("weighing", Object.keys(picture().panels ?? {}).some((step) => (step >= player.frames.building) === (shown === "walk")));
    canvas.node.hidden = shown !== "picture";
    twin.hidden = shown !== "table";
    if (route) route.node.hidden = shown !== "walk";
    canvas.mark(at);
    around(at, shown);
    if (shown === "picture") canvas.draw(at);
    if (shown === "walk") route.draw(at);
  }

  // Everything around the drawing.
  function around(at, shown) {
    const state = { player, style, at, picture: picture(), shown, canvas, select: goTo };
    render(html`<${GraphHead} ...${state} />`, head);
    render(html`<${GraphTable} ...${state} press=${press} />`, twin);
    const tools = html`<${GraphTools} ...${state} type=${(words) => ((typed = words), draw(player.at))} look=${look} fit=${() => (canvas.fit(true), draw(player.at))} />`;
    const found = typed.trim() && picture().nodes.length ? html`<${FoundNodes} ...${state} typed=${typed} />` : "";
    const { Card, Panel } = style;
    const card = canvas.has(selected) && html`<${Card} key=${selected} ...${state} id=${selected} state=${stateAt(canvas.get(selected).changes, at)} close=${() => select(null)} />`;
    render(html`${picture().nodes.length > 0 && tools}${found}${Panel && html`<${Panel} ...${state} />`}${shown !== "walk" && html`<${GraphLegend} ...${state} />`}${card}`, foot);
  }

  function fit() {
    if (!picture()) return;
    if (view() === "picture") canvas.fit();
    draw(player.at);
  }

  function press(id) {
    if (canvas.get(id)?.kind === "stub") open(unfoldedBy(id, picture().parents));
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
    const each = canvas.get(id);
    if (each) {
      const visit = nearestVisit(each.visits, player.at);
      if (visit !== undefined && visit !== player.at) player.go(visit);
      else if (visit === undefined && each.span) player.show(each.span[0]);
    }
    draw(player.at);
    if (view() === "picture") canvas.reach(id);
  }

  // Select a node; a folded one is unfolded first.
  function goTo(id) {
    if (canvas.has(id)) return select(id);
    const above = nodesAbove(id, picture().parents);
    unfolding = id;
    open(...(above.length ? above : [id]));
  }

  function look(name) {
    chosen = name;
    draw(player.at);
    fit();
  }

  return { node, load, draw, fit, light: (mark) => view() === "picture" && canvas.light(mark), destroy: () => (cancelAnimationFrame(loading), canvas.destroy(), [head, twin, foot].forEach((box) => render(null, box))) };
}

const AS_IN_WHOLE_TREE = "numbers: as in the whole tree"; // before parts are grouped, too

// What is shown, and whether there is more of it; of a walk, nothing before it walks.
function GraphHead({ player: { frames }, style, at, picture, shown, canvas }) {
  const { caption, view_caption: before, walk_caption: walk, walk_from: from, hint } = picture;
  const begun = at >= frames.building;
  const words = shown === "walk" ? (from !== null && at >= from ? walk : before) : (!begun && style.builds) || caption;
  return html`<h2><${Termed} frames=${frames} words=${words} /></h2>
    <span class="hint">${[shown === "picture" && canvas.larger() && canvas.nodes().some((each) => seen(each, at)) && "drag for the rest", begun ? hint : style.builds && AS_IN_WHOLE_TREE].filter(Boolean).join(" · ")}</span>${style.Now && html`<${style.Now} at=${at} picture=${picture} />`}`;
}

function GraphTools({ player: { frames: { building: begins } }, style, at, shown, canvas, type, look, fit }) {
  const tool = (text, name, act, pressed, disabled = false) => html`<button type="button" class="tool" key=${text} aria-label=${name} title=${name} aria-pressed=${pressed} disabled=${disabled} onClick=${act}>${text}</button>`;
  const zooms = [["−", "Smaller", () => canvas.zoom(1 / 1.25)], ["+", "Larger", () => canvas.zoom(1.25)], ["Whole", "Show the whole picture", fit]];
  const other = shown === "table" ? "picture" : "table";
  return html`<div class="tools">
    <input type="search" placeholder=${style.field} aria-label=${style.field} onInput=${({ target }) => type(target.value)} />
    ${(shown === "picture" || !style.createWalk) && zooms.map((each) => tool(...each))}
    ${style.createWalk ? Object.entries(VIEWS).map(([name, words]) => tool(...words, () => look(name), shown === name, name === "walk" && at < begins)) : tool(...TWIN[other], () => look(other))}</div>`;
}

// The keys of the legend: of states that have come by this step, and how much there is so far. Those of others keep their room, so that
// the drawing keeps its size, but where the room below it is always the same. What the whole reading has nowhere is marked, unless that
// would tell what comes later.
function GraphLegend({ player, style, at, picture: { here = [], since, meanings, edges, notes = [], counts = [], panels }, canvas }) {
  const nodes = canvas.nodes();
  const facts = [...nodes, ...edges].some((each) => each.facts?.length && seen(each, at));
  const come = (state) => since[state] <= at;
  const drawn = nodes.filter((each) => each.kind === "entity" && seen(each, at)).length;
  const key = ([state, words]) => html`<span key=${state} hidden=${Boolean(panels) && !come(state)} style=${{ visibility: come(state) ? "" : "hidden" }} class=${state in since || !player.ends() ? `of-${state}` : "of-none"}><i class=${`key ${state}`} /><${Termed} frames=${player.frames} words=${words} /></span>`;
  return html`<p class="legend">${Object.entries(meanings).map(key)}
    ${style.fills && html`<span style=${{ visibility: nodes.some(({ id, leaf }) => leaf && id === here[at]) ? "" : "hidden" }}><i class="key shown" />it is reading here</span>`}
    <span class="known-key" data-from="0" hidden=${!nodes.some((each) => each.known && seen(each, at))}><i class="key known" />${style.knownHere}</span>
    <span class="fact-key" data-from="0" hidden=${!facts}><i class="life-mark carried" /><i class="life-mark lost" />what carries the followed fact</span>
    ${[stateAt(notes, at), drawn < stateAt(counts, at) && `${drawn} of them drawn; find any by its name`].filter(Boolean).map((words) => html`<span class="of-words" key=${words}>${words}</span>`)}
    ${notes[0]?.[0] > at && html`<span class="of-words" style=${{ visibility: "hidden" }}>${notes[0][1]}</span>`}</p>`;
}

// The nodes that a search found; none that is found later in the reading.
function FoundNodes({ at, picture, style: { one, many, nothing }, typed, select }) {
  const hits = nodesWith(typed, picture).filter((id) => !(picture.found_at?.[id] > at));
  const more = hits.length > FOUND_AT_MOST ? ` The first ${FOUND_AT_MOST} are listed.` : "";
  return html`<div class="found"><p class="count" role="status">${hits.length ? `${hits.length} ${hits.length === 1 ? one : many} with these words.${more}` : nothing}</p>
    ${hits.slice(0, FOUND_AT_MOST).map((id) => html`<button type="button" key=${id} onClick=${() => select(id)}>${picture.names[id]}</button>`)}</div>`;
}

// Every node in words; while another view is shown, the current one alone.
function GraphTable({ style, at, shown, picture, canvas, press }) {
  const body = useRef();
  const here = picture.here[at];
  const walk = picture.edges.filter(({ label }) => label);
  const rows = canvas.nodes().filter((each) => (shown === "table" ? seen(each, at) : each.id === here));
  useLayoutEffect(() => void (shown === "table" && reveal(body.current.closest(".twin"), body.current.querySelector("[aria-current]"))), [at, shown]);
  const row = (each) => {
    const state = stateAt(each.changes, at);
    const numbers = walk.filter((edge) => edge.to === each.id && edge.kind !== "back" && stateAt(edge.changes, at)).map(({ label }) => label);
    const words = each.id === here ? "here, now" : (picture.meanings[state] ?? { answer: "the answer is from here" }[state]);
    const refused = (picture.refused?.[at] ?? []).filter(({ id }) => id === each.id).map((choice) => `✕ ${choice.words}`);
    const told = [words, ...refused, each.known && `◇ ${style.knownHere}`, factWords(each.facts ?? []), numbers.length > 0 && `move ${numbers.join(", ")}`].filter(Boolean).join(" · ");
    return html`<tr key=${each.id} aria-current=${each.id === here ? "true" : undefined}><td class=${`row-${Math.min(8, each.row)}`}><button type="button" onClick=${() => press(each.id)}>${each.name}</button></td>
      <td class="state">${told}</td><td dir="auto">${style.words(each, picture, at).slice(0, 140)}</td></tr>`;
  };
  return html`<table><thead><tr>${style.columns.map((words) => html`<th scope="col">${words}</th>`)}</tr></thead><tbody ref=${body}>${rows.map(row)}</tbody></table>`;
}
