// Where on the track each step stands. Building is often most of the steps and the least of the story: many of its steps are one
// group, squeezed into a short stretch, until a person opens it. Pure: no page.

export const FEWEST = 9; // steps of building from which on they are one group
const ROOM = 34; // pixels of a closed group
const APART = 20; // pixels from a closed group to the next step

// `folded` is the number of steps in the closed group (0: none), `x` the place of a step in pixels, `gap` what is between two others.
export function placesOnTrack(count, building, { width, pad, open }) {
  const rest = count - building;
  if (open || !mayFold(count, building)) {
    const gap = (width - 2 * pad) / Math.max(1, count - 1);
    return { folded: 0, gap, x: (n) => pad + (count > 1 ? n * gap : (width - 2 * pad) / 2) };
  }
  const from = rest > 1 ? pad + ROOM + APART : width - pad;
  const gap = (width - pad - from) / Math.max(1, rest - 1);
  return { folded: building, gap: rest > 1 ? gap : width, x: (n) => (n < building ? pad + (n * ROOM) / (building - 1) : from + (n - building) * gap) };
}

export function mayFold(count, building) {
  return building >= FEWEST && count > building;
}

// The step nearest to a place on the track.
export function nearestStep(count, x, place) {
  let best = 0;
  for (let n = 1; n < count; n++) if (Math.abs(x(n) - place) < Math.abs(x(best) - place)) best = n;
  return best;
}
