"""Drives OctoPrint, or what claims to be it, through a whole print with octorest, and tells each answer as a line of JSON.

Arguments: address, API key, and the file to print. Ends with an exception at the first answer that octorest does not take.
"""

import json
import sys
import time

from octorest import OctoRest

WAIT_SECONDS = 60

url, key, path = sys.argv[1:4]
client = OctoRest(url=url, apikey=key)
name = path.split("/")[-1]


def tell(step, answer):
    print(json.dumps({"step": step, "answer": answer}), flush=True)


def refused(step, ask):
    """What is to be refused: tells the status."""
    try:
        ask()
    except RuntimeError as error:
        return tell(step, int(str(error).rstrip(")").split("(")[-1]))
    raise AssertionError(f"{step} was not refused")


def until(what, look):
    deadline = time.monotonic() + WAIT_SECONDS
    while time.monotonic() < deadline:
        if look():
            return
        time.sleep(0.1)
    raise AssertionError(f"waited for {what}; the job says {client.job_info()}")


def until_state(wanted):
    until(wanted, lambda: client.job_info()["state"] == wanted)


tell("version", client.get_version())
tell("connection", client.connection_info())
tell("profiles", client.printer_profiles())
tell("profile", client.printer_profile("_default"))
until("the first temperatures", lambda: "tool0" in client.tool())
tell("printer", client.printer(exclude=["sd"]))
tell("tool", client.tool())
tell("bed", client.bed())
tell("no job", client.job_info())

tell("upload", client.upload(path))
tell("file", client.files_info("local", name))
tell("local files", client.files("local"))
tell("all files", client.files(recursive=True))
client.copy(name, "copy.gcode")
client.move("copy.gcode", "moved.gcode")
tell("names", sorted(each["name"] for each in client.files()["files"]))
client.delete("moved.gcode")

client.tool_target(60)
client.bed_target(40)
until("the target of the nozzle", lambda: client.tool()["tool0"]["target"] == 60)
until("the target of the bed", lambda: client.bed()["bed"]["target"] == 40)
client.tool_target({"tool0": 0})
client.bed_target(0)
client.gcode("M117 hello")

client.select(name)
tell("selected", client.job_info())
client.start()
until_state("Printing")
until("progress", lambda: client.job_info()["progress"]["completion"])
tell("printing", client.job_info())
refused("start of a second job", client.start)
refused("selection of another file", lambda: client.select(name))
refused("removal of the file that prints", lambda: client.delete(name))
refused("upload over the file that prints", lambda: client.upload(path))
client.pause()
until_state("Paused")
tell("paused", client.printer(exclude=["sd"]))
client.resume()
until_state("Printing")
client.cancel()
until_state("Operational")
until("the record of the cancelled print", lambda: client.files_info("local", name).get("prints", {}).get("failure") == 1)
tell("cancelled", client.job_info())

client.select(name, print=True)
until_state("Printing")
until("the end", lambda: client.job_info()["progress"]["completion"] == 100.0)
until_state("Operational")
until("the record of the print", lambda: client.files_info("local", name)["prints"]["success"] == 1)
tell("printed", client.job_info())
tell("printed file", client.files_info("local", name))

refused("a pause without a job", client.pause)
refused("the start of a file that is not there", lambda: client.select("nothing.gcode", print=True))
refused("a chamber that is not there", client.chamber)
client.disconnect()
until_state("Offline")
tell("disconnected", client.connection_info())
refused("temperatures without a printer", client.printer)
refused("a start without a printer", lambda: client.select(name, print=True))
client.connect()
until_state("Operational")
client.delete(name)
tell("no files", [each["name"] for each in client.files()["files"]])
refused("a file that was removed", lambda: client.files_info("local", name))
