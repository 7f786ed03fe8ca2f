"""The stream of what happens."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import random
from typing import Any

import httpx

from ._client import Printyard
from ._errors import ApiError, PrintyardError, read_refusal

FIRST_WAIT = 0.5
LONGEST_WAIT = 30.0
SILENCE = 30.0
"""A comment comes every 15 seconds."""


@dataclass(frozen=True)
class StreamMessage:
    """A message of the stream.

    Attributes:
        event: ``change`` has an event of the feed; ``reset`` says that events are missing from here on, so that you
            read again what you show; ``live``, ``hub`` and ``candidates`` tell of printers and hubs. More may come.
        id: Position after this message; None where it has none.
        data: The fields of the message; the API documentation has them for each kind.
    """

    event: str
    id: str | None
    data: dict[str, Any]


def follow_events(
    client: Printyard,
    *,
    after: str | None = None,
    on_break: Callable[[Exception], object] | None = None,
) -> Iterator[StreamMessage]:
    """Follows the stream over breaks of the connection: no event of the feed is left out, and none comes twice.

    Args:
        after: ID of the event after which to begin. Default: now. Keep the last ``id`` to go on after a restart.
        on_break: Called when the connection has broken; it is made again by itself.

    Raises:
        ApiError: The service refuses, such as a key that was revoked.
    """
    last_id = after
    failures = 0
    while True:
        try:
            for event, identity, data in _frames(client, last_id):
                failures = 0
                last_id = identity or last_id
                if data is not None:
                    yield StreamMessage(event, identity, json.loads(data))
            failure: Exception = PrintyardError("The service ended the stream.")
        except ApiError as error:
            if error.status < 500 and error.status != 429:
                raise
            failure = error
        except httpx.TransportError as error:
            failure = error
        if on_break is not None:
            on_break(failure)
        asked = failure.retry_after if isinstance(failure, ApiError) else None
        backoff = min(LONGEST_WAIT, FIRST_WAIT * 2**failures) * (0.5 + random() / 2)
        time.sleep(backoff if asked is None else asked)
        failures += 1


def _frames(client: Printyard, last_id: str | None) -> Iterator[tuple[str, str | None, str | None]]:
    """Frames of server-sent events, as kind, ID and data."""
    headers = {"accept": "text/event-stream"}
    if last_id is not None:
        headers["last-event-id"] = last_id
    with client.stream("/public/v1/events/stream", headers, SILENCE) as response:
        if not response.is_success:
            response.read()
            raise read_refusal(response)
        event = "message"
        identity: str | None = None
        data: list[str] = []
        for line in response.iter_lines():
            if line == "":
                yield event, identity, "\n".join(data) if data else None
                event, identity, data = "message", None, []
                continue
            field, _, value = line.partition(":")
            value = value.removeprefix(" ")
            if field == "id":
                identity = value
            elif field == "event":
                event = value
            elif field == "data":
                data.append(value)
