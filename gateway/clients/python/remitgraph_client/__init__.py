"""The layer around a client that is generated from remitgraph's OpenAPI documents."""

from .api_error import ApiError, FieldIssue
from .error_codes import ErrorCode
from .pages import each_item
from .rest_client import RestClient
from .verify_webhook import WebhookVerificationError, verify_webhook

__all__ = [
    "ApiError",
    "ErrorCode",
    "FieldIssue",
    "RestClient",
    "WebhookVerificationError",
    "each_item",
    "verify_webhook",
]
