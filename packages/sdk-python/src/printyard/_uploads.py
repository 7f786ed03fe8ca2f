"""Uploads of print files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ._client import Printyard
from .api import files
from .models import CreateFileRequest, CreateUploadUrlRequest, PrintFileDetail
from .types import File


def upload_file(client: Printyard, path: str | Path, *, filename: str | None = None, **details: Any) -> PrintFileDetail:
    """Uploads a print file: asks where to, sends the bytes, and registers what was sent.

    The file is read while it is sent, so its size does not matter.

    Args:
        path: The file.
        filename: What it is called, with the extension by which its kind is told. Default: the last part of the path.
        details: Fields of ``CreateFileRequest`` besides ``upload_token``.
    """
    called = filename or Path(path).name
    link = files.create_upload_url(client, body=CreateUploadUrlRequest(filename=called)).data
    with open(path, "rb") as content:
        files.upload_file(client, link.token, body=File(payload=content))
    registered = CreateFileRequest(upload_token=link.token, **details)
    return files.create_file(client, body=registered).data
