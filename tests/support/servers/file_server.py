"""A server of one file on loopback that can be made to behave badly: it cuts off, ignores ranges, moves, or has another file.

with FileServer(data, cuts=(100,)) as server:
    ... server.url, server.ranges
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any


class FileServer:
    """`cuts`: after how many bytes each of the first requests is cut off. `ranges`: whether it continues in the middle.

    `says_length`: whether an answer says how long it is. `asked` has the Range header of each request that got bytes.
    """

    def __init__(self, data: bytes, *, cuts: Sequence[int] = (), ranges: bool = True, says_length: bool = True) -> None:
        self.data, self.ranges, self.says_length = data, ranges, says_length
        self.asked: list[str | None] = []
        self._cuts = list(cuts)
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    @property
    def home(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def url(self) -> str:
        return f"{self.home}/file"

    def next_cut(self) -> int | None:
        return self._cuts.pop(0) if self._cuts else None

    def __enter__(self) -> FileServer:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def _handler(server: FileServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            match self.path:
                case "/moved":
                    self._head(302, Location="/file")
                case "/gone":
                    self._head(404)
                case _:
                    self._send_file()

        def _send_file(self) -> None:
            asked = self.headers["Range"]
            server.asked.append(asked)
            start = int(asked.removeprefix("bytes=").removesuffix("-")) if asked and server.ranges else 0
            size = len(server.data)
            if start >= size:
                self._head(416)
                return
            headers = {"Content-Range": f"bytes {start}-{size - 1}/{size}"} if start else {}
            if server.says_length:
                headers["Content-Length"] = str(size - start)
            self._head(206 if start else 200, **headers)
            cut = server.next_cut()
            self.wfile.write(server.data[start : size if cut is None else start + cut])

        def _head(self, status: int, **headers: str) -> None:
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name.replace("_", "-"), value)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            """Nothing: tests read standard error."""

    return Handler
