// Entry point: Streamlit calls it to mount one of the controls between two players, and again with new data.
import { whenUnmounted } from "../player/unmounted.js";
import { createLock, createPart } from "./between.js";

const mounted = new WeakMap();

export default function (component) {
  const { data, parentElement } = component;
  const before = mounted.get(parentElement);
  const as = JSON.stringify(data);
  if (before?.as !== as) {
    before?.end();
    const root = parentElement.querySelector(".between");
    mounted.set(parentElement, { as, ...(data.shows === "part" ? createPart(root, data) : createLock(root, data)) });
  }
  return whenUnmounted(parentElement, () => {
    mounted.get(parentElement)?.end();
    mounted.delete(parentElement);
  });
}
