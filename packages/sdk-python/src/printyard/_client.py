"""Sends requests to one service with one key: retries, timeouts and idempotency keys are decided here alone."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from copy import copy
from dataclasses import dataclass
from random import random
from types import TracebackType
from typing import Any, Concatenate, Generic, ParamSpec, Self, TypeVar
from urllib.parse import quote
from uuid import uuid4

import httpx

from ._commands import COMMANDS
from ._errors import (
    AnswerTimeoutError,
    ApiError,
    NoAnswerError,
    PrintyardError,
    read_refusal,
)

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

FIRST_WAIT = 0.5
LONGEST_WAIT = 8.0
LONGEST_ASKED_WAIT = 65.0
"""Longer than the minute that a rate limit lasts."""


@dataclass(frozen=True)
class Answer(Generic[Result]):
    """An answer with what came around it.

    Attributes:
        value: What the operation gives.
        etag: For ``if_match`` of a later change; None for what has no version.
        request_id: ID of the request at the service.
    """

    value: Result
    etag: str | None
    request_id: str | None


class Printyard:
    """A connection to the account of one API key. Threads may share it.

    Args:
        base_url: Where the service is, such as ``https://farm.example.com``.
        api_key: An API key of the account.
        timeout: Seconds to wait for the next bytes of an answer. A start is answered after at most 60.
        max_retries: How many times a request is repeated after a failure that may pass.
        headers: Sent with every request.
        verify: Certificates to trust, as httpx takes them.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        timeout: float = 75.0,
        max_retries: int = 3,
        headers: Mapping[str, str] | None = None,
        verify: Any = True,
    ) -> None:
        self._max_retries = max_retries
        self._seen: list[httpx.Response] | None = None
        self._http = httpx.Client(
            base_url=base_url.rstrip("/").removesuffix("/public/v1"),
            headers={**(headers or {}), "authorization": f"Bearer {api_key}"},
            timeout=timeout,
            verify=verify,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections, also of what ``with_retries`` gave."""
        self._http.close()

    def with_retries(self, max_retries: int) -> Printyard:
        """The same connection with another number of retries."""
        other = copy(self)
        other._max_retries = max_retries
        return other

    def with_response(
        self,
        operation: Callable[Concatenate[Printyard, Parameters], Result],
        *args: Parameters.args,
        **kwargs: Parameters.kwargs,
    ) -> Answer[Result]:
        """Calls an operation, and gives its answer with ETag and request ID."""
        watched = copy(self)
        watched._seen = []
        value = operation(watched, *args, **kwargs)
        headers = watched._seen[-1].headers
        return Answer(value, headers.get("etag"), headers.get("x-request-id"))

    def call(self, path: str, request: dict[str, Any], read: Callable[[httpx.Response], Result]) -> Result:
        """Sends a request of the operation at ``path``, and reads its answer. Operations call it."""
        response = self._send(path, request)
        if self._seen is not None:
            self._seen.append(response)
        try:
            return read(response)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise PrintyardError(
                f"The answer of {response.url} cannot be read: is this the address of Printyard?"
            ) from error

    def stream(self, path: str, headers: Mapping[str, str], silence: float) -> AbstractContextManager[httpx.Response]:
        """Opens an answer that stays open, once; ``silence`` is how long nothing may come, in seconds."""
        return self._http.stream("GET", path, headers=dict(headers), timeout=httpx.Timeout(silence))

    def _send(self, path: str, request: dict[str, Any]) -> httpx.Response:
        method: str = request["method"]
        headers: dict[str, str] = dict(request.get("headers", {}))
        if method == "post":
            headers.setdefault("Idempotency-Key", str(uuid4()))
        rewind = _rewinder(request.get("content"))
        is_command = (method, path) in COMMANDS
        is_safe = not is_command and method != "patch" and "If-Match" not in headers and rewind is not None
        attempt = 0
        while True:
            try:
                # Print files may be in a store of their own, which gets no key.
                response = self._http.request(**{**request, "headers": headers}, follow_redirects=method == "get")
                if response.is_success:
                    return response
                failure: PrintyardError = read_refusal(response)
            except httpx.TimeoutException as error:
                failure = AnswerTimeoutError("No answer came in time.")
                failure.__cause__ = error
            except httpx.TransportError as error:
                failure = NoAnswerError(f"No answer came from {self._http.base_url}.")
                failure.__cause__ = error
            if attempt >= self._max_retries or not _is_worth_repeating(failure, is_safe, is_command):
                raise failure
            asked = failure.retry_after if isinstance(failure, ApiError) else None
            if rewind is None or (asked is not None and asked > LONGEST_ASKED_WAIT):
                raise failure
            rewind()
            # Waits differ, so that many clients do not come back in the same moment.
            backoff = min(LONGEST_WAIT, FIRST_WAIT * 2**attempt) * (0.5 + random() / 2)
            time.sleep(backoff if asked is None else asked + random() / 10)
            attempt += 1


def path_part(value: object) -> str:
    """A value as one part of a path.

    Raises:
        PrintyardError: It is empty, ``.`` or ``..``: the request would go to another address.
    """
    text = str(value)
    if text in ("", ".", ".."):
        raise PrintyardError('An ID must not be empty, "." or "..": the request would go to another address.')
    return quote(text, safe="")


def _rewinder(content: Any) -> Callable[[], object] | None:
    """What makes the content of a request ready to be sent again; None when nothing can."""
    if content is None or isinstance(content, (bytes, str)):
        return lambda: None
    if not (hasattr(content, "seekable") and content.seekable()):
        return None
    start = content.tell()
    return lambda: content.seek(start)


def _is_worth_repeating(failure: PrintyardError, is_safe: bool, is_command: bool) -> bool:
    """Whether the same request may be sent again.

    A POST has its idempotency key, and GET, PUT and DELETE leave what they would leave sent once. After
    ``HUB_COMMAND_FAILED`` and the like the service has done what it could.
    """
    if isinstance(failure, NoAnswerError):
        return is_safe
    if not isinstance(failure, ApiError):
        return False
    if failure.status == 429:
        return failure.code == "RATE_LIMITED"
    if failure.code == "IDEMPOTENCY_IN_PROGRESS":
        return not is_command
    if failure.code == "SERVICE_UNAVAILABLE":
        return is_safe
    # Of a proxy, which knows no code of ours.
    return failure.code == "UNKNOWN" and failure.status in (502, 503, 504) and is_safe
