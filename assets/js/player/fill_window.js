// On the bench, picture and text end where the window ends, whatever stands above them: what is labelled is in view without scrolling.
// Where the window is narrow, they stand below each other and scroll with the page.

const BESIDE_PANEL = "(min-width: 1180px)"; // as in label_panel.css
const LEAST_ROOM = 200;
const BELOW_PANES = 8;
const TALL_WINDOW = 820; // pixels of a window that has room for the legend, too

// How high the panes are, in pixels. `top`: where they begin on the page that is not scrolled; `legend`: the height of what explains them.
export function roomInWindow({ top, window: height, legend }) {
  return Math.max(LEAST_ROOM, Math.floor(height - top - (height >= TALL_WINDOW ? legend : 0) - BELOW_PANES));
}

// Elsewhere they end there, too, as far as they are not too low for what is in them (player.css). What stands above them is measured when
// the page is there and when the window changes, not at a step: nothing moves then. `fit` measures, `stop` ends it.
export function endWithWindow(root, columns) {
  const page = document.querySelector('[data-testid="stMain"]');
  const measure = () => root.style.setProperty("--above", `${Math.ceil(columns.getBoundingClientRect().top + (page?.scrollTop ?? window.scrollY)) + BELOW_PANES}px`);
  document.fonts?.ready.then(measure);
  window.addEventListener("resize", measure);
  return { fit: measure, stop: () => window.removeEventListener("resize", measure) };
}

// Keeps `columns` at that height; as above.
export function fillWindow(root, columns, legend) {
  const page = document.querySelector('[data-testid="stMain"]');
  const around = root.getRootNode().host?.closest(".st-key-bench-reading") ?? root; // its height changes with all that is above
  const wide = window.matchMedia(BESIDE_PANEL);

  root.classList.add("on-bench");
  function fit() {
    root.classList.toggle("benched", wide.matches);
    const top = columns.getBoundingClientRect().top + (page?.scrollTop ?? 0);
    root.style.setProperty("--room", `${roomInWindow({ top, window: window.innerHeight, legend: legend.offsetHeight })}px`);
  }
  const seen = new ResizeObserver(fit);
  for (const each of [root, around]) seen.observe(each);
  window.addEventListener("resize", fit);
  return {
    fit,
    stop: () => {
      seen.disconnect();
      window.removeEventListener("resize", fit);
    },
  };
}

// Calls `fit` when the boxes have another size, as `now()` tells it, than the one that was drawn (`isDrawn`).
export function watchSize(boxes, now, fit) {
  let size = "";
  const look = () => {
    if (now() === size) return;
    size = now();
    fit();
  };
  const observer = new ResizeObserver(look);
  const begin = () => {
    look(); // else nothing is drawn again when the observer first looks
    for (const box of boxes) observer.observe(box);
  };
  return { known: () => size !== "", isDrawn: () => (size = now()), begin, stop: () => observer.disconnect() };
}
