// Under the size of a memory that is handed on: how many sentences each hop added and how many it lost, in figures where there is
// room for them, otherwise as bars up and down.
import { html } from "../../vendor/preact.js";

export const HOPS = 34; // pixels, with the middle and the longest bar of it
const HOP_MIDDLE = 17;
const LONGEST_HOP = 15;
const ROOM_FOR_FIGURES = 26; // of a hop that has figures
const HOP_KINDS = [["hop-added", "+", -1, 14], ["hop-lost", "✕", 1, 30]]; // class, sign, up or down, where figures stand

// The drawing's parts; `x` is the middle of a hop, `wide` its width, `top` where the strip begins.
export function HopMarks({ hops, x, wide, top }) {
  const most = Math.max(1, ...hops.flat());
  const half = Math.max(1, wide * 0.3);
  const bar = (n, tall) => (tall ? `M${(x(n) - half).toFixed(1)} ${top + HOP_MIDDLE}v${tall.toFixed(1)}h${(2 * half).toFixed(1)}V${top + HOP_MIDDLE}z` : "");
  return HOP_KINDS.map(([kind, sign, way, y], which) => (wide < ROOM_FOR_FIGURES
    ? html`<path class=${kind} d=${hops.map((hop, n) => bar(n, (way * LONGEST_HOP * hop[which]) / most)).join("")} />`
    : hops.map((hop, n) => hop[which] > 0 && html`<text class=${kind} x=${x(n).toFixed(1)} y=${top + y} text-anchor="middle">${sign}${hop[which]}</text>`)));
}

// The same in words, for one hop.
export function hopWords([came, gone]) {
  const words = [came && `${came} ${came === 1 ? "sentence" : "sentences"} added`, gone && `${gone} lost`].filter(Boolean);
  return words.join(", ") || "nothing added or lost";
}
