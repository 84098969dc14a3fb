// Entry point of the Library's text: a button beside words marked in it, which reports them as `marked`: the words, and which of their
// occurrences on the page it is (from 0). Not here: the text itself, which Python draws.
import { whenUnmounted } from "../player/unmounted.js";

const MOST = 400; // characters reported: they say which sentence is meant
const markers = new WeakMap();

export default function ({ parentElement, setTriggerValue }) {
  const before = markers.get(parentElement);
  if (before) before.report = setTriggerValue;
  else markers.set(parentElement, createMarker(parentElement.querySelector("button"), setTriggerValue));
  return whenUnmounted(parentElement, () => {
    markers.get(parentElement)?.end();
    markers.delete(parentElement);
  });
}

function createMarker(button, report) {
  const marker = { report, end };
  let marked = null;

  function offer() {
    const selection = document.getSelection();
    const range = selection?.rangeCount && !selection.isCollapsed ? selection.getRangeAt(0) : null;
    const column = range?.commonAncestorContainer.parentElement?.closest("[data-testid=stMain]") ? textAround(range) : null;
    marked = column ? markedIn(column, range) : null;
    button.hidden = !marked;
    if (!marked) return;
    const box = range.getBoundingClientRect();
    button.style.left = `${Math.max(8, Math.min(box.left, window.innerWidth - 140))}px`;
    button.style.top = `${Math.max(8, Math.min(box.bottom + 6, window.innerHeight - 44))}px`;
  }

  function take() {
    if (!marked) return;
    marker.report("marked", marked);
    document.getSelection()?.removeAllRanges();
  }

  function end() {
    document.removeEventListener("selectionchange", offer);
    document.removeEventListener("scroll", offer, true);
  }

  button.addEventListener("pointerdown", (event) => event.preventDefault()); // the words stay marked
  button.addEventListener("mousedown", (event) => event.preventDefault());
  button.addEventListener("click", take);
  document.addEventListener("selectionchange", offer);
  document.addEventListener("scroll", offer, true);
  return marker;
}

// The column of the document that has the whole of a range.
function textAround({ commonAncestorContainer: node }) {
  return (node.closest ? node : node.parentElement)?.closest(".text");
}

function markedIn(column, range) {
  const ahead = document.createRange();
  ahead.setStart(column, 0);
  ahead.setEnd(range.startContainer, range.startOffset);
  return wordsMarked(range.toString(), ahead.toString());
}

// The words, their white space joined, and how often they occur in what stands ahead of them; null if there is no word.
export function wordsMarked(words, ahead) {
  const plain = (text) => text.replace(/\s+/g, " ").toLowerCase();
  const wanted = words.replace(/\s+/g, " ").trim().slice(0, MOST).trim();
  return /[\p{L}\p{N}]/u.test(wanted) ? { words: wanted, nth: plain(ahead).split(plain(wanted)).length - 1 } : null;
}
