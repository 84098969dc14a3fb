// Entry point: Streamlit calls it to mount the reading that plays on Home, and again with new data. A press is reported as `opened`.
import { createShowing } from "./showing.js";
import { whenUnmounted } from "../player/unmounted.js";

const shown = new WeakMap();

export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  const open = () => shown.get(parentElement)?.report("opened", data.frames.run);
  const before = shown.get(parentElement);
  if (before) before.report = setTriggerValue; // drawn again: it plays on
  else {
    const end = createShowing(parentElement.querySelector(".player"), data.frames, { vis: globalThis.vis, open });
    shown.set(parentElement, { end, report: setTriggerValue });
  }
  return whenUnmounted(parentElement, () => {
    shown.get(parentElement)?.end();
    shown.delete(parentElement);
  });
}
