// Entry point: a learner's device. Streamlit calls it each second with what the class sees; the device sends its vote. No account and no
// name: the browser keeps a random token, so that it has one vote however often the page is loaded.
import { html, render } from "../../vendor/preact.js";
import { createHeartbeat } from "../player/connection.js";
import { repeated } from "../player/outbox.js";
import { whenUnmounted } from "../player/unmounted.js";
import { goingOnWords, learnerWords } from "./class_model.js";
import { After, Options, Reason } from "./options.js";

const TOKEN_COOKIE = "palimpsest_class";
const TOKEN_SECONDS = 365 * 24 * 60 * 60;
const SENDS_AGAIN = 3000; // milliseconds after which a vote that was not answered is sent again: it counts once however often it comes
const devices = new WeakMap();

export default function (component) {
  const { data, parentElement, setStateValue } = component;
  let device = devices.get(parentElement);
  if (!device) devices.set(parentElement, (device = createDevice(parentElement.querySelector(".class-device"), (name, value) => device.tell(name, value))));
  device.tell = setStateValue;
  device.receive(data);
  return whenUnmounted(parentElement, () => {
    device.destroy();
    devices.delete(parentElement);
  });
}

function createDevice(root, send) {
  let data = null;
  let waits = null; // the vote that is on its way: step, round, option, and how often it was sent
  let missed = null; // the question and round whose vote did not arrive in time
  let unfolded = []; // options of this question whose words are shown whole
  const connection = createHeartbeat();
  const sending = repeated(() => {
    waits.sent += 1;
    send("vote", { ...waits, at: Date.now() });
    draw();
  }, () => waits, SENDS_AGAIN);

  function receive(given) {
    const isNew = data && [given.asked, given.phase, given.round].join() !== [data.asked, data.phase, data.round].join();
    if (isNew) document.querySelector('[data-testid="stMain"]')?.scrollTo({ top: 0 }); // what is new stands at the top
    if (data?.asked !== given.asked) unfolded = [];
    data = given;
    connection.heard();
    document.cookie = `${TOKEN_COOKIE}=${data.token}; path=/; SameSite=Lax; max-age=${TOKEN_SECONDS}`;
    const over = waits && (data.phase !== "voting" || waits.step !== data.asked || waits.round !== data.round);
    if (over && data.mine !== waits.option) missed = [waits.step, waits.round].join();
    if (over || data.problem || (waits && data.mine === waits.option)) waits = null;
    draw();
  }

  function vote(option) {
    waits = { step: data.asked, round: data.round, option, sent: 0 };
    sending.now();
  }

  function fold(option) {
    unfolded = unfolded.includes(option) ? unfolded.filter((one) => one !== option) : [...unfolded, option];
    draw();
  }

  const draw = () => render(html`<${Device} data=${data} waits=${waits} missed=${missed === [data.asked, data.round].join()} unfolded=${unfolded} vote=${vote} fold=${fold} alone=${() => send("alone", !data.alone)} />`, root);

  function destroy() {
    sending.end();
    connection.end();
  }
  return { receive, destroy };
}

export const Device = ({ data, waits, missed, unfolded, vote, fold, alone }) => html`
  <p class="class-head"><span>Class ${data.code}</span><span>${data.unit} ${data.at + 1} of ${data.steps}</span></p>
  ${data.phase === "reading" ? html`<${Between} data=${data} alone=${alone} />` : html`<${Question} key=${data.asked} ...${{ data, waits, missed, unfolded, vote, fold }} />`}`;

const Between = ({ data, alone }) => html`<section>
  ${data.title && html`<p class="about">The question that the model reads for</p><h1>${data.title}</h1>`}<${Answers} ...${data} />
  <p class="says" role="status">${goingOnWords(data)}</p>${data.write.length ? html`<${ToWrite} write=${data.write} />` : html`<p class="hint">When there is a vote, it comes up here.</p>`}
  ${data.loose && html`<button type="button" class="tool alone" onClick=${alone}>${data.alone ? "Follow the class again" : "Look through the reading yourself"}</button>`}
</section>`;

// The answers that were offered with the question of the reading, if any were.
const Answers = ({ answers }) => answers && html`<p class="hint">${answers}</p>`;

// What learners write on paper in the model's place, and the texts that it had: a memory so far, and a piece of the text.
const ToWrite = ({ write: [ask, ...texts] }) => html`<p class="says"><b>Be the model, on paper.</b> ${ask}</p>
  ${texts.map((text) => html`<blockquote class="to-write" dir="auto">${text.split("\n").filter((line) => line.trim()).map((line) => html`<p>${line}</p>`)}</blockquote>`)}`;

function Question({ data, waits, missed, unfolded, vote, fold }) {
  const open = data.phase === "voting";
  return html`<section>
    ${data.title && html`<p class="about">${data.title}</p>`}<${Answers} ...${data} /><h1>${data.words}</h1>
    <p class=${open && data.mine !== null && !waits ? "status in" : "status"} role="status">${data.problem || learnerWords(data, waits, missed)}</p>
    <${Reason} ...${data} /><${After} ...${data} />
    <${Options} data=${data} vote=${open ? vote : null} picked=${waits ? waits.option : data.mine} folds=${fold} unfolded=${unfolded} />
  </section>`;
}
