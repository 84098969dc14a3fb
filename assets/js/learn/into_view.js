// Entry point: a lesson. What comes next is in view, also where the button to it stood far below, as on a phone. `data.shows` says
// what is shown, and `data.place` where it begins: what changes is brought into view whole, or from its top. What was shown before
// is remembered by `data.name`, for Streamlit may make the element of a component anew where those above it have changed.
const STILL = 6; // frames without a move after which the page is taken to be drawn
const LONGEST = 90; // frames to wait for that
const shown = new Map();

export default function ({ data }) {
  const before = shown.get(data.name);
  shown.set(data.name, data.shows);
  if (before !== undefined && before !== data.shows) whenStill(data.place, bringIntoView);
}

function bringIntoView(place) {
  const { top, height } = place.getBoundingClientRect();
  place.scrollIntoView({ block: top < 0 || height > innerHeight ? "start" : "nearest" });
}

// Streamlit takes away what was there before some frames after it has drawn what is new, and the place moves with it.
function whenStill(selector, act, before = "", still = 0, left = LONGEST) {
  requestAnimationFrame(() => {
    const place = document.querySelector(selector);
    const { top, height } = place?.getBoundingClientRect() ?? {};
    const same = place && before === `${top} ${height}` ? still + 1 : 0;
    if (same < STILL && left) whenStill(selector, act, `${top} ${height}`, same, left - 1);
    else if (place) act(place);
  });
}
