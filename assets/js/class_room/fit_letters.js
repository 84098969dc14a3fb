// Lets a cover show all of its words whole: in letters as large as they can be if they fit on one page, side by side where that helps;
// otherwise in the smallest letters that the last row reads, on pages that are turned.
const LETTER_SIZES = [40, 36, 32, 29, 26, 24]; // pixels
const LETTERS_A_LINE = 17; // letters of a column
export const PHONE_WINDOW = 760; // pixels of a window that is held in the hand: all is scrolled, and words have no picture beside them

// Lets a body that has no pages, such as the code, be seen whole; on a phone it scrolls.
export function fitWhole(cover, body) {
  const sizes = window.innerWidth <= PHONE_WINDOW ? [18] : LETTER_SIZES;
  sizes.some((size) => (cover.style.setProperty("--letters", `${size}px`), body.scrollHeight <= body.clientHeight + 1));
}

// How many pages there are, and `page`, turned on past the last to the first again, is shown. `outcome`: the options' words have been read,
// so they are left out if they would need a page more; each device has them whole.
export function fitPages(cover, body, { page = 0, outcome = false } = {}) {
  const set = (size, columns) => {
    cover.style.setProperty("--letters", `${size}px`);
    body.style.setProperty("--columns", columns);
    body.classList.toggle("many", columns > 1);
    return body.scrollWidth <= body.clientWidth + 1;
  };
  const most = (size) => Math.max(1, Math.min(3, Math.floor(body.clientWidth / (LETTERS_A_LINE * 0.55 * size + 40))));
  const onOne = () => LETTER_SIZES.some((size) => Array.from({ length: most(size) }, (_, n) => n + 1).some((columns) => set(size, columns)));
  body.classList.remove("bare");
  body.scrollLeft = 0;
  if (window.innerWidth <= PHONE_WINDOW) return set(18, 1), 1;
  if (onOne()) return 1;
  body.classList.toggle("bare", outcome);
  if (outcome && onOne()) return 1;
  set(LETTER_SIZES.at(-1), Math.min(2, most(LETTER_SIZES.at(-1))));
  const wide = body.clientWidth + parseFloat(getComputedStyle(body).columnGap);
  const pages = Math.max(1, Math.round((body.scrollWidth + wide - body.clientWidth) / wide));
  body.scrollLeft = (page % pages) * wide;
  return pages;
}
