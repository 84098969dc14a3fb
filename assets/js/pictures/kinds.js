// The scripts of the pictures, by the kind that a reading's frames name.
import { createPane } from "../player/parts.js";
import { createAxis } from "./axis.js";
import { Calls } from "./calls.js";
import { createGraph } from "./graph.js";
import { TREE } from "./graph_marks.js";
import { Memory } from "./memory.js";
import { NET } from "./net_marks.js";
import { Pages } from "./pages.js";
import { SLICES } from "./slices.js";

export const PICTURES = {
  graph: (player) => createGraph(player, TREE),
  net: (player) => createGraph(player, NET),
  slices: (player) => createGraph(player, SLICES),
  pages: (player) => createPicture(player, Pages, "pages-pane"),
  memory: (player) => createPicture(player, Memory, "memory-pane"),
  calls: (player) => createPicture(player, Calls, "calls-pane"),
  axis: createAxis,
};

// A picture that is a component. It draws itself anew at every step, so there is nothing to load.
function createPicture(player, Picture, name) {
  const pane = createPane(player, Picture, { class: `card pane ${name}`, "aria-label": "The reader's picture" });
  return { ...pane, load: () => {}, fit: () => player.begun && pane.draw() };
}
