// Makes the letters of a cover as large as lets everything on it be seen without scrolling, within limits.

const SIZES = [40, 36, 32, 29, 26, 24, 22, 20, 18, 17, 16];
const LAYOUTS = ["rows", "columns"]; // of the options: long ones of unlike length need rows, short ones columns

// `body` scrolls if even the smallest letters are too large.
export function fitLetters(cover, body) {
  for (const size of SIZES) {
    cover.style.setProperty("--letters", `${size}px`);
    for (const layout of LAYOUTS) {
      body.dataset.layout = layout;
      if (body.scrollHeight <= body.clientHeight + 1) return;
    }
  }
  body.dataset.layout = LAYOUTS[0];
}
