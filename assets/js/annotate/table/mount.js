// Entry point: Streamlit calls it to mount the panel of the table, and again with new data.
import { panelMount } from "../panel_mount.js";
import { createTable } from "./table.js";

const mountTable = panelMount(createTable);

export default function (component) {
  return mountTable(component);
}
