"""litellm is loaded with all that its first call imports, in a thread, by what is going to call a model."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.support.paths import LAMP, ROOT
from tests.support.servers.model_server import ModelServer, memwalker_reply, replying

pytestmark = pytest.mark.slow  # loads litellm
MOST_LATER = 10  # modules

_FIRST_CALL = """
import gc, json, sys
from readers import get
from readers.engine.models import loading
from readers.engine.models.call import Call, ModelSettings
from readers.engine.models.model import LiteLLM
loading.load_for_calls()
before = set(sys.modules)
settings = ModelSettings("openai/test", api_base=sys.argv[1])
asked = Call(0, 0, get("memwalker").prompts[0], (), settings, edited=({"role": "user", "content": "Summarise"},))
reply = LiteLLM().complete(asked)
print(json.dumps([sorted(set(sys.modules) - before), gc.isenabled(), reply.text]))
"""
# In the place of loading: whether it was in a thread, and whether a reader was loaded before.
_COMMAND = """
import runpy, sys, threading
from readers.engine.models import loading
def noted():
    print("loading", threading.current_thread() is not threading.main_thread(), "readers.registry" in sys.modules)
loading.load_for_calls = noted
runpy.run_module("readers", run_name="__main__")
"""


def test_a_command_that_ends_while_litellm_is_loaded_waits_for_it() -> None:
    code = "import runpy, sys; from readers.engine.models.loading import load_soon; load_soon(); import litellm; print('ends')"
    ran = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert (ran.returncode, ran.stdout.strip()) == (0, "ends")


def test_the_first_call_imports_hardly_anything_more() -> None:
    with ModelServer(replying(memwalker_reply)) as server:
        ran = subprocess.run(
            [sys.executable, "-c", _FIRST_CALL, server.base_url], cwd=ROOT, capture_output=True, text=True, check=True
        )
    later, collects, reply = json.loads(ran.stdout.splitlines()[-1])
    assert len(later) <= MOST_LATER, later
    assert collects
    assert reply


@pytest.mark.parametrize(
    ("words", "loads"),
    [
        ("read FILE --question Q --model openai/test", True),
        ("read FILE --question Q --model=openai/test", True),
        ("batch SET --model offline/extractive --model openai/test", True),
        ("batch SET --model openai/test --price", False),
        ("read FILE --question Q", False),
        ("read FILE --question Q --model human/you", False),
        ("profiles add Mine --model openai/test", False),
        ("read --model openai/test --help", False),
    ],
)
def test_a_command_that_will_call_a_model_loads_it_from_its_first_line_on(words: str, *, loads: bool) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", _COMMAND, *words.replace("FILE", str(LAMP)).split()], cwd=ROOT, capture_output=True, text=True
    )  # it may fail later: there is no such set, and no server
    assert ("loading True False" in ran.stdout) is loads
