"""Checks signatures of remitgraph webhooks. Python 3.8 or newer, standard library only: copy this one file."""

import base64
import hashlib
import hmac
import re
import time
from typing import Callable, Dict, Iterable, List, Mapping, NamedTuple, Optional, Union


class WebhookVerificationError(Exception):
    """The webhook must not be trusted. `code` says why; the message has no secret and no signature.

    Codes: MISSING_HEADER, MALFORMED_HEADER, MISMATCH, TOO_OLD, IN_FUTURE.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class _Claim(NamedTuple):
    time: Optional[str]
    candidates: List[str]
    encode: Callable[[bytes], str]


_SIGNATURES = re.compile(
    r"t=[0-9]{1,12}(?=.*,v1=)(?:,(?:v1=[0-9a-f]{64}|(?!v1=|t=)[a-z][A-Za-z0-9_]{0,15}=[^,\s]{0,256})){1,16}"
)
_SECONDS = re.compile(r"[0-9]{1,12}")
_HEX = re.compile(r"[0-9a-f]{64}")
_BASE64 = re.compile(r"[A-Za-z0-9+/]{43}=")


def verify_webhook(
    scheme: str,
    headers: Mapping[str, str],
    body: bytes,
    secrets: Union[str, Iterable[str]],
    tolerance_seconds: float = 300,
    now: Optional[float] = None,
) -> None:
    """Returns when the webhook was signed with one of the secrets, over exactly this body, and not long ago.

    scheme: "request_money" (document 2, X-Webhook-Signature), "partner" (document 3, X-RAAS-Signature) or "outcome"
        (document 1, x-raas-signature, which has no time). You know it by the URL that you gave us.
    body: the bytes as received, before they are parsed.
    secrets: one or, while secrets are rotated, several.
    now: your clock in Unix seconds; the present by default.

    Raises WebhookVerificationError when the webhook must not be trusted, TypeError or ValueError when the call is wrong.
    """
    keys = [secrets] if isinstance(secrets, str) else list(secrets)
    if not keys or not all(isinstance(key, str) and key for key in keys):
        raise ValueError("secrets must be one or more texts that are not empty")
    if not isinstance(body, (bytes, bytearray, memoryview)):
        raise TypeError("body must be the bytes as received, not what was parsed from them")
    if not 0 <= tolerance_seconds < float("inf"):
        raise ValueError("tolerance_seconds must be 0 or more")
    if now is not None and not -float("inf") < now < float("inf"):
        # NaN has no distance from any time, so every webhook would be recent.
        raise ValueError("now must be a finite number")
    if scheme not in _READERS:
        raise ValueError("scheme must be one of " + ", ".join(_READERS))
    claim = _READERS[scheme](headers)
    expected = [claim.encode(_sign(key, claim.time, body)) for key in keys]
    # All pairs, so that the time taken does not reveal the good one.
    matches = [hmac.compare_digest(one, other) for one in expected for other in claim.candidates]
    # The signature before the time: an unsigned time says nothing.
    if not any(matches):
        raise WebhookVerificationError("MISMATCH", "The signature is of another body, secret or time")
    if claim.time is not None:
        _require_recent((time.time() if now is None else now) - int(claim.time), tolerance_seconds)


def _read_request_money(headers: Mapping[str, str]) -> _Claim:
    first, *elements = _require_header(headers, "X-Webhook-Signature", _SIGNATURES).split(",")
    # An element of another name is of a later version, and says nothing here.
    return _Claim(first[2:], [one[3:] for one in elements if one.startswith("v1=")], _to_hex)


def _read_partner(headers: Mapping[str, str]) -> _Claim:
    signature = _require_header(headers, "X-RAAS-Signature", _HEX)
    return _Claim(_require_header(headers, "X-RAAS-Timestamp", _SECONDS), [signature], _to_hex)


def _read_outcome(headers: Mapping[str, str]) -> _Claim:
    return _Claim(None, [_require_header(headers, "x-raas-signature", _BASE64)], _to_base64)


_READERS: Dict[str, Callable[[Mapping[str, str]], _Claim]] = {
    "request_money": _read_request_money,
    "partner": _read_partner,
    "outcome": _read_outcome,
}


def _require_header(headers: Mapping[str, str], name: str, pattern: "re.Pattern[str]") -> str:
    values = [value for key, value in headers.items() if key.lower() == name.lower()]
    if not values or values[0] == "":
        raise WebhookVerificationError("MISSING_HEADER", f"The header {name} is missing")
    if len(values) > 1 or not pattern.fullmatch(values[0]):
        raise WebhookVerificationError("MALFORMED_HEADER", f"The header {name} is malformed")
    return values[0]


def _sign(key: str, at: Optional[str], body: bytes) -> bytes:
    mac = hmac.new(key.encode(), digestmod=hashlib.sha256)
    if at is not None:
        mac.update(f"{at}.".encode())
    mac.update(body)
    return mac.digest()


def _to_hex(digest: bytes) -> str:
    return digest.hex()


def _to_base64(digest: bytes) -> str:
    return base64.b64encode(digest).decode()


def _require_recent(age: float, tolerance: float) -> None:
    if age > tolerance:
        raise WebhookVerificationError("TOO_OLD", f"Signed more than {tolerance} s ago")
    if age < -tolerance:
        raise WebhookVerificationError("IN_FUTURE", f"Signed more than {tolerance} s in the future")
