// For each step: how many sentences and rows changed, how many of them are not whole on the screen, how many are said to be further
// below, whether what was recalled stands below the memory, each memory once, whether the legend explains just what is drawn, and whether
// the memory is in view where nothing changed.
async () => {
    const root = [...document.querySelectorAll("*")].find((it) => it.shadowRoot?.querySelector(".player")).shadowRoot;
    const slider = root.querySelector(".track input");
    const dock = root.querySelector(".stepper").getBoundingClientRect();
    const edge = dock.bottom >= innerHeight - 2 ? dock.top : innerHeight; // on a phone the sentence is below the picture
    const frame = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))));
    const inView = (it) => {
        let [top, bottom] = [0, edge];
        for (let box = it.parentElement; box; box = box.parentElement) {
            if (getComputedStyle(box).overflowY === "visible") continue;
            const around = box.getBoundingClientRect();
            [top, bottom] = [Math.max(top, around.top), Math.min(bottom, around.bottom)];
        }
        const { top: first, bottom: last, height } = it.getBoundingClientRect();
        return height > 0 && first >= top - 3 && last <= bottom + 3;
    };
    const found = [];
    for (let step = 0; step <= Number(slider.max); step++) {
        slider.value = step;
        slider.dispatchEvent(new Event("input", { bubbles: true }));
        await frame();
        await frame();
        const words = [...root.querySelectorAll(".memory-words .sentence:not(.layer)")].filter((it) => it.querySelector("ins, del, .how"));
        const rows = [...root.querySelectorAll(".lane.change")];
        const more = [...root.querySelectorAll(".memory-pane .more")].map((it) => Number(/(\d+) more changes? below/.exec(it.textContent)?.[1] ?? 0));
        const recalled = [...root.querySelectorAll(".recall .earlier")];
        found.push({
            step: step + 1,
            words: words.length, words_out: words.filter((it) => !inView(it)).length,
            rows: rows.length, rows_out: rows.filter((it) => !inView(it)).length,
            counted: more.reduce((a, b) => a + b, 0),
            above: recalled.every((it) => it.getBoundingClientRect().top >= root.querySelector(".memory-pane .pal-box").getBoundingClientRect().bottom - 1),
            keys: ["ins", "s"].every((key) => Boolean(root.querySelector(`.memory-now .legend ${key}`)) === [...root.querySelectorAll(`.memory-words ${key}`)].some((it) => it.offsetParent)),
            first: words.length > 0 || !root.querySelector(".memory-words .sentence") || inView(root.querySelector(".memory-words .sentence:not(.layer)")),
            once: new Set(recalled.map((it) => it.parentElement.querySelector("summary").textContent)).size === recalled.length,
        });
    }
    return found;
}
