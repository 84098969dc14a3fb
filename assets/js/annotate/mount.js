// Entry point: Streamlit calls it to mount the label panel, and again with new data. One panel per element.
import { whenUnmounted } from "../player/unmounted.js";
import { createPanel } from "./panel.js";

const panels = new WeakMap();
let shownRun = "";

export default function (component) {
  const { data, parentElement, setStateValue } = component;
  let panel = panels.get(parentElement);
  if (panel && (panel.data.run !== data.run || panel.data.seed !== data.seed || panel.data.stage !== data.stage)) {
    panel.destroy();
    panel = null;
  }
  if (panel) {
    panel.send = setStateValue;
    panel.receive(data);
  } else {
    if (shownRun && shownRun !== data.run) document.querySelector('[data-testid="stMain"]')?.scrollTo(0, 0); // a new reading starts at its top
    shownRun = data.run;
    panels.set(parentElement, createPanel(parentElement.querySelector(".bench"), data, setStateValue));
  }
  return whenUnmounted(parentElement, () => {
    panels.get(parentElement)?.destroy();
    panels.delete(parentElement);
  });
}
