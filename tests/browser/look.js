// Goes through these steps (from 0) of a player, and says what is wrong with what is seen, and where the main parts lie.
async ({ steps, letters, labelled, picture }) => {
    const root = [...document.querySelectorAll("*")].find((it) => it.shadowRoot?.querySelector(".player")).shadowRoot;
    const player = root.querySelector(".player");
    const slider = player.querySelector(".track input");
    const seen = (it) => it.checkVisibility({ visibilityProperty: true }) && it.getClientRects().length > 0;
    const frame = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))));
    const round = ({ left, top, width, height }) => [left, top, width, height].map(Math.round).join(" ");
    const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1.5 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1.5;
    const wrong = [];
    const places = {};

    function inView(name) {
        const box = player.querySelector(name).getBoundingClientRect();
        const share = (Math.min(innerHeight, box.bottom) - Math.max(0, box.top)) / box.height;
        if (share < 0.5 || box.left < 0 || box.right > innerWidth + 1) wrong.push(`${name} is not in view: ${round(box)}`);
    }
    // The nearest box around it that cuts off what reaches beyond its sides; null if there is none.
    function cutter(it) {
        for (let box = it.parentElement; box && box !== player; box = box.parentElement) {
            const { overflowX } = getComputedStyle(box);
            if (overflowX !== "visible") return overflowX === "auto" || overflowX === "scroll" ? null : box.getBoundingClientRect();
        }
        return null;
    }
    function words() {
        for (const it of player.querySelectorAll("*")) {
            const own = [...it.childNodes].filter((child) => child.nodeType === 3 && child.data.trim());
            if (!own.length || !seen(it) || it.closest(".visually-hidden, select")) continue;
            const style = getComputedStyle(it);
            if (parseFloat(style.fontSize) < letters) wrong.push(`letters of ${style.fontSize}: ${it.textContent.slice(0, 40)}`);
            if (it.closest(".options .title, .lane-words")) continue; // a click shows it whole
            if (["hidden", "clip"].includes(style.overflowX) && it.scrollWidth > it.clientWidth + 1) wrong.push(`cut off: ${it.textContent.slice(0, 60)}`);
            if (["hidden", "clip"].includes(style.overflowY) && it.scrollHeight > it.clientHeight + 2) wrong.push(`cut off below: ${it.textContent.slice(0, 60)}`);
            const pane = (it.closest(player.matches(".staged") ? ".pane" : ".pane, .top") ?? player).getBoundingClientRect();
            const range = document.createRange();
            own.forEach((child) => { range.selectNode(child); for (const box of range.getClientRects()) if (box.right > pane.right + 1 || box.left < pane.left - 1) wrong.push(`beside its pane: ${child.data.slice(0, 60)}`); });
            const around = cutter(it);
            if (around) own.forEach((child) => { range.selectNode(child); for (const box of range.getClientRects()) if (box.right > around.right + 1 || box.left < around.left - 1) wrong.push(`cut off by what is around it: ${child.data.slice(0, 60)}`); });
        }
    }
    // The part of an element that is not scrolled out of a box around it; null if nothing is left.
    function shown(it) {
        let { left, right, top, bottom } = it.getBoundingClientRect();
        for (let box = it.parentElement; box; box = box.parentElement) {
            if (getComputedStyle(box).overflowY === "visible") continue;
            const around = box.getBoundingClientRect();
            [top, bottom] = [Math.max(top, around.top), Math.min(bottom, around.bottom)];
        }
        return right > left && bottom > top ? { left, right, top, bottom } : null;
    }
    function labels() {
        const named = [...player.querySelectorAll(".row > *, .line > *, .step-tools > *, .head > *, .tools > *, .legend > span, .strip .number, .strip .mark, svg text")].filter((it) => seen(it) && shown(it))
            .map((it) => ({ text: it.textContent || it.className, ...shown(it) }));
        const drawn = [...player.querySelectorAll("canvas")].filter(seen).map((it) => {
            const [wide, high] = [it.clientWidth, it.clientHeight];
            const there = (it.labels ?? []).filter((one) => one.right > 0 && one.left < wide && one.bottom > 0 && one.top < high && one.text.trim());
            for (const one of there) if (one.letters < labelled - 0.05) wrong.push(`letters of ${one.letters.toFixed(1)}px: ${one.text}`);
            return there;
        });
        for (const all of [named, ...drawn]) all.forEach((one, n) => all.slice(0, n).forEach((other) => meet(one, other) && wrong.push(`overlap: ${one.text} | ${other.text}`)));
    }
    for (const step of steps) {
        slider.value = step;
        slider.dispatchEvent(new Event("input", { bubbles: true }));
        await frame();
        const before = wrong.length;
        for (const name of [picture, ".columns > :first-child", ".text-pane"]) inView(name);
        words();
        labels();
        for (let n = before; n < wrong.length; n++) wrong[n] = `step ${step + 1}: ${wrong[n]}`;
        for (const name of [".track", picture, ".columns > :first-child", ".text-pane"]) (places[name] ??= new Set()).add(round(player.querySelector(name).getBoundingClientRect()));
    }
    return { wrong, places: Object.fromEntries(Object.entries(places).map(([name, found]) => [name, [...found]])), begins: player.querySelector(picture).getBoundingClientRect().top };
}
