// What a player asks of Python, where there is none: to unfold a part of a tree. It is unfolded whole, if the data have that.
import { tell } from "../player/bus.js";

export const FOLDED = "These parts are not in this file: Palimpsest itself can unfold them.";

// Unfolds the tree of a reading; false if it cannot be.
export function unfold({ frames, unfolded }) {
  if (unfolded) tell(frames.run, "sent", { what: { number: Date.now(), picture: unfolded } });
  return Boolean(unfolded);
}
