"""A front of a store that says 503 to some requests, and counts them."""

from __future__ import annotations

import http.client
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class BusyStore:
    """Passes requests on to a port of this machine. With `every` above zero, every so many-th of them gets 503 with the word `busy`."""

    def __init__(self, to: int, busy: str) -> None:
        self.every = 0
        self.requests = self.refused = 0
        self._lock = threading.Lock()
        store = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def pass_on(self) -> None:
                body = self._body()
                if store._is_refused():
                    text = f"<?xml version='1.0'?><Error><Code>{busy}</Code><Message>Please reduce your request rate.</Message></Error>"
                    return self._answer(503, [("Content-Type", "application/xml"), ("x-ms-error-code", busy)], text.encode())
                upstream = http.client.HTTPConnection("127.0.0.1", to, timeout=60)
                framing = ("transfer-encoding", "content-length", "expect", "connection")
                headers = {name: value for name, value in self.headers.items() if name.lower() not in framing}
                headers["Content-Length"] = str(len(body))
                upstream.request(self.command, self.path, body, headers)
                answer = upstream.getresponse()
                data = answer.read()
                self._answer(answer.status, answer.getheaders(), data)
                upstream.close()

            do_GET = do_PUT = do_POST = do_HEAD = do_DELETE = do_PATCH = pass_on

            def _body(self) -> bytes:
                if "chunked" not in self.headers.get("Transfer-Encoding", ""):
                    return self.rfile.read(int(self.headers.get("Content-Length") or 0))
                parts = []
                while size := int(self.rfile.readline().split(b";")[0], 16):
                    parts.append(self.rfile.read(size))
                    self.rfile.readline()
                self.rfile.readline()
                return b"".join(parts)

            def _answer(self, status: int, headers: list[tuple[str, str]], data: bytes) -> None:
                self.send_response_only(status)
                named = {name.lower() for name, _ in headers}
                for name, value in headers:
                    if name.lower() not in ("transfer-encoding", "connection"):
                        self.send_header(name, value)
                if "content-length" not in named:
                    self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(data)

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def _is_refused(self) -> bool:
        with self._lock:
            self.requests += 1
            refused = self.every > 0 and self.requests % self.every == 0
            self.refused += refused
            return refused

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
