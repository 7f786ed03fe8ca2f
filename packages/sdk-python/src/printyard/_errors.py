"""Failures of calls."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from math import ceil
from typing import Any

import httpx


class PrintyardError(Exception):
    """Any failure of a call."""


class ApiError(PrintyardError):
    """The service refused. Branch on ``code``; the message is for people and may change.

    Attributes:
        status: HTTP status.
        code: Code of the error; ``UNKNOWN`` when the answer came from a proxy.
        details: What is wrong, in a form that depends on the code; of ``VALIDATION_ERROR`` the
            sentences by field.
        request_id: Quote it when you report a problem; None when the answer came from a proxy.
        retry_after: Seconds after which to ask again; None when the service does not say.
    """

    def __init__(
        self,
        message: str,
        *,
        status: int,
        code: str,
        details: Any = None,
        request_id: str | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.details = details
        self.request_id = request_id
        self.retry_after = retry_after


class NoAnswerError(PrintyardError):
    """No answer came: whether the service has done what was asked is not known."""


class AnswerTimeoutError(NoAnswerError):
    """No answer came in time."""


class WebhookVerificationError(PrintyardError):
    """A webhook that was not sent by your service, or too long ago."""


def read_refusal(response: httpx.Response) -> ApiError:
    """The error that a response tells of, whose body has been read."""
    error: Any = None
    try:
        error = response.json().get("error")
    except (ValueError, AttributeError):
        pass  # The page of a proxy.
    if not isinstance(error, dict) or not isinstance(error.get("code"), str):
        error = {"code": "UNKNOWN", "message": f"The service answered {response.status_code}."}
    return ApiError(
        str(error.get("message")),
        status=response.status_code,
        code=error["code"],
        details=error.get("details"),
        request_id=response.headers.get("x-request-id"),
        retry_after=read_retry_after(response.headers.get("retry-after"), datetime.now(UTC)),
    )


def read_retry_after(text: str | None, now: datetime) -> float | None:
    """Seconds of ``Retry-After``, which is a number of them or a date."""
    if text is None:
        return None
    if text.strip().isascii() and text.strip().isdigit():
        return float(text)
    try:
        at = parsedate_to_datetime(text)
    except ValueError:
        return None
    return float(max(0, ceil((at - now).total_seconds())))
