// A reading that plays by itself on Home: the picture of the full player, and one sentence a step. It begins with the first decision
// and can be paused; its building is a press away, and a press on the picture opens the reading. Not here: stepping, the text and everything that can be pressed in a picture (player/player.js).
import { calm, el, icon, onRecolour } from "../player/dom.js";
import { PICTURES } from "../pictures/kinds.js";

const LEAST_SECONDS = 3;
const LETTERS_A_SECOND = 16;
const END_SECONDS = 9;

// How long a step is shown, in seconds: as long as its sentence takes to read; the last one stays longer.
export function secondsOf(sentence, last) {
  return last ? END_SECONDS : Math.max(LEAST_SECONDS, 1 + sentence.length / LETTERS_A_SECOND);
}

// The first step at which a picture shows anything: a graph may have no node before.
export function firstDrawn(picture) {
  const first = (picture?.nodes ?? []).flatMap(({ changes }) => changes.slice(0, 1).map(([step]) => step));
  return first.length ? Math.min(...first) : 0;
}

// The step at which it begins: the first after building, where the whole picture is there to be seen.
export function firstShown({ picture, building = 0, steps }) {
  return Math.min(steps.length - 1, Math.max(building, firstDrawn(picture)));
}

// `open` is called when the picture is pressed.
export function createShowing(root, frames, { vis, open }) {
  const ignored = () => {};
  const player = { root, frames, vis, at: 0, known: null, fast: true, staged: false, last: frames.steps.length - 1, go: ignored, show: ignored, want: ignored };
  player.ends = () => player.at >= player.last;
  const from = firstShown(frames);
  const built = firstDrawn(frames.picture);
  const drawn = PICTURES[frames.kind](player);
  const sentence = el("p", { class: "showing-say" });
  const answer = el("p", { class: "showing-answer" }, el("small", { text: frames.answer.by }), el("q", { text: frames.answer.words }));
  const dots = frames.steps.map(() => el("i", {}));
  const play = el("button", { type: "button", class: "step-button main", on: { click: () => toggle(!timer) } });
  const again = el("button", { type: "button", class: "step-button", title: "How it was built", "aria-label": "Play from the beginning: how it was built", hidden: from > built ? undefined : "", on: { click: () => begin(built) } }, icon("first"));
  const head = el("div", { class: "showing-head" }, el("h2", { text: frames.question }), el("p", { text: frames.about }));
  const picture = el("div", { class: "showing-picture", title: "Open this reading", on: { click: open } }, drawn.node);
  const told = el("ol", { class: "visually-hidden", "aria-label": "The steps of this reading" }, ...frames.steps.map(({ say }) => el("li", { text: say })));
  let timer = 0;

  root.setAttribute("role", "group");
  root.setAttribute("aria-label", "A recorded reading that plays by itself");
  root.replaceChildren(
    el("span", { class: "probe", "aria-hidden": "true" }),
    head,
    picture,
    el("div", { class: "showing-foot" }, el("div", { class: "showing-buttons" }, play, again), el("div", { class: "showing-words" }, sentence, answer), el("div", { class: "showing-dots", "aria-hidden": "true" }, ...dots)),
    told,
  );
  sentence.setAttribute("aria-hidden", "true"); // the list has all of them, and what changes by itself is not read out

  function draw() {
    const { say } = frames.steps[player.at];
    sentence.textContent = say;
    answer.style.visibility = player.ends() ? "" : "hidden"; // its room is kept, so that nothing moves
    dots.forEach((dot, n) => dot.classList.toggle("done", n <= player.at));
    drawn.draw(player.at);
  }

  function toggle(on) {
    clearTimeout(timer);
    timer = on ? setTimeout(next, 1000 * secondsOf(frames.steps[player.at].say, player.ends())) : 0;
    play.replaceChildren(icon(on ? "pause" : "play"));
    play.title = on ? "Pause" : "Play";
    play.setAttribute("aria-label", `${play.title} the recorded reading`);
  }

  function begin(step) {
    player.at = step;
    draw();
    toggle(true);
  }

  const next = () => begin(player.ends() ? from : player.at + 1);

  const resized = new ResizeObserver(() => {
    draw();
    drawn.fit();
  });
  const stopRecolouring = onRecolour(root, () => {
    drawn.load();
    draw();
  });

  player.at = calm() ? player.last : from; // what does not move shows how it ended
  drawn.load();
  const image = drawn.node.querySelector('[role="img"]');
  if (image) image.setAttribute("aria-label", `${frames.picture.caption}; its steps are listed below`);
  draw();
  resized.observe(root);
  toggle(!calm());

  return () => {
    clearTimeout(timer);
    resized.disconnect();
    stopRecolouring();
    drawn.destroy();
  };
}
