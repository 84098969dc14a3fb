// When a key pressed anywhere on the page may be a shortcut: the one place that decides it, for the player and for the bench.

const LISTS = '[role="listbox"],[role="combobox"],[role="menu"],[role="option"],[role="spinbutton"]'; // letters and arrows are theirs
const MOVED = '[role="slider"],[role="radio"],[role="tab"]'; // only arrows are theirs
const FIELDS = "textarea,select,[contenteditable]";

// Nobody took the key yet, it is no shortcut of the browser's, and `root` is still on the page.
export function untaken(event, root) {
  return !event.defaultPrevented && !event.altKey && !event.ctrlKey && !event.metaKey && root.isConnected;
}

// The focused element uses keys itself: a field, or a widget with arrow keys. A switch is neither: only Space is its own (`pressing`).
export const typing = (event) => focusMatches(event, `input:not([type=checkbox]),${FIELDS}`) || ownedBy(event, `${MOVED},${LISTS}`);

// Letters belong to the focused element.
export const writing = (event) => focusMatches(event, `input:not([type=range],[type=checkbox],[type=radio]),${FIELDS}`) || ownedBy(event, LISTS);

// Space or Enter presses the focused element.
export function pressing(event) {
  const at = event.composedPath()[0];
  return at instanceof Element && Boolean(at.closest("button,a,summary,[role=button],input[type=checkbox]"));
}

function focusMatches(event, selector) {
  const at = event.composedPath()[0];
  return at instanceof Element && at.matches(selector);
}

const ownedBy = (event, selector) => event.composedPath().some((each) => each instanceof Element && each.matches(selector));
