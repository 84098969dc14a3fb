// A button beside words marked in the text, which follows them through the reading. Enter in the text presses it.
import { hear } from "./bus.js";
import { el } from "./dom.js";

export function createFollowButton(player, column, follow) {
  const button = el("button", { type: "button", class: "tool follow-this", hidden: "", title: "Follow these words through the reading (Enter)", text: "Follow this" });
  let place = null;
  column.after(button); // so that Tab leads from the text to it

  const marked = () => column.getRootNode().getSelection?.() ?? document.getSelection();

  function offer({ none, start, end }) {
    const selection = marked();
    if (none || !selection?.rangeCount || selection.isCollapsed || player.staged) return;
    const [words, box] = [selection.getRangeAt(0).getBoundingClientRect(), column.parentElement.getBoundingClientRect()];
    if (!words.width && !words.height) return;
    place = [start, end];
    button.hidden = false;
    const top = words.bottom - box.top + 6;
    button.style.top = `${Math.max(4, Math.min(top, box.height - 36))}px`;
    button.style.left = `${Math.max(4, Math.min(words.left - box.left, box.width - button.offsetWidth - 20))}px`;
  }

  function hide() {
    place = null;
    button.hidden = true;
  }

  function take() {
    if (!place) return;
    const [start, end] = place;
    hide();
    follow(start, end);
  }

  const emptied = () => place && marked()?.isCollapsed && hide();
  const ears = hear(player.frames.run, { selected: offer });
  document.addEventListener("selectionchange", emptied);
  column.addEventListener("scroll", hide, { passive: true });
  column.addEventListener("keydown", (event) => {
    if (event.key === "Enter") take();
    if (event.key === "Escape") hide();
  });
  button.addEventListener("pointerdown", (event) => event.preventDefault()); // the words stay marked
  button.addEventListener("mousedown", (event) => event.preventDefault());
  button.addEventListener("click", take);

  return {
    destroy() {
      ears();
      document.removeEventListener("selectionchange", emptied);
    },
  };
}
