// A reading that plays by itself on Home: the picture of the full player, and one sentence a step. It begins with the first decision
// and can be paused; its building is a press away, and a press on the picture opens the reading. Not here: stepping, the text and everything that can be pressed in a picture (player/player.js).
import { html, render } from "../../vendor/preact.js";
import { calm, onRecolour } from "../player/dom.js";
import { Icon, holding } from "../player/parts.js";
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
  const picture = PICTURES[frames.kind](player);
  let timer = 0;

  root.setAttribute("role", "group");
  root.setAttribute("aria-label", "A recorded reading that plays by itself");

  const show = () =>
    render(html`<${Showing} frames=${frames} at=${player.at} ends=${player.ends()} picture=${picture.node} plays=${timer > 0} press=${() => toggle(!timer)} again=${from > built && (() => begin(built))} open=${open} />`, root);

  function draw() {
    show();
    picture.draw(player.at);
  }

  function toggle(on) {
    clearTimeout(timer);
    timer = on ? setTimeout(() => begin(player.ends() ? from : player.at + 1), 1000 * secondsOf(frames.steps[player.at].say, player.ends())) : 0;
    draw();
  }

  function begin(step) {
    player.at = step;
    toggle(true);
  }

  const resized = new ResizeObserver(() => {
    draw();
    picture.fit();
  });

  player.at = calm() ? player.last : from; // what does not move shows how it ended
  show();
  const stopRecolouring = onRecolour(root, () => {
    picture.load();
    draw();
  });
  picture.load();
  picture.node.querySelector('[role="img"]')?.setAttribute("aria-label", `${frames.picture.caption}; its steps are listed below`);
  resized.observe(root);
  toggle(!calm());

  return () => {
    clearTimeout(timer);
    resized.disconnect();
    stopRecolouring();
    picture.destroy();
  };
}

// The list has all sentences; the one that is shown changes by itself, and is not read out.
function Showing({ frames, at, ends, picture, plays, press, again, open }) {
  const { question, about, steps, answer } = frames;
  const name = plays ? "Pause" : "Play";
  return html`
    <span class="probe" aria-hidden="true" />
    <div class="showing-head"><h2 dir="auto">${question}</h2><p dir="auto">${about}</p></div>
    <div class="showing-picture" title="Open this reading" onClick=${open} ref=${holding(picture)} />
    <div class="showing-foot">
      <div class="showing-buttons">
        <button type="button" class="step-button main" title=${name} aria-label=${`${name} the recorded reading`} onClick=${press}><${Icon} name=${plays ? "pause" : "play"} /></button>
        ${again && html`<button type="button" class="step-button" title="How it was built" aria-label="Play from the beginning: how it was built" onClick=${again}><${Icon} name="first" /></button>`}
      </div>
      <div class="showing-words">
        <p class="showing-say" aria-hidden="true" dir="auto">${steps[at].say}</p>
        <p class="showing-answer" style=${ends ? "" : "visibility: hidden" /* its room is kept, so that nothing moves */}><small>${answer.by}</small><q dir="auto">${answer.words}</q></p>
      </div>
      <div class="showing-dots" aria-hidden="true">${steps.map((_, n) => html`<i class=${n <= at ? "done" : ""} />`)}</div>
    </div>
    <ol class="visually-hidden" aria-label="The steps of this reading">${steps.map(({ say }) => html`<li>${say}</li>`)}</ol>`;
}
