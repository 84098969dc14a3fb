// To leave a reading (finish it, skip it, go to another one) is kept in this tab until the server has done it, which shows as another
// reading or as an answer: the panel may be drawn anew at any time, also before all is saved.
import { parsed, storage } from "../player/outbox.js";

const LEAVES = ["finish", "skip", "go"];
const LASTS = 60000; // milliseconds: it is still done after a lost connection or a reload, but not long after

// `keep(act, allowed)`: whether it may be done is known already; `left()`: what was kept for the reading with this seed, or null.
export function keptAct(name, seed) {
  const tab = storage("sessionStorage");
  const keep = (act, allowed = false) => tab.set(name, LEAVES.includes(act?.do) ? JSON.stringify({ ...act, allowed, seed, at: Date.now() }) : null);
  function left() {
    const found = parsed(tab.get(name));
    return found?.seed === seed && Date.now() - found.at < LASTS ? found : null;
  }
  return { keep, left };
}
