// The scripts of the pictures, by the kind that a reading's frames name.
import { createAxis } from "./axis.js";
import { createGraph } from "./graph.js";
import { TREE } from "./graph_marks.js";
import { createMemory } from "./memory.js";
import { NET } from "./net_marks.js";
import { createPages } from "./pages.js";
import { SLICES } from "./slices.js";

export const PICTURES = {
  graph: (player) => createGraph(player, TREE),
  net: (player) => createGraph(player, NET),
  slices: (player) => createGraph(player, SLICES),
  pages: createPages,
  memory: createMemory,
  axis: createAxis,
};
