// Where the card of the tour stands, and how far the page scrolls for it. Pure: all in pixels of the window.

const GAP = 12; // between the card, what it speaks of, and the edges of the window

// How far to scroll (down is more than 0), so that `about` and a card below it are in the window; of what is too tall for that, its top.
// `head`: how much of the window's top is covered by what does not scroll.
export function scrollToSee(about, card, { height, head }) {
  const over = about.top - head - GAP;
  const under = about.bottom + card.height + 2 * GAP - height;
  if (over < 0) return over;
  return under > 0 ? Math.min(under, over) : 0;
}

// The place of the card: below what it speaks of, above, right or left of it, where it fits; else at the window's lower end. It goes out
// of the window with what it speaks of, so that it is never in the way of what a person scrolls to.
export function placeBeside(about, card, { width, height }) {
  const within = (at, size, whole) => Math.max(GAP, Math.min(at, whole - size - GAP));
  const left = within(about.left, card.width, width);
  const top = within(about.top, card.height, height);
  const places = [
    { left, top: about.bottom + GAP },
    { left, top: about.top - GAP - card.height },
    { left: about.right + GAP, top },
    { left: about.left - GAP - card.width, top },
  ];
  if (about.bottom < 0) return places[0];
  if (about.top > height) return places[1];
  const fits = (place) => place.left >= 0 && place.top >= 0 && place.left + card.width <= width && place.top + card.height <= height;
  return places.find(fits) ?? { left, top: height - GAP - card.height };
}
