// A lesson in a published site: its page (components/publish/lesson_pages.py) has all the words, and this shows them section by section
// and part by part, hides what comes after a choice until it is made, and moves the player beside it.
import { calm, el } from "../player/dom.js";
import { inAddress, keepAfterHash, setInAddress } from "../player/page_address.js";
import { inAddressOf, keptInWords, progressIn, resultInWords, waitsAt } from "./lesson_progress.js";
import { createLessonStage } from "./lesson_stage.js";
import { addTermCards } from "./term_cards.js";

export async function startLesson(root) {
  keepAfterHash();
  const sections = [...root.querySelectorAll(".lesson-section")].map(sectionOf);
  const shape = sections.map(({ parts, checks }) => ({ parts: parts.map(({ predict, write, revealed, repairs }) => ({ predicts: predict ? revealed.length : repairs.length, writes: Boolean(write), repairs: repairs.length })), checks: checks.map(({ told }) => told.length) }));
  const ways = [...root.querySelectorAll(".lesson-sections button")];
  const ending = root.querySelector(".lesson-ending");
  const [back, onward] = root.querySelectorAll(".lesson-onward button");
  const whole = root.querySelector(".lesson-whole");
  const stage = createLessonStage(root.querySelector(".lesson-stage"), root.dataset.top);
  let done = progressIn({ part: inAddress("part"), chosen: inAddress("chosen") }, shape);

  const partNow = () => sections[done.section].parts[done.at.get(done.section) ?? 0];

  function draw() {
    const { section } = done;
    const here = sections[section];
    const at = done.at.get(section) ?? 0;
    ways.forEach((way, n) => (n === section ? way.setAttribute("aria-current", "step") : way.removeAttribute("aria-current")));
    sections.forEach(({ node }, n) => (node.hidden = n !== section));
    here.intro.hidden = at > 0;
    here.parts.forEach((part, n) => drawPart(part, n, at));
    here.checks.forEach(({ form, told }, n) => drawCheck(form, told, done.answered.get(`${section}.${n}`)));
    const waits = here.parts.length > 0 && waitsAt(done, shape, section, at);
    const next = here.parts[at + 1] ?? sections[section + 1];
    back.disabled = at === 0 && section === 0;
    onward.hidden = !next;
    onward.disabled = waits;
    onward.textContent = next?.onward ?? "";
    ending.hidden = Boolean(next);
    if (!next) ending.querySelector(".learn-result").replaceChildren(...resultInWords(done, shape, isRight).map((text) => el("p", { text })));
    drawStage(here, waits);
    for (const [name, value] of Object.entries(inAddressOf(done, shape))) setInAddress(name, value);
  }

  function drawPart({ node, predict, revealed, write, both, told, repairs }, n, at) {
    node.hidden = n !== at;
    const place = `${done.section}.${n}`;
    const tried = done.tried.get(place) ?? [];
    repairs.forEach((repair, choice) => {
      repair.querySelector(".lesson-untried").hidden = tried.includes(choice);
      repair.querySelector(".lesson-tried").hidden = !tried.includes(choice);
      repair.querySelector("button").disabled = tried.at(-1) === choice;
    });
    if (predict) {
      const chosen = done.predicted.get(place);
      predict.hidden = chosen !== undefined;
      revealed.forEach((each, choice) => (each.hidden = choice !== chosen));
    }
    if (write) {
      const words = done.written.get(place);
      write.hidden = words !== undefined;
      both.hidden = words === undefined;
      if (words !== undefined) showWritten(both.querySelector("figure"), words, write.dataset.fact);
    }
    told.hidden = waitsAt(done, shape, done.section, n);
  }

  // The place in the player: the step before, while a part is still to be predicted or written.
  function drawStage({ parts, known }, waits) {
    const part = parts.length ? partNow() : null;
    whole.hidden = !part || waits;
    const tried = done.tried.get(`${done.section}.${done.at.get(done.section) ?? 0}`)?.at(-1);
    const repair = part?.repairs[tried];
    const shown = repair ? { reading: repair.dataset.reading, at: Number(repair.dataset.at), waits: false } : part && { reading: part.reading, at: part.at - (waits ? 1 : 0), waits };
    if (shown) whole.href = `${root.dataset.top}reading/${shown.reading}/index.html#at=${shown.at + 1}`;
    stage.show(shown && { ...shown, known });
  }

  const isRight = (kind, place, choice) => {
    const [section, n] = place.split(".").map(Number);
    const told = kind === "predicted" ? [...sections[section].parts[n].revealed, ...sections[section].parts[n].repairs] : sections[section].checks[n].told;
    return told[choice].dataset.right === "yes";
  };

  function go(section, part) {
    done.section = section;
    done.at.set(section, part);
    draw();
    const { node } = sections[section].parts.length && part ? partNow() : sections[section];
    const head = node.querySelector("h2");
    head.tabIndex = -1;
    head.focus({ preventScroll: true });
    root.scrollIntoView({ block: "start", behavior: calm() ? "instant" : "smooth" });
  }

  // What was chosen or written is taken once; what follows it is told to those who listen.
  function take(into, place, value, told) {
    into.set(place, value);
    draw();
    told().tabIndex = -1;
    told().focus({ preventScroll: true });
    told().scrollIntoView({ block: "nearest", behavior: calm() ? "instant" : "smooth" });
  }

  function listen() {
    ways.forEach((way, n) => way.addEventListener("click", () => go(n, done.at.get(n) ?? 0)));
    back.addEventListener("click", () => {
      const at = done.at.get(done.section) ?? 0;
      if (at) return go(done.section, at - 1);
      go(done.section - 1, Math.max(0, sections[done.section - 1].parts.length - 1));
    });
    onward.addEventListener("click", () => {
      const at = done.at.get(done.section) ?? 0;
      if (sections[done.section].parts[at + 1]) go(done.section, at + 1);
      else go(done.section + 1, 0);
    });
    ending.querySelector("button").addEventListener("click", () => {
      for (const form of root.querySelectorAll("form")) form.reset();
      done = progressIn({}, shape);
      go(0, 0);
    });
    sections.forEach((section, s) => {
      section.parts.forEach((part, n) => listenToPart(part, `${s}.${n}`));
      section.checks.forEach(({ form, told }, n) => {
        form.addEventListener("change", ({ target }) => {
          if (!done.answered.has(`${s}.${n}`)) done.answered.set(`${s}.${n}`, Number(target.value)); // the first answer counts
          draw();
          told.forEach((each, choice) => (each.hidden = choice !== Number(target.value)));
        });
        form.addEventListener("submit", (event) => event.preventDefault());
      });
    });
    window.addEventListener("hashchange", () => {
      done = { ...progressIn({ part: inAddress("part"), chosen: inAddress("chosen") }, shape), written: done.written, tried: done.tried };
      draw();
    });
  }

  function listenToPart({ predict, revealed, write, both, repairs }, place) {
    repairs.forEach((repair, choice) => repair.querySelector("button").addEventListener("click", () => {
      done.tried.set(place, [...(done.tried.get(place) ?? []), choice]);
      if (!done.predicted.has(place)) done.predicted.set(place, choice); // the first is kept
      draw();
    }));
    predict?.addEventListener("submit", (event) => {
      event.preventDefault();
      const chosen = predict.elements.choice.value;
      if (chosen !== "") take(done.predicted, place, Number(chosen), () => revealed[Number(chosen)]);
    });
    write?.addEventListener("submit", (event) => {
      event.preventDefault();
      take(done.written, place, write.elements.words.value.trim(), () => both);
    });
  }

  listen();
  await addTermCards();
  draw();
}

// A section of the page with its parts and questions.
function sectionOf(node) {
  return {
    node,
    onward: node.dataset.onward,
    known: node.dataset.known === "yes",
    intro: node.querySelector(".lesson-intro"),
    parts: [...node.querySelectorAll(".lesson-part")].map(partOf),
    checks: [...node.querySelectorAll(".lesson-check")].map((form) => ({ form, told: [...form.querySelectorAll(".lesson-feedback")] })),
  };
}

function partOf(node) {
  const one = (kind) => node.querySelector(`.lesson-${kind}`);
  return { node, onward: node.dataset.onward, reading: node.dataset.reading, at: Number(node.dataset.at), predict: one("predict"), revealed: [...node.querySelectorAll(".lesson-revealed")], write: one("write"), both: one("both"), told: one("told"), repairs: [...node.querySelectorAll(".lesson-repair")] };
}

function drawCheck(form, told, chosen) {
  const now = form.elements.choice.value;
  if (chosen !== undefined && now === "") form.elements.choice.value = String(chosen);
  const shown = now === "" ? chosen : Number(now);
  told.forEach((each, choice) => (each.hidden = choice !== shown));
}

function showWritten(figure, words, fact) {
  const count = words ? words.split(/\s+/).length : 0;
  const lines = words.split("\n").filter((line) => line.trim());
  figure.querySelector("figcaption").textContent = `You: ${count.toLocaleString("en")} ${count === 1 ? "word" : "words"}`;
  figure.querySelector("blockquote").replaceChildren(...lines.map((text) => el("p", { text, dir: "auto" })));
  figure.querySelector(".lesson-kept")?.remove();
  figure.append(el("p", { class: "lesson-kept", text: keptInWords(words, fact) }));
}
