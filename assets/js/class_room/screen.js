// Entry point: the room's screen, over the player. It follows the class; nothing is pressed here, and keys do nothing.
import { html, render } from "../../vendor/preact.js";
import { hear, tell } from "../player/bus.js";
import { createHeartbeat } from "../player/connection.js";
import { el } from "../player/dom.js";
import { joinKeys } from "../player/keymap.js";
import { whenUnmounted } from "../player/unmounted.js";
import { devicesHere } from "./class_model.js";
import { Cover, leaveStage, raiseCover, setCovered, widthOf } from "./cover.js";
import { createLessonPlayer } from "./lesson_player.js";

const SHOWN = { "--class-bar": "56px", "--stage-button": "none", "--stage-track": "none" }; // on Stage nothing can be pressed here
const screens = new WeakMap();

export default function (component) {
  const { data, parentElement } = component;
  let screen = screens.get(parentElement);
  if (!screen) screens.set(parentElement, (screen = createScreen(parentElement.querySelector(".class-room"), data)));
  screen.receive(data);
  return whenUnmounted(parentElement, () => {
    screen.destroy();
    screens.delete(parentElement);
  });
}

function createScreen(root, first) {
  const bar = el("div", { class: "class-bar", role: "group", popover: "manual", "data-above-stage": "", "aria-label": "The class" });
  const cover = el("section", { class: "class-cover", popover: "manual", tabindex: -1, "data-above-stage": "", "aria-label": "What the class is shown" });
  const connection = createHeartbeat();
  let data = first;

  root.replaceChildren(bar, cover);
  for (const [name, value] of Object.entries(SHOWN)) document.documentElement.style.setProperty(name, value);
  bar.showPopover?.();

  const isCovered = () => data.joining || data.phase !== "reading" || Boolean(data.lesson);
  const lesson = createLessonPlayer({ touched: () => draw(), ready: () => setTimeout(() => raiseCover(cover), 60) });

  // Below a question that is not over yet, the reading stays where it was: its outcome is not to be seen for a moment.
  const follow = () => !data.lesson && ["reading", "revealed"].includes(data.phase) && tell(data.run, "go", { at: data.at });

  function receive(given) {
    data = given;
    connection.heard();
    lesson.follow(data.lesson);
    draw();
    follow();
  }

  function draw() {
    render(html`<span class="class-code">Class ${data.code}</span><span class="joined">${devicesHere(data.here)}</span>`, bar);
    setCovered(cover, isCovered(), widthOf(data, data.joining));
    if (isCovered()) render(html`<${Cover} data=${data} cover=${cover} joining=${data.joining} lit=${lesson.lit()} />`, cover);
  }

  const ears = hear(first.run, {
    at: ({ at }) => at !== data.at && follow(),
    ready: () => {
      follow();
      setTimeout(() => raiseCover(cover), 60);
    },
  });
  const place = joinKeys({ place: "class", root, keys: () => [], covers: (event) => !["Tab", "F11"].includes(event.key) });
  window.addEventListener("resize", draw);

  return {
    receive,
    destroy() {
      ears();
      lesson.end();
      connection.end();
      place.leave();
      window.removeEventListener("resize", draw);
      leaveStage();
      for (const name of Object.keys(SHOWN)) document.documentElement.style.removeProperty(name);
    },
  };
}
