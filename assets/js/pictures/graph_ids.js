// The nodes of a graph by their ids (those with words, the one behind a stub, what is above one), and how far apart they are drawn.
// Pure: no page.

// The ids of the nodes that contain the words typed in their name or text; none if nothing was typed.
export function nodesWith(typed, { names, texts }) {
  const words = typed.trim().toLowerCase();
  return words ? Object.keys(names).filter((id) => `${names[id]} ${texts[id] ?? ""}`.toLowerCase().includes(words)) : [];
}

// By how much places on one axis are drawn apart to take up the room that is left, at most `most` times.
export function apart(places, left, most) {
  const reach = Math.max(...places) - Math.min(...places);
  return reach > 0 ? Math.min(most, Math.max(1, 1 + left / reach)) : 1;
}

// The node to open for a stub: "7+" stands for what is under node 7, "7-9+" for adjacent nodes under one parent.
export function unfoldedBy(stub, parents) {
  const [first, last] = stub.slice(0, -1).split("-");
  return last ? (parents[first] ?? "top") : first;
}

// A node's parents, from its own up to the top.
export function nodesAbove(id, parents) {
  const above = [];
  for (let up = parents[id]; up !== undefined; up = parents[up]) above.push(up);
  return above;
}
