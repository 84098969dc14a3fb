// QRMeM's walk, trial by trial, on the axis of the text: what came into view and what brought it, what stayed, what was put out for lack
// of room, what the model said was missing, and what that led to. Its data is made by components/player/pictures/qrmem_walk.py. A band
// shows nothing of later steps. The lines between what brought a segment and the segment are drawn once the rest has its places.
import { html, render } from "../../vendor/preact.js";
import { svg, tellMore } from "../player/dom.js";
import { holdsKnown } from "../player/places.js";
import { isLit } from "../player/parts.js";
import { stateAt } from "../player/steps.js";
import { FactBadges } from "./fact_badges.js";
import { factMarks, factWords, factsOf } from "./fact_marks.js";

const WALK_LETTER = 7.2; // pixels of a letter, of one of an entity's name, and around the name
const NAME_LETTER = 8.9;
const AROUND_NAME = 30;
const WIDEST_WORDS = 340;
const BETWEEN_ITEMS = 10;
const NEAR_SEGMENTS = 140; // pixels from the middle of the segments that it brought
const WALK_DIGIT = 8; // pixels of a number's digit
const ROOM_FOR_SIGN = 13; // pixels of a segment that a sign or a number fits into
const LEAST_SEGMENT = 20; // pixels of the narrowest segment and the gap after it, while there is room
const WALK_SIGNS = { new: "+", out: "✕", in: "" };
const WALK_VERDICTS = { declined: "↻ not enough", answers: "◆ answers", unread: "! unreadable" };
const WALK_CAME = { new: "came into view here", in: "still in view", out: "put out for lack of room" };

// Where each segment of the axis lies, by its number: as wide as it is long, but wide enough for its number while all of them have room.
export function placesOf(segments, width) {
  const long = ({ span: [start, end] }) => Math.max(1, end - start);
  const short = new Set();
  let [rest, total] = [width, segments.reduce((sum, each) => sum + long(each), 0)];
  for (let found = segments; found.length && LEAST_SEGMENT * segments.length <= width; ) {
    found = segments.filter((each) => !short.has(each) && (rest * long(each)) / total < LEAST_SEGMENT);
    for (const each of found) {
      short.add(each);
      [rest, total] = [rest - LEAST_SEGMENT, total - long(each)];
    }
  }
  let left = 0;
  const place = (each) => {
    const wide = short.has(each) ? LEAST_SEGMENT : (rest * long(each)) / total;
    left += wide;
    return [each.number, { left: left - wide, wide: Math.max(2, wide - 2) }];
  };
  return new Map(segments.map(place));
}

// The middle of some segments on the axis, in pixels.
export function middleOf(numbers, place) {
  const places = numbers.map(place).filter(Boolean);
  return places.length ? places.reduce((sum, { left, wide }) => sum + left + wide / 2, 0) / places.length : 0;
}

// What brought segments, in rows on which nothing lies over anything else: each on the first row that has room for it, as near to the
// middle of its segments as there is. `large` is the size of the letters beside the usual one.
export function rowsOf(items, { width, place, large = 1 }) {
  const rows = [];
  for (const item of items) {
    const name = Math.min(width, NAME_LETTER * large * item.name.length + AROUND_NAME);
    const words = WALK_LETTER * large * Math.max(0, ...itemLines(item).map(([, line]) => line.length)) + 4;
    const wide = Math.min(width, Math.max(name, Math.min(words, WIDEST_WORDS * large)));
    const middle = middleOf(item.brought.length ? item.brought : item.stands, place);
    const wanted = Math.max(0, Math.min(width - wide, middle - wide / 2));
    const far = item.brought.length ? NEAR_SEGMENTS * large : width;
    let [row, left] = [rows.find((others) => Math.abs(nearestFree(others, wanted, wide, width) - wanted) <= far), wanted];
    if (row) left = nearestFree(row, wanted, wide, width);
    else rows.push((row = []));
    row.push({ item, left, wide, aside: Math.max(0, Math.min(wide - name, middle - left - name / 2)) });
  }
  for (const row of rows) row.sort((one, other) => one.left - other.left);
  return rows;
}

// Where on a row something fits between the others, nearest to where it is wanted; infinitely far where it does not.
function nearestFree(others, wanted, wide, width) {
  const ends = others.flatMap(({ left, wide: taken }) => [left + taken + BETWEEN_ITEMS, left - BETWEEN_ITEMS - wide]);
  const free = [wanted, ...ends].filter((left) => left >= 0 && left + wide <= width && others.every((other) => other.left + other.wide + BETWEEN_ITEMS <= left + 0.01 || left + wide + BETWEEN_ITEMS <= other.left + 0.01));
  return free.length ? free.reduce((best, left) => (Math.abs(left - wanted) < Math.abs(best - wanted) ? left : best)) : Infinity;
}

// The words below an item: of a relation what it says, and on a line of their own its score and what it brought.
function itemLines(item) {
  const line = broughtLine(item);
  if (item.kind === "start") return [["line", line]]; // its border says that the question names it, and so does the legend
  const lines = item.kind === "followed" || item.kind === "similar" || item.kind === "together" ? [["", item.words], ["line", line]] : [["", [item.words, line].filter(Boolean).join(" · ")]];
  return lines.filter(([, words]) => words);
}

// What an item brought, with the score that decided it.
function broughtLine({ kind, note, more = 0, brought, brings, stands, scores = {} }) {
  if (kind === "similar" || kind === "together") return brought.map((number) => `${number}: ${(scores[number] ?? 0).toFixed(2)}`).join(" · ");
  const came = brought.length ? kind === "start" && `brought ${numbersOf(brought)}` : !stands.length ? "in no segment" : brings ? `also in ${numbersOf(stands)}` : `in ${numbersOf(stands)}`;
  return [note && `score ${note}`, more && `${more} more to it`, came].filter(Boolean).join(" · ");
}

function numbersOf(numbers) {
  return numbers.length > 5 ? `${numbers.slice(0, 4).join(", ")} and ${numbers.length - 4} more` : numbers.join(", ");
}

// A band as it is at a step: what is in view there, and what was put out; the items that have come.
export function bandAt(band, at) {
  const states = Object.entries(band.segments).map(([number, changes]) => [Number(number), stateAt(changes, at), changes.some(([step, state]) => state === "new" && step <= at)]);
  const judged = band.step !== null && band.step <= at;
  return { ...band, judged, items: band.items.filter(({ step }) => step <= at), out: band.out.filter(([step]) => step <= at), cells: states.filter(([, state]) => state) };
}

// Which of the bands that are there is the current one: the last that was judged, otherwise the first.
export const bandNow = (bands, at) => Math.max(0, bands.findLastIndex(({ step }) => step !== null && step <= at));

export function createWalk(player, { select }) {
  const node = document.createElement("div");
  node.className = "walk";
  node.tabIndex = 0;
  node.addEventListener("scroll", () => tellMore(node));
  for (const [name, value] of [["role", "region"], ["aria-label", "The walk, trial by trial, over the text from left to right"]]) node.setAttribute(name, value);
  let followed = ""; // the step and the room at which the current band was brought into view

  function draw(at) {
    const { bands = [], segments = [] } = player.frames.picture ?? {};
    const there = bands.filter(({ from }) => from <= at);
    const narrow = node.clientWidth < NARROW_WALK;
    node.classList.toggle("narrow", narrow);
    const width = Math.max(160, node.clientWidth - (narrow ? 30 : 146)); // what is beside the axis (player.css)
    const large = parseFloat(globalThis.getComputedStyle?.(node).fontSize) / 14 || 1;
    const marksOf = (refs) => factMarks(factsOf(player), refs, at, player.ends());
    render(html`<${WalkBands} ...${{ bands: there, segments, at, width, large, marksOf, select, now: bandNow(there, at), player }} />`, node);
    connect(node);
    const room = [at, node.clientHeight, node.querySelector(".walk-axis").offsetHeight].join();
    if (room !== followed) toBand(node);
    tellMore(node);
    followed = room;
  }

  return { node, draw };
}

const NARROW_WALK = 560; // pixels; below, a band's title stands above it

function WalkBands({ bands, segments, at, width, large, marksOf, select, now, player }) {
  const places = placesOf(segments, width);
  const place = (number) => places.get(number);
  const shared = { segments, at, width, large, place, marksOf, select, player };
  return html`
    <svg class="walk-lines" aria-hidden="true"></svg>
    <${WalkAxis} ...${shared} />
    <ol>${bands.map((band, n) => html`<${WalkBand} key=${n} ...${shared} band=${bandAt(band, at)} first=${n === 0} now=${n === now} next=${bands[n + 1] && bandAt(bands[n + 1], at)} />`)}</ol>
    <${WalkLegend} bands=${bands} at=${at} />`;
}

// The text: every segment with its number, what is in view of it, and where the evidence stands.
function WalkAxis({ segments, at, width, place, marksOf, player }) {
  const { evidence = [], nearest = [] } = (player.ends() && player.frames.marks) || {};
  const rests = [...evidence.map((span) => [span, "◆"]), ...nearest.map((span) => [span, "◇"])];
  const there = segments.filter(({ changes }) => stateAt(changes, at) === "in").map(({ number }) => number);
  const narrow = there.some((number) => !fitsIn(number, place));
  const within = (offset) => {
    const { number, span: [start, end] } = segments.findLast(({ span }) => span[0] <= offset) ?? segments[0];
    return place(number).left + (place(number).wide * Math.min(1, (offset - start) / Math.max(1, end - start)));
  };
  const held = ({ number, name, ref, span, changes }) => {
    const state = stateAt(changes, at) ?? "no";
    const came = state === "in" && changes.findLast(([step]) => step <= at)[0] === at;
    const { left, wide } = place(number);
    const known = holdsKnown(player.known, [span]);
    const marks = marksOf([ref]);
    const words = { in: came ? "came into view here" : "in view", out: "out of view again", no: "not in view so far" }[state];
    return html`<button type="button" key=${number} data-place=${span.join("-")} class=${`walk-segment ${state}${came ? " new" : ""}${isLit(player.lit, ...span) ? " lit" : ""}`} style=${{ left: `${left.toFixed(1)}px`, width: `${wide.toFixed(1)}px` }}
      title=${`${name}, ${words}`} aria-label=${[name, words, known && "the known answer stands here", factWords(marks)].filter(Boolean).join(", ")} onClick=${() => player.show(span[0])}>${fitsIn(number, place) && number}<span class="walk-signs" aria-hidden="true">${known && html`<i class="walk-known">◇</i>`}<${FactBadges} marks=${marks} /></span></button>`;
  };
  return html`<div class="walk-band walk-axis"><span class="walk-title">the text</span><div class="walk-strip" style=${{ width: `${width}px` }}>
    ${rests.map(([[start, end], mark]) => html`<i key=${start} class="walk-evidence" style=${{ left: `${within((start + end) / 2).toFixed(1)}px` }}>${mark}</i>`)}${segments.map(held)}</div>${narrow && html`<p class="walk-numbers">in view: ${there.join(", ")}</p>`}</div>`;
}

// Whether a segment is drawn wide enough for its number.
export const fitsIn = (number, place) => place(number).wide >= WALK_DIGIT * String(number).length - 2; // the room around it may be beside it

function WalkBand({ band, first, now, next, width, large, place, marksOf, select, player }) {
  const { cells, judged, items } = band;
  const title = judged ? band.title : first ? "Start" : "Next";
  const verdict = judged && WALK_VERDICTS[band.verdict];
  const numbers = (state) => cells.filter(([, found]) => found === state).map(([number]) => number);
  const heard = [["came into view", "new"], ["stayed in view", "in"], ["put out for lack of room", "out"]].flatMap(([words, state]) => (numbers(state).length ? [`${words}: ${numbers(state).join(", ")}`] : []));
  const told = [title, verdict && verdict.slice(2), ...heard].filter(Boolean).join("; ");
  return html`<li class=${`walk-band${now ? " now" : ""}`} aria-current=${now ? "step" : undefined}>
    <div class="walk-title"><b>${title}</b>${verdict && html`<span class=${band.verdict}>${verdict}</span>`}</div>
    <div class="walk-body" style=${{ width: `${width}px` }}>
      <div class="walk-strip walk-view" role="img" aria-label=${told} title=${heard.join("; ")}>${cells.map(([number, state, came]) => html`<${WalkCell} key=${number} ...${{ number, state, came, place }} />`)}</div>
      ${rowsOf(items, { width, place, large }).map((row, n) => html`<div class="walk-row" key=${n}>${row.map((put, k) => html`<${WalkItem} key=${`${put.item.kind}${put.item.id}${k}`} ...${{ put, before: row[k - 1], marksOf, select }} />`)}</div>`)}
      <${WalkNames} band=${band} />
      ${band.out.length > 0 && html`<p class="walk-names">put out, with its score: ${band.out.map(([, number, score]) => `${number}: ${score === null ? "none" : score.toFixed(2)}`).join(" · ")}</p>`}
      ${judged && html`<${WalkReason} band=${band} next=${next} view=${[...numbers("new"), ...numbers("in")]} player=${player} />`}
    </div></li>`;
}

function WalkCell({ number, state, came, place }) {
  const { left, wide } = place(number);
  const words = `segment ${number}, ${came && state === "out" ? "came, and was " : ""}${WALK_CAME[state]}`;
  return html`<i class=${`walk-cell ${state}`} data-number=${number} title=${words} style=${{ left: `${left.toFixed(1)}px`, width: `${wide.toFixed(1)}px` }}>${wide >= ROOM_FOR_SIGN && WALK_SIGNS[state]}</i>`;
}

// What brought segments, or was looked for: an entity as a button, a rule without one.
function WalkItem({ put: { item, left, wide, aside }, before, marksOf, select }) {
  const style = { marginLeft: `${(left - (before ? before.left + before.wide : 0)).toFixed(1)}px`, width: `${wide.toFixed(1)}px` };
  const name = html`<${FactBadges} marks=${item.relation ? marksOf([item.relation]) : []} />${item.name}`;
  return html`<div class=${`walk-item ${item.kind}`} data-brought=${item.brought.join(" ")} style=${style}>
    <div style=${{ paddingLeft: `${aside.toFixed(1)}px` }}>${item.id ? html`<button type="button" class="walk-name" onClick=${() => select(item.id)}>${name}</button>` : html`<span class="walk-name">${name}</span>`}</div>
    ${itemLines(item).map(([kind, words]) => html`<p key=${kind} class=${kind} dir="auto" title=${item.whole}>${words}</p>`)}</div>`;
}

// Of names that the model asked for: which it had asked for before, and which it no longer asks for.
function WalkNames({ band: { still, gone, items } }) {
  if (!items.some(({ kind }) => kind === "revised") && !still.length) return "";
  return html`<p class="walk-names">${still.length > 0 && `still looked for: ${still.join(", ")}`} ${gone.length > 0 && html`<s>${gone.join(", ")}</s> no longer`}</p>`;
}

// What the model said, and what it led to.
function WalkReason({ band, next, view, player }) {
  const led = (next?.items ?? []).filter(({ kind }) => kind === "followed" || kind === "revised").map(({ name }) => name);
  const similar = next?.items.find(({ kind }) => kind === "similar" || kind === "together");
  const answer = band.answer && band.step <= player.at && player.at >= player.last;
  return html`
    ${band.reason && html`<p class="walk-reason" title=${band.said} dir="auto"><q>${band.reason}</q>${led.length > 0 && html` → looks for <b class="need">${led.join(", ")}</b>`}${similar && html` → takes <b class="need">${similar.name}</b>`}</p>`}
    ${band.because && html`<p class="walk-reason">It stopped there: ${band.because}.</p>`}
    ${answer && html`<p class="walk-reason answer" dir="auto">${`segment${view.length === 1 ? "" : "s"} ${view.sort((a, b) => a - b).join(", ")} → `}<b>${band.answer.slice(0, 200)}</b></p>`}`;
}

function WalkLegend({ bands, at }) {
  const cells = bands.flatMap((band) => bandAt(band, at).cells.map(([, state]) => state));
  const items = bands.flatMap((band) => bandAt(band, at).items.map(({ kind }) => kind));
  const keys = [
    ...["new", "in", "out"].filter((state) => cells.includes(state)).map((state) => [`walk-cell ${state}`, WALK_CAME[state]]),
    ...(items.includes("start") ? [["walk-name start", "named in the question"]] : []),
  ];
  return html`<p class="legend">${keys.map(([kind, words]) => html`<span key=${kind}><i class=${`key ${kind}`}></i>${words}</span>`)}</p>`;
}

// The lines: from what brought a segment up to the segment, and from what the model said was missing down to what it led to.
function connect(node) {
  const lines = node.querySelector(".walk-lines");
  if (!lines || !node.clientWidth) return;
  const zero = lines.getBoundingClientRect();
  const boxOf = (it) => {
    const { left, right, top, bottom } = it.getBoundingClientRect();
    return { x: (left + right) / 2 - zero.left, left: left - zero.left, top: top - zero.top, bottom: bottom - zero.top };
  };
  const paths = [];
  const bands = [...node.querySelectorAll("li.walk-band")];
  for (const [n, band] of bands.entries()) {
    const cells = new Map([...band.querySelectorAll(".walk-cell")].map((cell) => [cell.dataset.number, cell]));
    for (const item of band.querySelectorAll(".walk-item")) {
      const name = boxOf(item.querySelector(".walk-name"));
      for (const number of item.dataset.brought.split(" ").filter((each) => cells.has(each))) {
        const cell = boxOf(cells.get(number));
        const middle = (cell.bottom + name.top) / 2;
        paths.push(["brought", `M${name.x} ${name.top}C${name.x} ${middle} ${cell.x} ${middle} ${cell.x} ${cell.bottom + 2}`]);
      }
    }
    const need = band.querySelector(".need");
    const led = [...(bands[n + 1]?.querySelectorAll(".walk-item") ?? [])].find((item) => !item.classList.contains("start"))?.querySelector(".walk-name");
    if (need && led) {
      const [from, to] = [boxOf(need), boxOf(led)];
      paths.push(["thread", `M${from.x} ${from.bottom}C${from.x} ${from.bottom + 34} ${to.x} ${to.top - 40} ${to.x} ${to.top}`]);
    }
  }
  const list = node.querySelector("ol");
  for (const [name, size] of [["width", list.offsetLeft + list.offsetWidth], ["height", list.offsetTop + list.offsetHeight]]) lines.setAttribute(name, size);
  lines.replaceChildren(...paths.map(([kind, d]) => svg("path", { class: kind, d })));
}

// Scroll until the current band, and what came of it, is in view, and nothing around the walk.
function toBand(node) {
  const band = node.querySelector(".walk-band.now");
  if (!band || !node.clientHeight) return;
  const axis = node.querySelector(".walk-axis").offsetHeight;
  const last = band.nextElementSibling ?? band;
  const [top, bottom] = [band.offsetTop - axis - 4, last.offsetTop + last.offsetHeight + 4];
  if (bottom > node.scrollTop + node.clientHeight || top < node.scrollTop) node.scrollTop = top;
}
