// Makes the letters of a cover as large as lets everything on it be seen without scrolling, within limits.

const SIZES = [40, 36, 32, 29, 26, 24, 22, 20, 18]; // letters smaller than these are not read from the last row
const CUT = [26, 24, 22, 20, 18, 16]; // where words are cut to some lines
const BARE = ["bare", "two"]; // many options: without their words, at last in two columns
const LINES = [12, 8, 6, 5, 4, 3, 2, 1];

// What does not fit in letters that a room can read is cut: options to their first lines, in two columns if they are many, and in the
// end to their names; each device has them whole. `outcome`: the words have been read, so they are cut rather than set smaller.
// `body` scrolls if all that is not enough.
export function fitLetters(cover, body, outcome) {
  const fits = () => body.scrollHeight <= body.clientHeight + 1;
  const set = (node, name, value) => {
    node.style.setProperty(name, value);
    return fits();
  };
  delete body.dataset.cut;
  if (SIZES.some((size) => (!outcome || size >= CUT[0]) && set(cover, "--letters", `${size}px`))) return;
  const smaller = () => CUT.some((size) => set(cover, "--letters", `${size}px`));
  for (const cut of outcome ? [""] : ["", "wide"]) {
    body.dataset.cut = cut;
    set(body, "--lines", 1);
    if (smaller()) return void LINES.some((lines) => set(body, "--lines", lines));
  }
  for (const bare of BARE) {
    body.dataset.cut = bare;
    if (smaller()) return;
  }
}
