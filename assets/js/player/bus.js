// Messages between the parts of a page: one event type on `window`; each message names its reading (`run`) and its kind.
// From a player: "at" (the step shown; `by`: what moved it, if not a person), "settled" (it stayed there), "want" (a request to
// Python), "follow" (places of the text to follow), "ready", "used" (a person uses this player), "scrolled" (its text, by hand),
// "selected" (words of the text), "leave" (from a panel beside the player: its `message` to Python), "touched" (a mark of the picture, by its place in the text, or none). To a player: "light" (such a mark), "sides" (show the picture or the text only, on Stage), "go", "scroll", "show" (a place of the text), "reveal", "where" (report the step), "select" (find words in the text),
// "sent" (data from Python), "linked" (what is requested of Python is heard from now on).

const CHANNEL = "palimpsest";

export function tell(run, kind, detail = {}) {
  window.dispatchEvent(new CustomEvent(CHANNEL, { detail: { ...detail, run, kind } }));
}

// Call `handlers[kind]` with messages about this reading; the returned function stops it.
export function hear(run, handlers) {
  const listen = ({ detail }) => detail.run === run && handlers[detail.kind]?.(detail);
  window.addEventListener(CHANNEL, listen);
  return () => window.removeEventListener(CHANNEL, listen);
}
