// Goes through these steps (from 0) of a player, and says what is wrong with what is seen, and where the main parts lie. Without a
// `picture`, only of its words and labels.
async ({ steps, letters, labelled, picture }) => {
    const root = [...document.querySelectorAll("*")].find((it) => it.shadowRoot?.querySelector(".player"))?.shadowRoot ?? document;
    const player = root.querySelector(".player");
    const slider = player.querySelector(".track input");
    const seen = (it) => it.checkVisibility({ visibilityProperty: true }) && it.getClientRects().length > 0;
    const frame = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))));
    const round = ({ left, top, width, height }) => [left, top, width, height].map(Math.round).join(" ");
    const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1.5 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1.5;
    const main = picture ? [".track", picture, ".columns > :first-child", ".text-pane"] : [];
    const wrong = [];
    const places = {};

    function inView(name) {
        const box = player.querySelector(name).getBoundingClientRect();
        const share = (Math.min(innerHeight, box.bottom) - Math.max(0, box.top)) / box.height;
        if (share < 0.5 || box.left < 0 || box.right > innerWidth + 1) wrong.push(`${name} is not in view: ${round(box)}`);
    }
    // The boxes around an element that cut what reaches beyond them, from the inside out, each with whether it scrolls and whether a cut
    // is meant (an ellipsis, and a press or the pointer shows the whole).
    const cutters = new Map();
    function cuttersOf(it) {
        if (!it || it === root.host || it === document.body) return [];
        if (cutters.has(it)) return cutters.get(it);
        const style = getComputedStyle(it);
        const around = style.position === "fixed" || it.matches(":popover-open") ? [] : cuttersOf(it.parentElement);
        const scrolls = (way) => way === "auto" || way === "scroll";
        const mine = { box: it.getBoundingClientRect(), name: it.getAttribute("class") ?? it.localName, x: style.overflowX !== "visible", y: style.overflowY !== "visible",
            scrollsX: scrolls(style.overflowX), scrollsY: scrolls(style.overflowY), meant: style.webkitLineClamp !== "none" || (style.textOverflow === "ellipsis" && it.closest("[title], button, summary, a")) };
        const found = mine.x || mine.y ? [mine, ...around] : around;
        cutters.set(it, found);
        return found;
    }
    // What is seen of the box of a line of text, at the height of its small letters, and by what it is cut.
    function shown(line, size, around) {
        const middle = (line.top + line.bottom) / 2;
        const turned = line.height > 2.2 * size; // or several lines as one box
        const box = { left: line.left + 1, right: line.right - 1, top: turned ? line.top + 1 : middle - 0.3 * size, bottom: turned ? line.bottom - 1 : middle + 0.3 * size };
        let by = "";
        for (const { box: outer, name, x, y, scrollsX, scrollsY, meant } of around) {
            const [wide, high] = [x && (box.right > outer.right + 1.5 || box.left < outer.left - 1.5), y && (box.bottom > outer.bottom + 1.5 || box.top < outer.top - 1.5)];
            if (!meant && ((wide && !scrollsX) || (high && !scrollsY))) by ||= name;
            if (x) [box.left, box.right] = [Math.max(box.left, outer.left), Math.min(box.right, outer.right)];
            if (y) [box.top, box.bottom] = [Math.max(box.top, outer.top), Math.min(box.bottom, outer.bottom)];
            if (box.right - box.left < 1 || box.bottom - box.top < 1) return { by };
        }
        return { box, by };
    }
    // All text that is seen: no letters are too small, no words are cut off or reach beyond their pane, and none lie over others.
    function words() {
        cutters.clear();
        const lines = [];
        const range = document.createRange();
        const walk = document.createTreeWalker(player, NodeFilter.SHOW_TEXT, (node) => (node.data.trim() ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_SKIP));
        while (walk.nextNode()) {
            const [node, it] = [walk.currentNode, walk.currentNode.parentElement];
            if (!it.checkVisibility({ visibilityProperty: true, opacityProperty: true, contentVisibilityAuto: true }) || it.closest("select, title, defs, .visually-hidden") || it.getBoundingClientRect().width <= 1) continue;
            const size = parseFloat(getComputedStyle(it).fontSize);
            if (!size) continue; // an icon stands there
            if (size < letters) wrong.push(`letters of ${size}px: ${node.data.slice(0, 40)}`);
            const pane = (it.closest(player.matches(".staged") ? ".pane" : ".pane, .stepper, .top") ?? player).getBoundingClientRect();
            const around = cuttersOf(it);
            range.selectNodeContents(node);
            for (const line of range.getClientRects()) {
                if (line.width < 1.5) continue;
                const { box, by } = shown(line, size, around);
                if (by) wrong.push(`cut off by ${by}: ${node.data.slice(0, 60)}`);
                if (box) lines.push({ ...box, node, it });
                if (box && (box.right > Math.min(pane.right, innerWidth) + 1 || box.left < pane.left - 1)) wrong.push(`beside its pane: ${node.data.slice(0, 60)}`);
            }
        }
        lines.sort((a, b) => a.top - b.top);
        lines.forEach((one, n) => {
            for (let m = n + 1; m < lines.length && lines[m].top < one.bottom - 1; m++) {
                const other = lines[m];
                if (one.node !== other.node && meet(one, other) && !lies(one, other)) wrong.push(`overlap: ${one.node.data.slice(0, 40)} | ${other.node.data.slice(0, 40)}`);
            }
        });
    }
    // Whether one of two texts is covered where they meet: something stays in view over what is scrolled under it.
    function lies(one, other) {
        const [x, y] = [(Math.max(one.left, other.left) + Math.min(one.right, other.right)) / 2, (other.top + Math.min(one.bottom, other.bottom)) / 2];
        const stays = (it, beside) => it && !it.contains(beside) && (/sticky|fixed/.test(getComputedStyle(it).position) || stays(it.parentElement, beside));
        if (x < 0 || y < 0 || x > innerWidth || y > innerHeight) return stays(one.it, other.it) || stays(other.it, one.it);
        const met = new Set();
        for (const it of root.elementsFromPoint(x, y)) {
            met.add(it);
            if (/, 0\)$/.test(getComputedStyle(it).backgroundColor)) continue;
            const within = [one, other].filter((each) => it.contains(each.it));
            if (within.length === 1) return !met.has(within[0] === one ? other.it : one.it);
            if (within.length === 2) return false;
        }
        return false;
    }
    // The labels on canvases: a picture that is moved through may cut those of its boxes at its sides.
    function labels() {
        const moved = player.querySelector(".graph-pane .hint")?.textContent.includes("drag for the rest");
        for (const canvas of player.querySelectorAll("canvas")) {
            if (!seen(canvas)) continue;
            const [wide, high] = [canvas.clientWidth, canvas.clientHeight];
            const there = (canvas.labels ?? []).filter((one) => one.right > 0 && one.left < wide && one.bottom > 0 && one.top < high && one.text.trim());
            there.forEach((one, n) => {
                if (labelled && one.letters < labelled - 0.05) wrong.push(`letters of ${one.letters.toFixed(1)}px: ${one.text}`);
                if ((one.bold || !moved) && (one.left < -2 || one.right > wide + 2 || one.top < -2 || one.bottom > high + 2)) wrong.push(`cut off at the side: ${one.text}`);
                there.slice(0, n).forEach((other) => meet(one, other) && wrong.push(`overlap: ${one.text} | ${other.text}`));
            });
        }
    }
    for (const step of steps) {
        slider.value = step;
        slider.dispatchEvent(new Event("input", { bubbles: true }));
        await frame();
        const before = wrong.length;
        for (const name of main.slice(1)) inView(name);
        words();
        labels();
        for (let n = before; n < wrong.length; n++) wrong[n] = `step ${step + 1}: ${wrong[n]}`;
        for (const name of main) (places[name] ??= new Set()).add(round(player.querySelector(name).getBoundingClientRect()));
    }
    return { wrong, places: Object.fromEntries(Object.entries(places).map(([name, found]) => [name, [...found]])), begins: main.length && player.querySelector(picture).getBoundingClientRect().top };
}
