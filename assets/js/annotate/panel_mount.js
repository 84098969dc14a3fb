// Mounts a panel of the bench, one per element: the first call creates it, later ones bring new data. `create(root, data, send)` makes it;
// it is made anew when another reading, annotator or stage is shown.
import { createHold } from "../player/leaving.js";
import { whenUnmounted } from "../player/unmounted.js";

export function panelMount(create) {
  const panels = new WeakMap();
  let shownRun = "";

  function mount(component) {
    const { data, parentElement, setStateValue } = component;
    let mounted = panels.get(parentElement);
    const before = mounted?.panel.data;
    if (before && (before.run !== data.run || before.seed !== data.seed || before.stage !== data.stage)) {
      end(mounted);
      mounted = null;
    }
    if (mounted) {
      mounted.send = setStateValue;
      mounted.panel.receive(data);
    } else {
      if (shownRun && shownRun !== data.run) document.querySelector('[data-testid="stMain"]')?.scrollTo(0, 0); // a new reading starts at its top
      shownRun = data.run;
      const created = { send: setStateValue, hold: createHold() };
      created.panel = create(parentElement.querySelector(".bench"), data, (name, value) => created.hold.send(() => created.send(name, value)));
      panels.set(parentElement, created);
    }
    return whenUnmounted(parentElement, () => {
      const gone = panels.get(parentElement);
      panels.delete(parentElement);
      if (!gone) return;
      gone.send = () => {}; // Python would not hear it; what is unsaved is in the browser's storage
      end(gone);
    });
  }

  function end({ panel, hold }) {
    panel.destroy();
    hold.end();
  }
  return mount;
}
