"""What was typed and not saved outlives the tab it was typed in: the label panel's outbox alone, without the app around it."""

from __future__ import annotations

import json

from playwright.sync_api import Page

from components.html.scripts import script

LEFT = """([seed, words]) => {
    const where = { project: "p", run: "r", by: "Ann" };
    for (const [tab, note] of words) {
        const want = { do: "put", value: { words: note, group: "" }, book: 0, typed: true };
        const entry = { id: "note", kind: "note", target: { step: 1 }, want, sent: null, base: 0, where };
        localStorage.setItem(`palimpsest.bench.${seed}.${tab}.note`, JSON.stringify(entry));
    }
}"""
OPENED = """(seed) => new Promise((done) => {
    SCRIPT
    const sent = [];
    const kept = { revision: 0, words: "" };
    const answer = ({ n, ops }) => {  // as the server does: the first is kept, the second comes too late
        const answers = ops.map(({ n, expected, label }) => {
            sent.push(label.value.words);
            if (expected !== kept.revision) return { n, stands: kept.revision };
            Object.assign(kept, { revision: kept.revision + 1, words: label.value.words });
            return { n, revision: kept.revision };
        });
        const labels = [{ id: "note", kind: "note", target: { step: 1 }, value: { words: kept.words }, revision: kept.revision }];
        setTimeout(() => box.taken({ n, answers, labels: kept.revision ? labels : [], book: 0 }), 5);
    };
    const box = createOutbox({ seed, where: { project: "p", run: "r", by: "Ann" }, send: answer, changed() {} });
    box.start();
    setTimeout(() => done({ sent, blocked: box.blocked().map(({ want }) => want.value.words) }), 900);
})"""


def test_of_two_closed_tabs_with_words_on_one_label_neither_is_lost(page: Page) -> None:
    page.goto("./_stcore/health")  # a page of this origin, with nothing on it
    page.evaluate(LEFT, ["closed", [["tab-a", "typed in A"], ["tab-b", "typed in B"]]])
    found = page.evaluate(OPENED.replace("SCRIPT", script("annotate/outbox.js")), "closed")
    assert sorted(found["sent"]) == ["typed in A", "typed in B"]
    assert found["blocked"] == found["sent"][1:]  # it is shown beside what was kept, to be decided
    assert "typed in" in json.dumps(page.evaluate("Object.values(localStorage)"))  # and lies there until then
