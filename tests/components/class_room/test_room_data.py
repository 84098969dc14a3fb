"""The address that a room is given: never one that leads nowhere without saying so."""

from __future__ import annotations

import segno

from components.class_room.room_data import QUIET, qr_code, room_address

CODE = "KHMRTW"


def test_a_server_that_answers_on_this_machine_alone_says_how_to_start_it_for_a_room() -> None:
    address, problem = room_address("http://localhost:8501/Class", CODE, listens="localhost", own=["192.168.1.5"])
    assert "--server.address 0.0.0.0" in problem
    assert "http://192.168.1.5:8501/Class?code=KHMRTW" in problem  # the address that devices would then need
    assert address == "http://localhost:8501/Class?code=KHMRTW"


def test_the_room_gets_an_address_of_this_machine_where_it_listens_for_others() -> None:
    for page in ("http://localhost:8501/Class", "http://127.0.0.1:8501/Class", "http://[::1]:8501/Class"):
        found = room_address(page, CODE, listens="0.0.0.0", own=["192.168.1.5", "172.17.0.1"])
        assert found == ("http://192.168.1.5:8501/Class?code=KHMRTW", "")
    _, problem = room_address("http://localhost:8501/Class", CODE, listens="", own=[])
    assert "No other device can reach this machine" in problem


def test_where_the_teacher_came_by_an_address_of_the_network_the_room_comes_by_it_too() -> None:
    for page in ("https://read.example.org/app/Class", "http://192.168.1.5:8501/Class"):
        assert room_address(page, CODE, listens="localhost", own=[]) == (f"{page}?code=KHMRTW", "")


def test_the_qr_code_has_every_dark_square_and_its_quiet_zone() -> None:
    address = "http://192.168.1.5:8501/Class?code=KHMRTW"
    found = qr_code(address)
    rows = segno.make(address, error="m", micro=False).matrix
    assert found["size"] == len(rows) + 2 * QUIET
    assert found["path"].count("M") == sum(map(sum, rows))
    assert found["path"].startswith(f"M{QUIET} {QUIET}h1")  # the corner of the finder
