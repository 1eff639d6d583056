"""JSON with exact decimals: no amount passes through a floating-point number."""

import json
from decimal import Decimal
from typing import Any

# The names of properties that hold amounts and rates. A test compares them with the OpenAPI documents.
AMOUNTS = frozenset(
    {
        "amount",
        "estimatedExchangeRate",
        "exchangeRate",
        "fee",
        "fees",  # Of statements, as `fx`.
        "fx",
        "rate",
        "receive",
        "recipientAmount",
        "recipientAmout",  # Document 1 spells it so.
        "send",
        "senderAmount",
        "tenantfee",
    }
)


def loads(text: str | bytes) -> Any:
    """Parses JSON. Amounts, and all numbers with a fraction or an exponent, are `Decimal` with the digits of the text.

    Raises ValueError for a text that is not JSON, or that has an exponent or levels beyond what Python reads.
    """
    try:
        return json.loads(text, parse_float=Decimal, object_pairs_hook=_object)
    except (ArithmeticError, RecursionError) as error:
        raise ValueError("The JSON has too large an exponent, or too many levels") from error


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    return {
        # `True` is an int too.
        name: Decimal(value) if name in AMOUNTS and type(value) is int else value
        for name, value in pairs
    }


def dumps(value: Any) -> str:
    """Compact JSON. A `Decimal` becomes a number with the same digits.

    Raises ValueError for a number that is not finite, TypeError for an object that JSON does not have.
    """
    if isinstance(value, Decimal):
        if not value.is_finite():
            raise ValueError(f"{value} is not a JSON number")
        return str(value)
    if isinstance(value, dict):
        return "{" + ",".join(f"{json.dumps(name)}:{dumps(one)}" for name, one in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(dumps(one) for one in value) + "]"
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
