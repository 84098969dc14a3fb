// The memory's size by step against its limit, with the look-backs as arcs above. What comes later is faint, or not there while the end
// is hidden.
import { html, useLayoutEffect, useMemo, useRef, useState } from "../../vendor/preact.js";
import { holdsKnown } from "../player/places.js";
import { isLit } from "../player/parts.js";
import { factMarks, factWords } from "./fact_marks.js";
import { HOPS, HopMarks, hopWords } from "./memory_hops.js";

const BARS = 46;
const LOW_BARS = 26; // in a low window
const LOW_WINDOW = 820;
const ARCS = 30;
const STRIP = 13; // of the marks of one followed fact, under the bars
const FOOT = 1.25; // of the height of its numbers
const RING_LINE = 1.25; // pixels of the ring's line outside it
const MANY_ARCS = 80; // above this number, arcs are drawn fainter
const CARRIERS = ["carried", "altered", "unclear", "lost", "raw", "left-out", "died", "lost-sign"]; // in the order in which they are drawn

export function Chart({ player, frames: { picture }, at, ends, facts, known, staged, lit, go }) {
  const box = useRef();
  const [width, measure] = useState(0);
  const [title, say] = useState("");
  const { snapshots, here, limit, hops } = picture;
  const number = here[at] ?? -1;
  useLayoutEffect(() => {
    if (box.current.clientWidth !== width) measure(box.current.clientWidth);
  });
  const wide = (width - 2) / snapshots.length;
  const x = (n) => 1 + (n + 0.5) * wide;
  const ring = ringWide(wide);
  const letters = staged ? parseFloat(getComputedStyle(player.root).fontSize) : 13;
  const byStep = useMemo(() => new Map(snapshots.map(({ step }, n) => [step, n])), [picture]);
  const arcs = useMemo(() => snapshots.flatMap(({ callback }, n) => (callback && byStep.has(callback.recalled) ? [{ n, to: byStep.get(callback.recalled) }] : [])), [picture]);
  const top = arcs.length ? ARCS : 8;
  const base = top + (globalThis.innerHeight < LOW_WINDOW ? LOW_BARS : BARS); // of the bars
  const foot = base + (hops ? HOPS : 0);
  const tall = foot + facts.length * STRIP + 4;
  const factKey = facts.map(({ fact, carriers }) => `${fact} ${Object.keys(carriers.marks).length}`).join();
  const bars = useMemo(() => width > 0 && html`<${Bars} snapshots=${snapshots} limit=${limit} top=${top} base=${base} wide=${wide} width=${width} />`, [picture, width, base]);
  const carriers = useMemo(() => width > 0 && facts.length > 0 && html`<${Carriers} snapshots=${snapshots} facts=${facts} ends=${ends} x=${x} wide=${wide} top=${foot} />`, [picture, width, factKey, ends]);
  const bow = ({ n, to }) => arc(x(n), x(to), top);
  const back = arcs.find(({ n }) => n === number && snapshots[n].step === at);
  const passed = arcs.filter(({ n }) => n <= number).map(bow).join("");
  const later = ends ? arcs.filter(({ n }) => n > number).map(bow).join("") : "";
  const diamonds = snapshots.flatMap(({ span }, n) => (holdsKnown(known, [span]) ? [`M${x(n).toFixed(1)} ${base - 15}l7 7l-7 7l-7 -7z`] : [])).join("");

  const snapshotAt = ({ currentTarget, clientX }) => Math.min(snapshots.length - 1, Math.max(0, Math.floor((clientX - currentTarget.getBoundingClientRect().left - 1) / wide)));
  const describe = (n) => {
    const { step, tokens, truncated, callback, span } = snapshots[n];
    const looked = callback && callback.recalled !== null && `looked back to step ${callback.recalled + 1}`;
    const size = `${tokens.toLocaleString("en")}${limit ? ` of ${limit.toLocaleString("en")}` : ""} tokens`;
    return [`step ${step + 1}`, holdsKnown(known, [span]) && "the known answer stands in this chunk", factWords(marksOf(snapshots[n], facts, ends)), size, hops && hopWords(hops[n]), truncated && "cut at the limit", looked].filter(Boolean).join(" · ");
  };
  const point = (event) => {
    const there = snapshotAt(event);
    if (ends || there <= number) player.touch(snapshots[there].span);
    say(ends || there <= number ? describe(there) : "");
  };
  const bright = snapshots.findIndex(({ span }) => isLit(lit, ...span));
  const press = (event) => {
    const to = { ArrowLeft: number - 1, ArrowRight: number + 1, Home: 0, End: snapshots.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    go(snapshots[Math.min(snapshots.length - 1, Math.max(0, to))].step);
  };
  const edge = `${Math.max(0, x(number) + Math.min(ring / 2 + RING_LINE, (wide + gapOf(wide)) / 2)).toFixed(2)}px`; // what is right of it comes later
  const mask = `linear-gradient(to right, #000 ${edge}, rgb(0 0 0 / ${ends ? 0.3 : 0}) ${edge})`;
  return html`<div class="memory-size" tabindex="0" role="slider" aria-label="The size of the memory by step" aria-valuemin="1" aria-valuemax=${snapshots.length} aria-valuenow=${number + 1} aria-valuetext=${number < 0 ? "nothing yet" : describe(number)}
    title=${title} ref=${box} onClick=${(event) => go(snapshots[snapshotAt(event)].step)} onMouseMove=${point} onMouseLeave=${() => player.touch(null)} onKeyDown=${press}>
    ${width > 0 && html`<svg width=${width} height=${tall} viewBox=${`0 0 ${width} ${tall}`} aria-hidden="true" style=${{ maskImage: mask, visibility: number < 0 && !ends ? "hidden" : "" }}>
      ${bars}<path class=${`arc later${arcs.length > MANY_ARCS ? " many" : ""}`} d=${later} /><path class=${`arc${arcs.length > MANY_ARCS ? " many" : ""}`} d=${passed} />
      ${hops && html`<${HopMarks} hops=${hops} x=${x} wide=${wide} top=${base} />`}${carriers}
      ${number >= 0 && html`<rect class="ring" x=${(x(number) - ring / 2).toFixed(1)} y=${top - 3} width=${ring} height=${base - top + 5} rx="3" />`}
      ${bright >= 0 && html`<rect class="lit" x=${(1 + bright * wide).toFixed(1)} y="1" width=${wide.toFixed(1)} height=${base} rx="3" />`}
      <path class="arc now" d=${back ? bow(back) : ""} /><path class="known" d=${diamonds} />
    </svg>
    <svg width=${width} height=${Math.ceil(FOOT * letters)} aria-hidden="true"><${StepNumbers} snapshots=${snapshots} x=${x} wide=${wide} width=${width} letters=${letters} /></svg>`}
  </div>`;
}

// Between two bars of this width.
const gapOf = (wide) => Math.min(3, wide * 0.25);

// The ring around a bar, so that with its line it ends before the next bar, where there is room.
export const ringWide = (wide) => Math.max(7, wide + gapOf(wide) - 2 * RING_LINE);

function Bars({ snapshots, limit, top, base, wide, width }) {
  const most = Math.max(1, limit ?? 0, ...snapshots.map(({ tokens }) => tokens));
  const gap = gapOf(wide);
  const bar = ({ tokens }, n) => `M${(1 + n * wide + gap / 2).toFixed(2)} ${base}v${-Math.max(tokens && 1, ((base - top) * tokens) / most).toFixed(1)}h${(wide - gap).toFixed(2)}V${base}z`;
  const cut = snapshots.flatMap(({ truncated }, n) => (truncated ? [`M${(1 + (n + 0.5) * wide - 4).toFixed(1)} ${top - 1}h8l-4 6z`] : []));
  return html`<path class="bars" d=${snapshots.map(bar).join("")} />${limit && html`<path class="limit" d=${`M0 ${base - ((base - top) * limit) / most}H${width}`} />`}<path class="cut" d=${cut.join("")} />`;
}

// The marks of a memory and its chunk, as at the step that wrote it.
const marksOf = ({ ref, chunk, step }, facts, ends) => factMarks(facts, [ref, chunk], step, ends);

// For each followed fact a strip under the bars: solid where its chunk was read, hatched while the memory says it, struck where it no
// longer does, ringed where its fate was decided.
function Carriers({ snapshots, facts, ends, x, wide, top }) {
  const drawn = new Map();
  const add = (kind, d) => drawn.set(kind, (drawn.get(kind) ?? "") + d);
  const [long, tall] = [Math.max(2, wide - Math.min(3, wide * 0.25)), STRIP - 4];
  snapshots.forEach((snapshot, n) => {
    for (const { n: row, shape, raw, died } of marksOf(snapshot, facts, ends)) {
      const [left, y] = [x(n) - long / 2, top + row * STRIP + 3];
      if (shape !== "none") add(shape.replace(" ", "-"), `M${left.toFixed(1)} ${y}h${long.toFixed(1)}v${tall}h${(-long).toFixed(1)}z`);
      if (shape === "lost" && wide > 9) add("lost-sign", `M${x(n) - 3} ${y + 2}l6 6m0 -6l-6 6`);
      if (raw) add("raw", `M${left.toFixed(1)} ${y}h${(long / 3).toFixed(1)}v${tall}h${(-long / 3).toFixed(1)}z`);
      if (died) add("died", `M${x(n) - 9} ${y + tall / 2}a9 8 0 1 0 18 0a9 8 0 1 0 -18 0`);
    }
  });
  return CARRIERS.filter((kind) => drawn.has(kind)).map((kind) => html`<path class=${`carrier ${kind}`} d=${drawn.get(kind)} />`);
}

// An arc from the step that looked back to the recalled one, with an arrowhead.
function arc(a, b, top) {
  const lift = Math.min(top - 6, 10 + Math.abs(a - b) / 8);
  const foot = top - 4;
  return `M${a.toFixed(1)} ${foot}C${a.toFixed(1)} ${(foot - lift * 1.3).toFixed(1)} ${b.toFixed(1)} ${(foot - lift * 1.3).toFixed(1)} ${b.toFixed(1)} ${foot}m-4 -6l4 6l5 -5`;
}

function StepNumbers({ snapshots, x, wide, width, letters }) {
  const every = [1, 2, 5, 10, 20, 50, 100, 200, 500].find((step) => step * wide >= 2 * letters) ?? 1000;
  return snapshots.map(({ step }, n) => ((n && (n + 1) % every) ? null : html`<text x=${Math.min(width - 14, Math.max(5, x(n))).toFixed(1)} y=${letters} text-anchor="middle">${step + 1}</text>`));
}
