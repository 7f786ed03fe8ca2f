"""Client of the Printyard API."""

from ._client import Answer, Printyard
from ._errors import (
    AnswerTimeoutError,
    ApiError,
    NoAnswerError,
    PrintyardError,
    WebhookVerificationError,
)
from ._events import StreamMessage, follow_events
from ._paging import pages, walk
from ._uploads import upload_file
from ._webhooks import WebhookMessage, verify_webhook

__all__ = (
    "Answer",
    "AnswerTimeoutError",
    "ApiError",
    "NoAnswerError",
    "Printyard",
    "PrintyardError",
    "StreamMessage",
    "WebhookMessage",
    "WebhookVerificationError",
    "follow_events",
    "pages",
    "upload_file",
    "verify_webhook",
    "walk",
)
