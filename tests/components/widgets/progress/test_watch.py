"""Work that goes on is drawn with Cancel, and the page is drawn again once it is over."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from tests.support.app_pages import html, quick_harness


def _page() -> None:
    import streamlit as st

    from components.widgets.progress import watch
    from readers.engine.work import Work

    asked = st.session_state.setdefault("asked", [])
    st.session_state["drawn"] = st.session_state.get("drawn", 0) + 1

    def look() -> Work | None:
        asked.append(1)
        return Work(3, 4, stage="Reading", notes=("3 of 4 read",), stopping=len(asked) > 1) if len(asked) < 3 else None

    if len(asked) < 3:
        watch.watch(look, lambda work: watch.show(work, key="w", cancel=lambda: st.session_state.update(stopped=True)))


def test_the_page_is_drawn_again_once_no_work_is_found() -> None:
    app = AppTest.from_function(_page)
    with quick_harness():
        app.run()
        assert '<p class="facts">3 of 4 read</p>' in html(app)
        assert "--done: 75.0%" in html(app)
        app.button[0].click().run()
        assert app.session_state["stopped"]
        assert app.button[0].disabled  # it is stopping
        app.run()
        assert not app.button
        assert app.session_state["drawn"] == 4  # once more than it was run, for nothing was found
