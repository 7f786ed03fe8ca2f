"""Webhooks that arrive."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from standardwebhooks import Webhook
from standardwebhooks.webhooks import WebhookVerificationError as LibraryError

from ._errors import WebhookVerificationError
from .models import Event


@dataclass(frozen=True)
class WebhookMessage:
    """What is sent to a webhook.

    Attributes:
        id: ID of the event, the same at every attempt: remember it, and ignore what you have had.
        type: Type of the event, such as ``job.completed``.
        timestamp: When the event was recorded.
        data: The event, as the feed has it.
    """

    id: str
    type: str
    timestamp: str
    data: Event


def verify_webhook(body: bytes | str, headers: Mapping[str, str], secret: str | Sequence[str]) -> WebhookMessage:
    """Verifies a message by the scheme of Standard Webhooks and reads it. It may be five minutes old.

    Args:
        body: As it arrived, before anything parsed it.
        headers: Of the request; capitals do not matter.
        secret: ``whsec_…``; several while one is rotated.

    Raises:
        WebhookVerificationError: No secret fits, or the message is too old.
    """
    fields = {name.lower(): value for name, value in headers.items()}
    text = body if isinstance(body, str) else _text(body)
    why: Exception | None = None
    for one in [secret] if isinstance(secret, str) else secret:
        try:
            # binascii.Error, which a secret that is no base64 raises, is a ValueError.
            Webhook(one).verify(text, fields)
        except (LibraryError, ValueError, RuntimeError) as error:
            why = error
            continue
        message: dict[str, Any] = json.loads(text)
        return WebhookMessage(
            fields["webhook-id"], message["type"], message["timestamp"], Event.from_dict(message["data"])
        )
    raise WebhookVerificationError(f"The webhook is not by this secret: {why}") from why


def _text(body: bytes) -> str:
    try:
        return body.decode()
    except UnicodeDecodeError as error:
        raise WebhookVerificationError("The webhook is no UTF-8.") from error
