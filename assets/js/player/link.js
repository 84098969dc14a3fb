// The link between player and Python: reports to Python where the position settled and what the player requests, and passes Python's
// data to the player. A panel beside the player says over it that its reading is left, so that Python draws the next one at once.
// It is mounted beside the calls that Python draws, so that only those are redrawn, not the player.
import { hear, tell } from "./bus.js";
import { createHold } from "./leaving.js";
import { whenUnmounted } from "./unmounted.js";

const links = new WeakMap();

export default function (component) {
  const { data, parentElement, setStateValue } = component;
  const before = links.get(parentElement);
  if (before?.run !== data.run) before?.end();
  const link = before?.run === data.run ? before : {};
  if (!link.end) {
    link.run = data.run;
    link.hides = Boolean(data.hides); // what Python takes it to be: a link that is mounted late has not heard the player say so
    link.wish = { number: Date.now() }; // so that no request is taken for an earlier one
    const hold = createHold();
    const say = (name, value) => hold.send(() => link.set(name, value));
    const ears = hear(data.run, {
      settled: ({ at, hides = false }) => {
        if (!link.data.hears || link.data.quiet) return;
        say("at", at);
        if (hides !== link.hides) say("hides", (link.hides = hides));
      },
      want: ({ what }) => {
        link.wish = { ...link.wish, ...what, number: link.wish.number + 1 };
        if (link.data.hears) say("want", link.wish);
      },
      follow: ({ facts }) => {
        if (link.data.hears) say("facts", facts);
      },
      leave: ({ message }) => link.data.leaves && say("leaves", message),
      ready: () => tell(link.run, "sent", { what: link.data }),
    });
    link.end = () => {
      ears();
      hold.end();
    };
    links.set(parentElement, link);
    tell(data.run, "linked");
  }
  link.set = setStateValue;
  link.data = data;
  tell(data.run, "sent", { what: data });
  return whenUnmounted(parentElement, () => {
    link.end();
    links.delete(parentElement);
  });
}
