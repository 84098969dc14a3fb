// Entry point: Streamlit calls it to mount the label panel, and again with new data. One panel per element.
import { createHold } from "../player/leaving.js";
import { whenUnmounted } from "../player/unmounted.js";
import { createPanel } from "./panel.js";

const panels = new WeakMap();
let shownRun = "";

export default function (component) {
  const { data, parentElement, setStateValue } = component;
  let mounted = panels.get(parentElement);
  const before = mounted?.panel.data;
  if (before && (before.run !== data.run || before.seed !== data.seed || before.stage !== data.stage)) {
    unmount(mounted);
    mounted = null;
  }
  if (mounted) {
    mounted.send = setStateValue;
    mounted.panel.receive(data);
  } else {
    if (shownRun && shownRun !== data.run) document.querySelector('[data-testid="stMain"]')?.scrollTo(0, 0); // a new reading starts at its top
    shownRun = data.run;
    const created = { send: setStateValue, hold: createHold() };
    created.panel = createPanel(parentElement.querySelector(".bench"), data, (name, value) => created.hold.send(() => created.send(name, value)));
    panels.set(parentElement, created);
  }
  return whenUnmounted(parentElement, () => {
    const gone = panels.get(parentElement);
    panels.delete(parentElement);
    if (!gone) return;
    gone.send = () => {}; // Python would not hear it; what is unsaved is in the browser's storage
    unmount(gone);
  });
}

function unmount({ panel, hold }) {
  panel.destroy();
  hold.end();
}
