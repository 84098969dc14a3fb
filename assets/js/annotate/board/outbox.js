// What was done on the board and not acknowledged yet. It stays in the tab's storage, so that neither a reload nor a lost connection
// loses a move; the server does each numbered change once, in order.

const SEND_AGAIN = 9000; // milliseconds without an answer

export function createBoardOutbox({ project, send, now = () => Date.now() }) {
  const name = `palimpsest.board.${project}`;
  let waiting = stored();
  let number = now() * 1000;
  let timer = 0;

  function stored() {
    try {
      const found = JSON.parse(window.sessionStorage.getItem(name) ?? "[]");
      return Array.isArray(found) ? found.filter(({ do: done }) => done === "move" || done === "rename") : []; // an undo could undo too much
    } catch {
      return [];
    }
  }
  function keep() {
    try {
      window.sessionStorage.setItem(name, JSON.stringify(waiting));
    } catch { /* there is no such store here */ }
  }
  function post() {
    clearTimeout(timer);
    if (!waiting.length) return;
    send(waiting);
    timer = setTimeout(post, SEND_AGAIN);
  }
  function add(act) {
    number += 1;
    waiting = [...waiting, { n: number, ...act }];
    keep();
    post();
  }
  // The server has done everything up to this number.
  function done(upTo) {
    const before = waiting.length;
    waiting = waiting.filter(({ n }) => n > upTo);
    if (waiting.length !== before) keep();
    if (!waiting.length) clearTimeout(timer);
  }
  return { add, done, post, waiting: () => waiting, end: () => clearTimeout(timer) };
}
