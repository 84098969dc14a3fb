"""`profiles`, and `--profile`: a saved model on its terms, in the place of `--model` and its sisters."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from readers.cli import main
from readers.cli.parser import build_parser
from readers.cli.profiles import with_profile
from readers.engine.models.profiles import Profile
from readers.engine.store import Store

SERVER = "http://127.0.0.1:9/v1"


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "ferry.txt"
    path.write_text("The ferry leaves at noon.\n\nThe harbour master keeps a parrot called Doris.", encoding="utf-8")
    return path


def test_profiles_are_saved_listed_and_deleted(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    terms = ["--model", "openai/x", "--api-base", SERVER, "--temperature", "0.5", "--price-in", "1", "--price-out", "2"]
    assert main(["profiles", "add", "Mine", *terms]) == 0
    assert main(["profiles", "add", "mine", "--model", "openai/y"]) == 2
    assert "already a profile 'Mine'" in capsys.readouterr().err
    assert main(["profiles"]) == 0
    assert capsys.readouterr().out == f"Mine: openai/x, api base {SERVER}, temperature 0.5, price in 1.0, price out 2.0\n"
    assert main(["profiles", "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert (row["name"], row["id"], row["price_out"]) == ("Mine", "openai/x", 2.0)
    assert main(["profiles", "add", "Mine", "--replace", "--model", "openai/y", "--json"]) == 0
    assert store.profiles.get("Mine") == Profile("openai/y", name="Mine")
    assert [main(["profiles", "remove", "Mine"]) for _ in range(2)] == [0, 2]
    assert store.profiles.names() == []


def test_a_reading_records_what_the_profile_held_and_arguments_go_before_it(
    text: Path, store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    held = Profile("offline/extractive", temperature=0.5, window=4096, max_calls=40, price_in=1.0, price_out=2.0, name="Mine")
    store.profiles.add(held)
    words = ["read", str(text), "--question", "What is the parrot called?", "--reader", "whole", "--profile", "mine"]
    assert main([*words, "--window", "2048"]) in (0, 3)
    spec = store.runs.listed()[0].spec
    assert {name: spec[name] for name in ("model", "temperature", "window", "caps", "price", "profile")} == {
        "model": "offline/extractive", "temperature": 0.5, "window": 2048, "caps": {"max_calls": 40}, "price": [1.0, 2.0],
        "profile": "Mine",
    }  # fmt: skip
    assert main([*words, "--model", "openai/x"]) == 2
    assert "leave --model out" in capsys.readouterr().err
    assert main([*words[:-1], "Other"]) == 2
    assert "there is no profile 'Other'; saved are 'Mine'" in capsys.readouterr().err


@pytest.mark.parametrize("command", [["batch", "a set"], ["evaluate", "a set"], ["serve"], ["fork", "a run", "--at", "0"]])
def test_every_command_that_asks_a_model_takes_a_profile(command: list[str], store: Store) -> None:
    store.profiles.add(Profile("openai/x", SERVER, timeout=30.0, at_once=2, name="Mine"))
    arguments = with_profile(build_parser(), [*command, "--profile", "Mine", "--timeout", "60"])
    assert arguments.model in ("openai/x", ["openai/x"])
    assert (arguments.api_base, arguments.concurrency, arguments.timeout) == (SERVER, 2, 60.0)
