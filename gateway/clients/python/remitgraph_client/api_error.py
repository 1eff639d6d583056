"""Errors of calls, typed by their code."""

import datetime
from email.utils import parsedate_to_datetime
from typing import Any, NamedTuple

import httpx

from .error_codes import ErrorCode
from .exact_json import loads


class FieldIssue(NamedTuple):
    """One fault of a request: the path of the property, such as `requestData.name.firstName`, and a message."""

    path: str
    message: str


class ApiError(Exception):
    """A call that failed. Branch on `code`. The message has no key.

    code: a documented code; CONNECTION_LOST if no answer came, and it is unknown whether the server has acted; UNEXPECTED_ANSWER if the
        answer is not one of the product. A newer server may have more codes: treat an unknown one as a failure.
    status: the HTTP status; None without an answer.
    request_id: `x-request-id` of the answer. Your operator finds the call by it.
    issues: the faults of the request; empty if the error has none.
    retry_after: seconds after which a repetition makes sense; None if the server named none.
    body: the body of the answer, parsed; its text if it is not JSON.
    """

    def __init__(
        self,
        code: "ErrorCode | str",
        message: str,
        *,
        status: int | None = None,
        request_id: str | None = None,
        issues: tuple[FieldIssue, ...] = (),
        retry_after: float | None = None,
        body: Any = None,
    ) -> None:
        # pickle makes the copy for another process from these arguments.
        super().__init__(code, message)
        self.code = code
        self.message = message
        self.status = status
        self.request_id = request_id
        self.issues = issues
        self.retry_after = retry_after
        self.body = body

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"


# Codes of answers that have none in their body and no `X-Error-Code`. Source: "Errors" of documents 1 and 2.
_CODES_BY_STATUS: dict[int, ErrorCode] = {
    400: "INVALID_REQUEST",
    401: "UNAUTHENTICATED",
    403: "FORBIDDEN",
    404: "NOT_FOUND",
    413: "PAYLOAD_TOO_LARGE",
    415: "UNSUPPORTED_MEDIA_TYPE",
    422: "VALIDATION_FAILED",
    429: "RATE_LIMITED",
    500: "INTERNAL_SERVER_ERROR",
    502: "SERVICE_UNAVAILABLE",
    503: "SERVICE_UNAVAILABLE",
    504: "SERVICE_UNAVAILABLE",
}


def read_error(response: httpx.Response) -> ApiError:
    """Reads the error of an answer that is not successful, in the shape of any of the three documents.

    Some have members both in `error` and beside it. A successful answer that is neither JSON nor a CSV file, or too large, is an error
    too.
    """
    body = _parse(response)
    outer = body if isinstance(body, dict) else {}
    inner = outer["error"] if isinstance(outer.get("error"), dict) else {}
    status = response.status_code
    code = (
        _text(inner.get("code"))
        or _text(outer.get("code"))
        or _text(response.headers.get("x-error-code"))
        or _CODES_BY_STATUS.get(status, "UNEXPECTED_ANSWER")
    )
    message = (
        _text(inner.get("message"))
        or _text(outer.get("message"))
        or _text(outer.get("reason"))
        or f"The server answers with status {status}"
    )
    return ApiError(
        code,
        message,
        status=status,
        request_id=response.headers.get("x-request-id"),
        issues=_issues(outer.get("details")) + _issues(inner.get("details")),
        retry_after=read_retry_after(response.headers.get("retry-after")),
        body=body,
    )


def read_retry_after(header: str | None) -> float | None:
    """Seconds of a `Retry-After`, which is a number of seconds or a date (RFC 9110, 10.2.3); None for anything else."""
    if header is None:
        return None
    if header.isascii() and header.isdigit():
        return float(header)
    try:
        at = parsedate_to_datetime(header)
    except (ValueError, OverflowError):
        return None
    # A date without a zone is in UTC.
    at = at if at.tzinfo else at.replace(tzinfo=datetime.timezone.utc)
    return max(0.0, (at - datetime.datetime.now(datetime.timezone.utc)).total_seconds())


def _parse(response: httpx.Response) -> Any:
    try:
        return loads(response.content)
    except ValueError:
        # A proxy may have written it.
        return response.text


def _issues(details: Any) -> tuple[FieldIssue, ...]:
    return tuple(
        FieldIssue(one["path"], one["message"])
        for one in (details if isinstance(details, list) else [])
        # The path of the body itself is empty.
        if isinstance(one, dict) and isinstance(one.get("path"), str) and isinstance(one.get("message"), str)
    )


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None
