"""A server that gives the answers of a test in turn, and keeps the requests."""

import contextlib
import threading
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import NamedTuple


class Answer(NamedTuple):
    """An answer; without a status the server closes the connection instead."""

    status: int | None
    body: str = "{}"
    headers: dict[str, str] = {}
    pause: float = 0.0
    """Seconds before each byte of the body; without a pause the bytes come together."""


class Received(NamedTuple):
    method: str
    path: str
    headers: dict[str, str]
    body: str


class SmallServer:
    """Use it in `with`."""

    def __init__(self, *answers: Answer) -> None:
        self.received: list[Received] = []
        left = list(answers)
        received = self.received

        class Handler(BaseHTTPRequestHandler):
            def answer(self) -> None:
                length = int(self.headers.get("content-length", "0"))
                headers = {name.lower(): value for name, value in self.headers.items()}
                body = self.rfile.read(length).decode()
                received.append(Received(self.command, self.path, headers, body))
                answer = left.pop(0)
                if answer.status is None:
                    return
                self.send_response(answer.status)
                for name, value in answer.headers.items():
                    self.send_header(name, value)
                content = answer.body.encode()
                self.send_header("content-length", str(len(content)))
                self.end_headers()
                # An OSError: the client has closed the connection.
                with contextlib.suppress(OSError):
                    for part in [bytes([byte]) for byte in content] if answer.pause else [content]:
                        time.sleep(answer.pause)
                        self.wfile.write(part)

            do_GET = do_POST = do_PUT = answer

            def log_message(self, format: str, *_args: object) -> None:
                """Prints nothing."""

        self._server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> "SmallServer":
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}).start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._server.shutdown()
        self._server.server_close()
