"""Prints a file through bambulabs_api and stops a second print; writes what each step showed as JSON.

Usage: bambulabs-print.py FILE CONNECTION, where CONNECTION is JSON with `port`, `ftps_port`, `camera_port`, `serial` and
`access_code`. `Printer` knows the fixed ports 8883, 990 and 6000 only, but its three clients take others.
"""

import json
import ssl
import sys
import time

STEP_SECONDS = 60

# The printers offer plain RSA suites only, which Python leaves out since 3.10.
new_context = ssl.SSLContext.__new__


def with_plain_rsa(cls, *args, **kwargs):
    context = new_context(cls, *args, **kwargs)
    context.set_ciphers("AES256-GCM-SHA384:AES128-GCM-SHA256")
    return context


ssl.SSLContext.__new__ = with_plain_rsa

import bambulabs_api
from bambulabs_api.camera_client import PrinterCamera
from bambulabs_api.ftp_client import PrinterFTPClient
from bambulabs_api.mqtt_client import PrinterMQTTClient

HOST = "127.0.0.1"


def connect(connection):
    code, serial = connection["access_code"], connection["serial"]
    printer = bambulabs_api.Printer(HOST, code, serial)
    printer.mqtt_client = PrinterMQTTClient(HOST, code, serial, port=connection["port"], strict=True)
    printer.ftp_client = PrinterFTPClient(HOST, code, port=connection["ftps_port"])
    printer.camera_client = PrinterCamera(HOST, code, port=connection["camera_port"])
    return printer


def until(wanted, awaited):
    deadline = time.monotonic() + STEP_SECONDS
    while time.monotonic() < deadline:
        value = wanted()
        if value:
            return value
        time.sleep(0.05)
    raise TimeoutError(f"no {awaited} within {STEP_SECONDS} s")


def frame(printer):
    return printer.camera_client.last_frame


def main(path, connection):
    steps = {}
    printer = connect(connection)
    printer.mqtt_start()
    until(printer.mqtt_client_ready, "report")

    def reach(*states):
        until(lambda: printer.get_state().value in states, f"{states}")
        return {"state": printer.get_state().value, "job": printer.subtask_name(), "file": printer.gcode_file()}

    try:
        steps["idle"] = reach("IDLE")
        steps["firmware"] = until(printer.mqtt_client.firmware_version, "firmware version")
        printer.camera_start()
        steps["picture"] = bytes(until(lambda: frame(printer), "picture")[:4]).hex()
        printer.camera_client.alive = False
        printer.set_bed_temperature(45)

        with open(path, "rb") as file:
            steps["uploaded"] = printer.upload_file(file, "cube.gcode.3mf")
        steps["files"] = printer.ftp_client.list_directory()[1]

        printer.start_print("cube.gcode.3mf", 1, use_ams=False, ams_mapping=[-1])
        steps["printing"] = reach("RUNNING")
        printer.pause_print()
        steps["paused"] = reach("PAUSE")
        printer.resume_print()
        steps["resumed"] = reach("RUNNING")
        steps["printed"] = reach("FINISH")
        steps["percentage"] = printer.get_percentage()

        printer.start_print("cube.gcode.3mf", 1, use_ams=False, ams_mapping=[-1])
        reach("RUNNING")
        printer.stop_print()
        steps["stopped"] = reach("FAILED")
        steps["error"] = printer.print_error_code()

        steps["deleted"] = printer.delete_file("cube.gcode.3mf")
        steps["no files"] = printer.ftp_client.list_directory()[1]
    finally:
        printer.mqtt_stop()
    return steps


print(json.dumps(main(sys.argv[1], json.loads(sys.argv[2]))))
