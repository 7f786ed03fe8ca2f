"""Prints a file through pycentauri and stops a second print; writes what each step showed as JSON.

Usage: pycentauri-print.py cc1|cc2 FILE CONNECTION, where CONNECTION is JSON with `port`, `http_port`, `camera_port`, and for the
second model `serial` and `access_code`. The client knows fixed ports only (3030, 1883, 80, 3031, 8080), each in a constant of a
module: they are set here, so that several simulators fit on one machine.
"""

import asyncio
import json
import sys

from pycentauri import camera, cc2, client, upload
from pycentauri.cc2 import CC2Printer
from pycentauri.client import Printer

STEP_SECONDS = 60
PRINTING = (13, 16)
PAUSED = (6,)
FREE = (0, 8, 9)


async def connect(model, connection):
    upload.UPLOAD_PORT = connection["http_port"]
    if model == "cc1":
        client.WS_PORT = connection["port"]
        camera.CAMERA_PORT = connection["camera_port"]
        # Its port of the camera is the default of an argument, bound when the module was read.
        camera.snapshot.__kwdefaults__["port"] = connection["camera_port"]
        return await Printer.connect("127.0.0.1", enable_control=True, push_period_ms=300)
    cc2.MQTT_PORT = connection["port"]
    camera.CAMERA_PORT_CC2 = connection["camera_port"]
    return await CC2Printer.connect(
        "127.0.0.1",
        enable_control=True,
        push_period_ms=300,
        access_code=connection["access_code"],
        serial_number=connection["serial"],
    )


async def reach(printer, codes):
    async def look():
        async for status in printer.watch():
            if status.print_status in codes:
                return {"code": status.print_status, "file": status.filename or ""}

    return await asyncio.wait_for(look(), STEP_SECONDS)


async def main(model, path, connection):
    steps = {}
    printer = await connect(model, connection)
    try:
        attributes = await printer.attributes()
        steps["attributes"] = {"id": attributes.mainboard_id, "firmware": attributes.firmware_version}
        steps["idle"] = await reach(printer, FREE)
        await printer.set_light(True)
        await printer.set_temperatures(nozzle=50, bed=40)
        steps["picture"] = (await printer.snapshot())[:3].hex()
        name = await printer.upload_file(path)
        listed = await printer.list_files()
        steps["files"] = [(each["filename"], each["size"], each["layer"]) for each in listed["file_list"]]

        await printer.start_print(name)
        steps["printing"] = await reach(printer, PRINTING)
        await printer.pause()
        steps["paused"] = await reach(printer, PAUSED)
        await printer.resume()
        steps["resumed"] = await reach(printer, PRINTING)
        steps["printed"] = await reach(printer, FREE)

        await printer.start_print(name)
        await reach(printer, PRINTING)
        await printer.stop()
        steps["stopped"] = await reach(printer, FREE)

        history = await printer.print_history()
        steps["history"] = [(each["task_name"], each["task_status"]) for each in history["history_task_list"]]
        await printer.delete_files([name])
        steps["no files"] = (await printer.list_files())["total"]
    finally:
        await printer.close()
    return steps


print(json.dumps(asyncio.run(main(sys.argv[1], sys.argv[2], json.loads(sys.argv[3])))))
