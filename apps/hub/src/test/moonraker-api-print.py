"""Drives a Moonraker through two prints with moonraker-api, and prints what it was answered as JSON.

Arguments: host, port, API key, G-code file of a print that lasts some minutes.
"""

import asyncio
import json
import os
import sys

import aiohttp
from moonraker_api import MoonrakerClient, MoonrakerListener

HOST, PORT, KEY, FILE = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4]
WAIT_S = 60
NAME = os.path.basename(FILE)
steps = {}


class Listener(MoonrakerListener):
    def __init__(self):
        self.stats = {}
        self.history = []
        self.changed = asyncio.Event()

    async def on_notification(self, method, data):
        if method == "notify_status_update":
            self.stats.update(data[0].get("print_stats", {}))
        if method == "notify_history_changed":
            self.history.append([data[0]["action"], data[0]["job"]["status"]])
        self.changed.set()

    async def until(self, what, holds):
        async def wait():
            while not holds():
                self.changed.clear()
                await self.changed.wait()

        try:
            await asyncio.wait_for(wait(), WAIT_S)
        except asyncio.TimeoutError:
            sys.exit(f"{what} did not come: {self.stats} {self.history}")

    async def until_state(self, state):
        await self.until(f"print_stats.state {state}", lambda: self.stats.get("state") == state)


async def upload(session):
    form = aiohttp.FormData()
    form.add_field("root", "gcodes")
    with open(FILE, "rb") as file:
        form.add_field("file", file, filename=NAME, content_type="application/octet-stream")
        address = f"http://{HOST}:{PORT}/server/files/upload"
        async with session.post(address, data=form, headers={"X-Api-Key": KEY}) as answer:
            return answer.status, await answer.json()


async def print_file(client, listener):
    await client.call_method("printer.print.start", filename=NAME)
    await listener.until_state("printing")


async def main():
    listener = Listener()
    async with aiohttp.ClientSession() as session:
        client = MoonrakerClient(listener, HOST, PORT, api_key=KEY, session=session, timeout=WAIT_S)
        await client.connect()
        call = client.call_method
        steps["klipper"] = await client.get_klipper_status()
        steps["server"] = await client.get_server_info()
        steps["printer"] = await client.get_host_info()
        steps["objects"] = sorted(set(await client.get_supported_modules()) & {"print_stats", "virtual_sdcard", "webhooks"})
        steps["connection"] = sorted(await client.get_websocket_id())
        steps["no such method"] = (await call("printer.no_such_thing"))["error"]["code"]
        async with session.get(f"http://{HOST}:{PORT}/server/info", headers={"X-Api-Key": "0" * 32}) as answer:
            steps["wrong key"] = answer.status
        steps["no file"] = (await call("printer.print.start", filename="none.gcode"))["error"]
        steps["uploaded"] = await upload(session)
        steps["files"] = await call("server.files.list", root="gcodes")
        subscribed = await call("printer.objects.subscribe", objects={"print_stats": None, "webhooks": ["state"]})
        steps["subscribed"] = subscribed["status"]
        listener.stats.update(subscribed["status"]["print_stats"])

        await print_file(client, listener)
        steps["busy"] = (await call("printer.print.start", filename=NAME))["error"]
        steps["paused by"] = await call("printer.print.pause")
        await listener.until_state("paused")
        queried = await call("printer.objects.query", objects={"print_stats": ["state", "filename"], "pause_resume": None})
        steps["paused"] = queried["status"]
        steps["resumed by"] = await call("printer.print.resume")
        await listener.until_state("printing")
        steps["cancelled by"] = await call("printer.print.cancel")
        await listener.until_state("cancelled")

        await print_file(client, listener)
        await listener.until_state("complete")
        await listener.until("the end in the history", lambda: len(listener.history) >= 4)
        steps["told history"] = listener.history
        steps["history"] = await call("server.history.list", limit=2, order="desc")
        last = steps["history"]["jobs"][0]["job_id"]
        steps["job"] = (await call("server.history.get_job", uid=last))["job"]["status"]
        steps["unknown command"] = await call("printer.gcode.script", script="NO_SUCH_COMMAND")
        await call("printer.gcode.script", script="SDCARD_RESET_FILE")
        await listener.until_state("standby")
        steps["deleted"] = (await call("server.files.delete_file", path=f"gcodes/{NAME}"))["action"]
        steps["no files"] = await call("server.files.list", root="gcodes")
        await client.disconnect()
    print(json.dumps(steps))


asyncio.run(main())
