// Under the size of a memory that is handed on: how many sentences each hop added and how many it lost, in figures where there is
// room for them, otherwise as bars up and down.
import { svg } from "../player/dom.js";

export const HOPS = 34; // pixels, with the middle and the longest bar of it
const HOP_MIDDLE = 17;
const LONGEST_HOP = 15;
const ROOM_FOR_FIGURES = 26; // of a hop that has figures

// The drawing's parts; `x` is the middle of a hop, `wide` its width, `top` where the strip begins.
export function hopMarks(hops, { x, wide, top }) {
  const figures = (kind, sign, which, y) => hops.flatMap((hop, n) => (hop[which] ? [hopFigure(kind, `${sign}${hop[which]}`, x(n), top + y)] : []));
  if (wide >= ROOM_FOR_FIGURES) return [...figures("hop-added", "+", 0, 14), ...figures("hop-lost", "✕", 1, 30)];
  const most = Math.max(1, ...hops.flat());
  const half = Math.max(1, wide * 0.3);
  const bar = (n, tall) => (tall ? `M${(x(n) - half).toFixed(1)} ${top + HOP_MIDDLE}v${tall.toFixed(1)}h${(2 * half).toFixed(1)}V${top + HOP_MIDDLE}z` : "");
  const bars = (kind, sign, which) => svg("path", { class: kind, d: hops.map((hop, n) => bar(n, (sign * LONGEST_HOP * hop[which]) / most)).join("") });
  return [bars("hop-added", -1, 0), bars("hop-lost", 1, 1)];
}

// The same in words, for one hop.
export function hopWords([came, gone]) {
  const words = [came && `${came} ${came === 1 ? "sentence" : "sentences"} added`, gone && `${gone} lost`].filter(Boolean);
  return words.join(", ") || "nothing added or lost";
}

function hopFigure(kind, words, x, y) {
  const label = svg("text", { class: kind, x: x.toFixed(1), y, "text-anchor": "middle" });
  label.textContent = words;
  return label;
}
