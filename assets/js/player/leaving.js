// Holds back a component's messages to Python while a person leaves the page. Streamlit takes a message that is sent between the
// click and the new page after it has drawn that page; but the message still names the old page and its address. Streamlit then
// clears the new page, or goes back to the old address.

export const LEAVING = 2000; // milliseconds after a link was followed, or Back pressed, in which the page may go

// `send(act)` acts at once, or once it is clear that the page stays; after `end()` nothing that waits is sent.
export function createHold() {
  const waiting = new Set();
  let left = -Infinity;
  const leave = () => (left = Date.now());
  const followed = (event) => event.composedPath().some((one) => one.localName === "a") && leave();
  window.addEventListener("popstate", leave);
  window.addEventListener("click", followed, true);

  function send(act) {
    const wait = left + LEAVING - Date.now();
    if (wait <= 0) return act();
    const timer = setTimeout(() => {
      waiting.delete(timer);
      send(act);
    }, wait);
    waiting.add(timer);
  }

  function end() {
    window.removeEventListener("popstate", leave);
    window.removeEventListener("click", followed, true);
    waiting.forEach(clearTimeout);
  }

  return { send, end };
}
