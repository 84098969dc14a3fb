// Entry point: Streamlit calls it to mount the label panel, and again with new data.
import { createPanel } from "./panel.js";
import { panelMount } from "./panel_mount.js";

const mountPanel = panelMount(createPanel);

export default function (component) {
  return mountPanel(component);
}
