"""The HTTP client of generated clients: key, repetitions, exact decimals and typed errors."""

import random as random_numbers
import re
import time
import uuid
from collections.abc import Callable
from typing import Any

import httpx

from .api_error import ApiError, read_error
from .exact_json import dumps, loads

_FIRST_WAIT = 0.5
_LONGEST_WAIT = 8.0
# The size of the largest answer that is read.
_MOST_BYTES = 16 * 1024 * 1024
_LOOPBACK = re.compile(r"localhost|127(\.[0-9]+){3}|::1")
_LINE = re.compile(r"[\x20-\x7e]+")
_CREATE = ("POST", "/v1/request-money")
# Calls that give the same answer when they are repeated, besides those that read. Source: concepts, "Repeating a call".
_REPEATABLE = re.compile(
    r"/v1/user/operations/request-money-v2/[^/]+"
    r"|/v1/request-money/[^/]+/cancel"
    r"|/partner/users/[^/]+/(?:un)?block"
    r"|/partner/pre-quote-lite"
)


class RestClient(httpx.Client):
    """Pass it to a generated client: `Client(base_url=url).set_httpx_client(RestClient(url, key))`.

    - 429 is repeated for every call: the server has not acted. Broken connections and 503 are repeated for reads and for calls that give
      the same answer again. A create gets an `Idempotency-Key`, unless you pass one; each attempt sends the same.
    - Each wait is random, and longer each time. `Retry-After` is its least length.
    - Amounts are `Decimal` in requests and answers.
    - A call that fails raises `ApiError`.
    """

    def __init__(
        self,
        url: str,
        api_key: str,
        *,
        attempts: int = 4,
        timeout: float = 60.0,
        max_wait: float = 60.0,
        random: Callable[[], float] = random_numbers.random,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """url: the address of the product, such as `https://api.example.com`, without `/v1`. It may have a path. It must be https,
            unless the host is this machine. The key is sent to no other address.
        attempts: the number of attempts of a call that may be repeated. With 1, no call is repeated.
        timeout: seconds for connecting, for each silence of the server, and for a whole answer.
        max_wait: a call fails if the server wants a longer wait before its repetition, seconds.
        random: numbers from 0 to 1, for waits.

        Raises ValueError for an address or a key that cannot be used. The error does not contain the key.
        """
        address = httpx.URL(url)
        is_local = address.scheme == "http" and _LOOPBACK.fullmatch(address.host) is not None
        if not address.host or not (address.scheme == "https" or is_local):
            raise ValueError("url must be https, or http of this machine")
        if not _LINE.fullmatch(api_key):
            raise ValueError("api_key must be one line of ASCII characters that is not empty")
        # Redirections are not followed, because they would send the key to another address.
        super().__init__(base_url=url, headers={"X-API-Key": api_key}, timeout=timeout, follow_redirects=False)
        self._address = address
        self._attempts = attempts
        self._seconds = timeout
        self._max_wait = max_wait
        self._random = random
        self._sleep = sleep

    def build_request(self, method: str, url: Any, **options: Any) -> httpx.Request:
        """Builds a request as httpx does, with exact decimals in `json`."""
        json = options.pop("json", None)
        if json is not None:
            # Half a surrogate pair has no UTF-8; this writes it as the escape that JSON has for it.
            options["content"] = dumps(json).encode(errors="backslashreplace")
        request = super().build_request(method, url, **options)
        if json is not None:
            request.headers["Content-Type"] = "application/json"
        if (request.method, self._path(request)) == _CREATE and "Idempotency-Key" not in request.headers:
            request.headers["Idempotency-Key"] = str(uuid.uuid4())
        return request

    def send(self, request: httpx.Request, **options: Any) -> httpx.Response:
        """Sends a request, and repeats it if that is safe.

        Returns an answer with a 2xx status. Raises ApiError for any other outcome, ValueError for a request to another address.
        """
        if _origin(request.url) != _origin(self._address):
            raise ValueError(f"The key is for {self._address.host}, not for {request.url.host}")
        for attempt in range(1, self._attempts + 1):
            try:
                return self._attempt(request, options)
            except ApiError as error:
                least = error.retry_after or 0.0
                if attempt == self._attempts or least > self._max_wait or not self._is_worth_repeating(error, request):
                    raise
            self._sleep(least + self._random() * min(_LONGEST_WAIT, _FIRST_WAIT * 2 ** (attempt - 1)))
        raise ValueError("attempts must be 1 or more")

    def _attempt(self, request: httpx.Request, options: dict[str, Any]) -> httpx.Response:
        ends = time.monotonic() + self._seconds
        try:
            response = super().send(request, **{**options, "stream": True})
            content = _read_whole(response, ends)
        except httpx.RequestError as error:
            lost = "The server cannot be reached, or its answer did not arrive"
            raise ApiError("CONNECTION_LOST", lost) from error
        answer = _ExactResponse(
            response.status_code,
            headers=[one for one in response.headers.raw if one[0].lower() != b"content-encoding"],
            content=content or b"",
            request=request,
        )
        is_readable = content is not None and (request.method == "HEAD" or answer.is_file() or answer.is_json())
        if not (answer.is_success and is_readable):
            raise read_error(answer)
        return answer

    def _is_worth_repeating(self, error: ApiError, request: httpx.Request) -> bool:
        if error.status == 429:
            return True
        path = self._path(request)
        is_repeatable = (
            request.method in ("GET", "HEAD")
            or (request.method, path) == _CREATE
            or _REPEATABLE.fullmatch(path) is not None
        )
        return is_repeatable and (error.status == 503 or error.code == "CONNECTION_LOST")

    def _path(self, request: httpx.Request) -> str:
        """The path of a call, as the documents have it: the product may be below a path of its own."""
        return "/" + request.url.path.removeprefix(self.base_url.path).lstrip("/")


def _origin(url: httpx.URL) -> tuple[str, bytes]:
    return url.scheme, url.netloc


def _read_whole(response: httpx.Response, ends: float) -> bytes | None:
    """Reads the body; None if it is too large.

    Raises ReadTimeout if it is incomplete at this time, although its bytes arrive one after the other.
    """
    parts = []
    size = 0
    try:
        for part in response.iter_bytes():
            size += len(part)
            if size > _MOST_BYTES:
                return None
            parts.append(part)
            if time.monotonic() > ends:
                raise httpx.ReadTimeout("The answer takes too long", request=response.request)
    finally:
        response.close()
    return b"".join(parts)


class _ExactResponse(httpx.Response):
    """A complete answer, whose amounts are `Decimal`."""

    def json(self, **_options: Any) -> Any:
        return loads(self.content)

    def is_file(self) -> bool:
        """Whether it is a CSV file, which comes as it is."""
        return self.headers.get("content-type", "").startswith("text/csv")

    def is_json(self) -> bool:
        try:
            self.json()
        except ValueError:
            return False
        return True
