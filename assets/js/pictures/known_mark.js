// Where the known answer stands, marked in a picture: a hollow diamond on what stands for that place. The player has the place only
// while the known answer is shown (`player.known`).
import { html } from "../../vendor/preact.js";
import { holdsKnown } from "../player/places.js";

const REACH = 8;

// The line of a legend.
export const KnownKey = ({ words }) => html`<span class="known-key"><i class="key known" />${words}</span>`;

// A diamond on the lower right corner of each drawn box whose `spansOf` hold the known place.
export function markKnownBoxes(context, boxes, { known, spansOf, half, ink }) {
  for (const each of boxes) {
    if (!holdsKnown(known, spansOf(each))) continue;
    const [x, y] = [each.x + each.width / 2 - 4, each.y + half];
    context.beginPath();
    for (const [dx, dy] of [[0, -REACH], [REACH, 0], [0, REACH], [-REACH, 0]]) context.lineTo(x + dx, y + dy);
    context.closePath();
    context.fillStyle = ink.paper;
    context.strokeStyle = ink.evidence;
    context.lineWidth = 2;
    context.fill();
    context.stroke();
  }
}
