// Makes the letters of a cover as large as lets everything on it be seen without scrolling, within limits.

const SIZES = [40, 36, 32, 29, 26, 24, 22, 20, 18, 17, 16];
const CUT = [26, 24, 22, 20, 18, 16]; // where the outcome is shown: words that have been read are cut rather than set smaller
const BARE = ["bare", "two"]; // many options: without their words, at last in two columns
const LINES = [8, 6, 5, 4, 3, 2, 1];

// `body` scrolls if even the smallest letters are too large. `mayCut`: the options' words may be cut to some lines.
export function fitLetters(cover, body, mayCut) {
  const fits = () => body.scrollHeight <= body.clientHeight + 1;
  const set = (node, name, value) => {
    node.style.setProperty(name, value);
    return fits();
  };
  delete body.dataset.cut;
  if (SIZES.some((size) => (!mayCut || size >= CUT[0]) && set(cover, "--letters", `${size}px`)) || !mayCut) return;
  body.dataset.cut = "";
  set(body, "--lines", 1);
  const smaller = () => CUT.some((size) => set(cover, "--letters", `${size}px`));
  if (smaller()) return void LINES.some((lines) => set(body, "--lines", lines));
  for (const bare of BARE) {
    body.dataset.cut = bare;
    if (smaller()) return;
  }
}
