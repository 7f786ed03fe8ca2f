"""Lists that are read page by page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from inspect import signature
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

from ._client import Printyard

Parameters = ParamSpec("Parameters")
Row = TypeVar("Row", covariant=True)
Item = TypeVar("Item")


class Page(Protocol[Row]):
    """One page of a list."""

    @property
    def data(self) -> Sequence[Row]: ...


FoundPage = TypeVar("FoundPage", bound="Page[Any]")


def walk(
    operation: Callable[Concatenate[Printyard, Parameters], Page[Item]],
    client: Printyard,
    *args: Parameters.args,
    **kwargs: Parameters.kwargs,
) -> Iterator[Item]:
    """The rows of a list over all its pages, each of which is asked for when it is needed.

    Rows that are added or removed meanwhile neither repeat nor hide others: pages are walked by cursor.

    Args:
        operation: One that lists, such as ``jobs.list_jobs``; its parameters follow the client.
    """
    for page in pages(operation, client, *args, **kwargs):
        yield from page.data


def pages(
    operation: Callable[Concatenate[Printyard, Parameters], FoundPage],
    client: Printyard,
    *args: Parameters.args,
    **kwargs: Parameters.kwargs,
) -> Iterator[FoundPage]:
    """Page after page of a list. A feed ends where it ends now.

    Raises:
        TypeError: The operation has no pages.
    """
    taken = signature(operation).parameters
    position = "cursor" if "cursor" in taken else "after"
    if position not in taken:
        raise TypeError(f"{operation} has no pages.")
    # The position is one of the parameters of the operation, which no type can say.
    asked: dict[str, Any] = dict(kwargs)
    while True:
        page = operation(client, *args, **asked)
        yield page
        meta: Any = getattr(page, "meta", None)
        following = meta.next_cursor if position == "cursor" else meta.last_id
        if not following or (position == "after" and not page.data):
            return
        asked = {name: value for name, value in asked.items() if name != "offset"}
        asked[position] = following
