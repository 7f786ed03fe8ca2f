"""Drives a PrusaLink through a whole print with pyprusalink, and prints what it was told as JSON.

Arguments: the address, the password, the file to print. The calls that pyprusalink has no method for, storing and starting a file,
go through its own client with its own login.
"""

import asyncio
import json
import sys
from pathlib import Path

from httpx import AsyncClient
from pyprusalink import PrusaLink
from pyprusalink.types import Conflict, InvalidAuth, NotFound

address, password, path = sys.argv[1:]
content = Path(path).read_bytes()
name = Path(path).name
steps: dict = {}


async def until(read, holds, awaited: str):
    for _ in range(400):
        told = await read()
        if holds(told):
            return told
        await asyncio.sleep(0.05)
    raise SystemExit(f"waited for {awaited}; last told: {told}")


async def name_of(call) -> str:
    try:
        await call
    except (Conflict, InvalidAuth, NotFound) as error:
        return type(error).__name__
    return "accepted"


async def main() -> None:
    async with AsyncClient(timeout=20) as http:
        printer = PrusaLink(http, address, "maker", password)
        stranger = PrusaLink(http, address, "maker", "wrong")
        key = {"X-Api-Key": password}

        async def send(file: str, **headers: str) -> int:
            url = f"{address}/api/v1/files/usb/{file}"
            kind = {"content-type": "application/octet-stream"}
            sent = await http.put(url, content=content, headers={**kind, **headers}, auth=printer.client._auth)
            return sent.status_code

        async def state():
            return await printer.get_status()

        def is_now(word):
            return lambda told: told["printer"]["state"] == word

        steps["stranger"] = await name_of(stranger.get_version())
        steps["version"] = await printer.get_version()
        steps["info"] = await printer.get_info()
        steps["storage"] = await printer.get_storage()
        steps["idle"] = await state()
        steps["older"] = await printer.get_legacy_printer()
        steps["no job"] = await printer.get_job()
        steps["no transfer"] = await printer.get_transfer()

        steps["upload"] = await send(name)
        steps["again"] = await send(name)
        steps["overwritten"] = await send(name, Overwrite="?1")
        steps["files by key"] = (await http.get(f"{address}/api/v1/files/usb", headers=key)).json()
        async with printer.client.request("POST", f"/api/v1/files/usb/{name}") as started:
            steps["start"] = started.status_code
        steps["printing"] = await until(state, is_now("PRINTING"), "the print")
        job = await printer.get_job()
        steps["job"] = job
        steps["picture"] = (await printer.get_file(job["file"]["refs"]["thumbnail"]))[1:4].decode()
        steps["download"] = (await printer.get_file(job["file"]["refs"]["download"])) == content
        steps["metadata"] = await printer.get_file_metadata(job["file"]["refs"]["download"])
        steps["busy start"] = await name_of(printer.client.request("POST", f"/api/v1/files/usb/{name}").__aenter__())
        steps["busy delete"] = await name_of(printer.client.request("DELETE", f"/api/v1/files/usb/{name}").__aenter__())
        steps["wrong number"] = await name_of(printer.pause_job(job["id"] + 1))
        await printer.pause_job(job["id"])
        steps["paused"] = await until(state, is_now("PAUSED"), "the pause")
        steps["paused twice"] = await name_of(printer.pause_job(job["id"]))
        await printer.resume_job(job["id"])
        await until(state, is_now("PRINTING"), "the print again")
        await printer.cancel_job(job["id"])
        steps["cancelled"] = await until(state, is_now("STOPPED"), "the end")
        steps["job over"] = await printer.get_job()

        steps["print after upload"] = await send("second.gcode", **{"Print-After-Upload": "?1"})
        steps["second"] = (await printer.get_job())["id"] - job["id"]
        steps["finished"] = await until(state, is_now("FINISHED"), "the end of the second")
        for file in (name, "second.gcode"):
            async with printer.client.request("DELETE", f"/api/v1/files/usb/{file}"):
                pass
        async with printer.client.request("GET", "/api/v1/files/usb") as listed:
            steps["files"] = listed.json()["children"]
    print(json.dumps(steps))


asyncio.run(main())
