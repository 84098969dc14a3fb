// Beside a memory: the life of every sentence, a row each, the steps from left to right; whatever changes at a step is in view together.
// What comes later is faint, or not there while the end is hidden. Selecting a row shows its history; pressing it at a step goes there.
import { html, useLayoutEffect, useMemo, useRef, useState } from "../../vendor/preact.js";
import { lifeRows, wordsIn } from "./life_rows.js";
import { counted, inMemory, standing } from "./memory_layers.js";

const ROW_DRAWN = 12; // of the drawing in a row
const EDGE = 9;
const SHAPES = {
  came: (x) => `M${x - 4} 6h8M${x} 2v8`,
  changed: (x) => `M${x} 1l4 5l-4 5l-4 -5z`,
  back: (x) => `M${x - 4} 6a4 4 0 1 0 8 0a4 4 0 1 0 -8 0`,
  unsure: (x) => `M${x} 1l4.5 9h-9z`,
  lost: (x) => `M${x - 4} 2l8 8M${x + 4} 2l-8 8`,
};
const MEANINGS = { came: "added", changed: "reworded, merged or split", back: "back again", unsure: "added, perhaps reworded", lost: "overwritten" };
const LANE_TALL = 37; // pixels of a row, its words above its line
const LANE_TIGHT = 16; // of one with its words beside its line
const AXIS_TALL = 18;

export function Life({ frames: { picture }, at, ends, go, selected, select }) {
  const [scroll, body] = [useRef(), useRef()];
  const [[width, height], measure] = useState([0, 0]);
  const rows = useMemo(() => lifeRows(picture), [picture]);
  const { number, fresh } = standing(picture, at);
  const now = new Set(number < 0 ? [] : picture.memories[number].map(([lane]) => lane));
  const changes = (row) => fresh && row.marks.some((mark) => mark.at === number);
  const changed = rows.some(changes);
  const { shown, tight, below } = rowsInView(rows.filter(({ first }) => ends || first <= number), { wanted: changed ? changes : (row) => now.has(row.lane), now, room: height - AXIS_TALL });
  const rest = Math.max(0, height - AXIS_TALL) % (tight ? LANE_TIGHT : LANE_TALL); // pixels below the last whole row
  const aside = tight ? Math.round(0.46 * width) : 0; // for the words
  const wide = (width - aside - 2 * EDGE) / Math.max(1, picture.snapshots.length);
  const x = (n) => Math.round((EDGE + (n + 0.5) * wide) * 10) / 10;
  const ring = Math.max(8, wide * 0.8); // around the bar of a step
  const kinds = new Set(shown.flatMap(({ marks }) => marks.filter((mark) => ends || mark.at <= number).map(({ kind }) => kind)));
  const out = picture.lanes.length - rows.length;
  const others = rows.filter(({ first }) => first <= number).length - shown.filter(({ first }) => first <= number).length;
  useLayoutEffect(() => {
    const found = [body.current.clientWidth, scroll.current.parentElement.clientHeight];
    if (found.join() !== [width, height].join()) measure(found);
  });
  useLayoutEffect(() => bringRows(scroll.current, height - AXIS_TALL - rest), [at, width, height, picture]);

  // The step nearest to where a row was pressed at which its sentence was in memory, or lost.
  const stepAt = ({ stays, marks }, clientX, drawing) => {
    const place = clientX - drawing.getBoundingClientRect().left;
    const there = stays.flatMap(([from, to]) => [...Array(to - from + 1).keys()].map((n) => from + n)).concat(marks.map((mark) => mark.at));
    return there.filter((n) => ends || n <= number).sort((a, b) => Math.abs(x(a) - place) - Math.abs(x(b) - place))[0];
  };
  const press = (row, event) => {
    const drawing = event.target.closest("svg");
    const step = drawing && stepAt(row, event.clientX, drawing);
    if (step !== null && step !== undefined) go(picture.snapshots[step].step);
    select(row.lane);
  };
  const style = { "--aside": `${aside}px`, bottom: `${rest}px` };
  const later = { left: `${(aside + x(number) + Math.min(Math.max(6, halfBar(wide)), wide - halfBar(wide))).toFixed(1)}px`, opacity: number < 0 || !ends ? 1 : 0.75 };
  return html`<section class="memory-life" aria-label="The life of every sentence">
    <div class="head"><h3>The life of every sentence</h3><span class="hint">press for its history</span></div>
    <div class="life-room"><div class=${`life-scroll${tight ? " tight" : ""}`} tabindex="0" role="group" aria-label="The life of every sentence" style=${style} ref=${scroll}>
      <div class="life-axis" aria-hidden="true">${width > 0 && html`<${Numbers} snapshots=${picture.snapshots} x=${x} wide=${wide} width=${width - aside} />`}</div>
      <div class="life-rows" role="group" aria-label="The sentences, in the order in which they came" ref=${body} onKeyDown=${walk}>
        <i class="life-later" style=${later} />
        ${number >= 0 && html`<i class="life-ring" style=${{ width: `${ring.toFixed(1)}px`, left: `${(aside + x(number) - ring / 2).toFixed(1)}px` }} />`}
        ${shown.map((row, n) => html`<${Row} key=${row.lane} row=${row} drawn=${[x, wide, width - aside]} words=${wordsIn(picture, row.lane, Math.max(number, row.first))} there=${now.has(row.lane)} where=${inMemory(picture)}
          change=${changes(row)} first=${n === 0} pressed=${row.lane === selected} press=${(event) => press(row, event)} />`)}
      </div>
    </div></div>
    ${below > 0 && html`<p class="more">${changed ? counted(below, "more change") : `${below} more ${inMemory(picture)}`} below</p>`}
    ${others > 0 && html`<p class="more">${others} of earlier steps ${others === 1 ? "is" : "are"} left out here</p>`}
    ${out > 0 && html`<p class="more">${out.toLocaleString("en")} more sentences, which were there for a short time only, are not shown.</p>`}
    <p class="legend">${Object.keys(SHAPES).filter((kind) => kinds.has(kind)).map((kind) => html`<span key=${kind}><svg width="12" height=${ROW_DRAWN} viewBox=${`0 0 12 ${ROW_DRAWN}`} aria-hidden="true"><path class=${`mark ${kind}`} d=${SHAPES[kind](6)} /></svg>${MEANINGS[kind]}</span>`)}</p>
  </section>`;
}

function Row({ row, drawn: [x, wide, width], words, there, where, change, first, pressed, press }) {
  const drawing = useMemo(() => {
    const half = halfBar(wide);
    const between = row.stays.slice(1).map(([from], n) => `M${(x(row.stays[n][1]) + half).toFixed(1)} 6H${(x(from) - half).toFixed(1)}`).join("");
    return width > 0 && html`<svg width=${width} height=${ROW_DRAWN} viewBox=${`0 0 ${width} ${ROW_DRAWN}`} aria-hidden="true">
      <path class="stay" d=${row.stays.map(([from, to]) => `M${(x(from) - half).toFixed(1)} 6H${(x(to) + half).toFixed(1)}`).join("")} />
      ${between && html`<path class="between" d=${between} />`}<path class="halo" d=${row.marks.map(({ at, kind }) => SHAPES[kind](x(at))).join("")} />${row.marks.map(({ at, kind }) => html`<path class=${`mark ${kind}`} d=${SHAPES[kind](x(at))} data-at=${at} />`)}
    </svg>`;
  }, [row, wide, width]);
  const name = ["lane", there && "now", change && "change"].filter(Boolean).join(" ");
  return html`<button type="button" class=${name} tabindex=${first ? 0 : -1} data-lane=${row.lane} title=${words} aria-label=${`${words} (${there ? "" : "not "}${where} now)`} aria-pressed=${String(pressed)} onClick=${press}>
    <span class="lane-words" dir="auto">${words}</span>${drawing}
  </button>`;
}

function Numbers({ snapshots, x, wide, width }) {
  const every = [1, 2, 5, 10, 20, 50, 100, 200, 500].find((step) => step * wide >= 26) ?? 1000;
  return html`<svg width=${width} height="18" viewBox=${`0 0 ${width} 18`}>${snapshots.map(({ step }, n) => (n && (n + 1) % every ? null : html`<text x=${x(n)} y="14" text-anchor="middle">${step + 1}</text>`))}</svg>`;
}

const halfBar = (wide) => Math.max(1.5, wide * 0.36);

// The arrow keys go from row to row.
function walk(event) {
  const all = [...event.currentTarget.querySelectorAll(".lane")].filter((row) => row.offsetParent);
  const now = all.indexOf(event.target.closest(".lane"));
  const to = all[{ ArrowDown: now + 1, ArrowUp: now - 1 }[event.key]];
  if (!to) return;
  all[now]?.setAttribute("tabindex", "-1");
  to.setAttribute("tabindex", "0");
  to.focus();
  event.preventDefault();
  event.stopPropagation();
}

// Scroll to the rows that changed at this step, else to those that are in memory: whole rows stand below the numbers.
function bringRows(box, room) {
  const changed = box.querySelectorAll(".lane.change");
  const rows = changed.length ? changed : box.querySelectorAll(".lane.now");
  if (!rows.length) return;
  const [first, last] = [rows[0], rows[rows.length - 1]];
  if (first.offsetTop < box.scrollTop || last.offsetTop + last.offsetHeight > box.scrollTop + room) box.scrollTop = first.offsetTop;
}

// The rows that are drawn, closer and fewer until all that are `wanted` are in view together: all, those of one line, of these without
// those that were lost before, or only those that are wanted. `below`: how many of them have no room even then.
function rowsInView(all, { wanted, now, room }) {
  const changing = all.map(wanted);
  const [first, last] = [changing.indexOf(true), changing.lastIndexOf(true)];
  const reach = (shown) => (first < 0 ? 0 : shown.indexOf(all[last]) - shown.indexOf(all[first]) + 1);
  if (reach(all) * LANE_TALL <= room) return { shown: all, tight: false, below: 0 };
  const fewer = [all, all.filter((row, n) => changing[n] || now.has(row.lane)), all.filter((_, n) => changing[n])];
  const shown = fewer.find((rows) => reach(rows) * LANE_TIGHT <= room) ?? fewer[2];
  return { shown, tight: true, below: Math.max(0, reach(shown) - Math.floor(room / LANE_TIGHT)) };
}
