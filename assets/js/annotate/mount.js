// Entry point: Streamlit calls it to mount the label panel, and again with new data. One panel per element.
import { createBench } from "./panel.js";

const benches = new WeakMap();
let shown = "";

export default function (component) {
  const { data, parentElement, setStateValue } = component;
  let bench = benches.get(parentElement);
  if (bench && (bench.data.run !== data.run || bench.data.seed !== data.seed || bench.data.stage !== data.stage)) {
    bench.destroy();
    bench = null;
  }
  if (bench) {
    bench.say = setStateValue;
    bench.taken(data);
  } else {
    if (shown && shown !== data.run) document.querySelector('[data-testid="stMain"]')?.scrollTo(0, 0); // a new reading starts at its top
    shown = data.run;
    benches.set(parentElement, createBench(parentElement.querySelector(".bench"), data, setStateValue));
  }
  return () => {
    benches.get(parentElement)?.destroy();
    benches.delete(parentElement);
  };
}
