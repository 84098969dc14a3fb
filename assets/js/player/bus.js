// What the pieces of a page tell each other: one kind of event on `window`, named for the reading it is about.
// Kinds: "at" (the step shown, and `by` what it was moved, if not by hand), "settled" (it has stayed there), "want" (something Python
// has), "sent" (what Python sent), "ready", "used" (a person is at this player), "scrolled" (the text, by hand),
// "selected" (words of the text); and to a player: "go", "scroll", "reveal", "where", "select" (find words in the text).

const CHANNEL = "palimpsest";

export function tell(run, kind, detail = {}) {
  window.dispatchEvent(new CustomEvent(CHANNEL, { detail: { ...detail, run, kind } }));
}

// Calls `heard` with whatever is told of any reading; the returned function ends that.
export function hearAll(heard) {
  const listen = ({ detail }) => heard(detail);
  window.addEventListener(CHANNEL, listen);
  return () => window.removeEventListener(CHANNEL, listen);
}

// Calls `handlers[kind]` with what is told of this reading; the returned function ends that.
export function hear(run, handlers) {
  const listen = ({ detail }) => detail.run === run && handlers[detail.kind]?.(detail);
  window.addEventListener(CHANNEL, listen);
  return () => window.removeEventListener(CHANNEL, listen);
}
