"""What is sent again, against a service that answers as told."""

from __future__ import annotations

import json
import threading
import unittest
from collections.abc import Callable
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

from printyard import (
    AnswerTimeoutError,
    ApiError,
    NoAnswerError,
    Printyard,
    PrintyardError,
    follow_events,
    pages,
    walk,
)
from printyard._errors import read_retry_after
from printyard.api import events, files, jobs, printers
from printyard.models import (
    EnqueueJobRequest,
    SwitchPrinterLightRequest,
    UpdateJobRequest,
)
from printyard.types import File

Answer = Callable[[BaseHTTPRequestHandler], None]


def send(handler: BaseHTTPRequestHandler, status: int, headers: dict[str, str], body: bytes) -> None:
    handler.send_response(status)
    for name, value in {**headers, "content-length": str(len(body))}.items():
        handler.send_header(name, value)
    handler.end_headers()
    handler.wfile.write(body)


def refused(status: int, code: str, **headers: str) -> Answer:
    body = json.dumps({"success": False, "error": {"code": code, "message": "No.", "details": {"reason": "test"}}})
    fields = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda handler: send(handler, status, fields, body.encode())


def page(status: int, text: str) -> Answer:
    return lambda handler: send(handler, status, {"content-type": "text/html"}, text.encode())


def ok(body: Any) -> Answer:
    return lambda handler: send(handler, 200, {"content-type": "application/json"}, json.dumps(body).encode())


def cut(handler: BaseHTTPRequestHandler) -> None:
    """Takes the request and breaks the connection."""
    handler.connection.close()


def frames(*pieces: str) -> Answer:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("content-type", "text/event-stream")
        handler.end_headers()
        for piece in pieces:
            handler.wfile.write(piece.encode())
            handler.wfile.flush()

    return answer


class Requests(unittest.TestCase):
    def service(self, *answers: Answer, **options: Any) -> Printyard:
        """A client of a service that gives these answers one after another; the last is repeated."""
        self.requests: list[tuple[str, str, dict[str, str], bytes]] = []
        ending = threading.Event()

        class Handler(BaseHTTPRequestHandler):
            def answer(handler) -> None:  # noqa: N805
                body = handler.rfile.read(int(handler.headers.get("content-length", "0")))
                fields = {name.lower(): value for name, value in handler.headers.items()}
                self.requests.append((handler.command, handler.path, fields, body))
                answers[min(len(self.requests), len(answers)) - 1](handler)
                handler.close_connection = True

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = answer

            def log_message(handler, *_: object) -> None:  # noqa: N805
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        client = Printyard(f"http://127.0.0.1:{server.server_port}", "printyard_live_test", **options)
        for clean in (server.server_close, server.shutdown, ending.set, client.close):
            self.addCleanup(clean)
        self.ending = ending
        return client

    def stay_silent(self, _: BaseHTTPRequestHandler) -> None:
        self.ending.wait(30)

    def refusal(self, work: Callable[[], object]) -> ApiError:
        with self.assertRaises(ApiError) as caught:
            work()
        return caught.exception

    def test_a_refusal_has_status_code_details_and_request_id(self) -> None:
        client = self.service(refused(404, "NOT_FOUND", x_request_id="req-2"))
        error = self.refusal(lambda: jobs.get_job(client, "job_1"))
        self.assertEqual(
            (error.status, error.code, error.details, error.request_id),
            (404, "NOT_FOUND", {"reason": "test"}, "req-2"),
        )
        self.assertEqual(len(self.requests), 1)
        method, path, headers, _ = self.requests[0]
        self.assertEqual((method, path), ("GET", "/public/v1/jobs/job_1"))
        self.assertEqual(headers["authorization"], "Bearer printyard_live_test")

    def test_an_id_is_one_part_of_the_path(self) -> None:
        client = self.service(refused(404, "NOT_FOUND"))
        self.refusal(lambda: jobs.get_job(client, "../orders?x=1#y"))
        self.assertEqual(self.requests[0][1], "/public/v1/jobs/..%2Forders%3Fx%3D1%23y")
        for identity in ("", ".", ".."):
            with self.assertRaises(PrintyardError):
                jobs.cancel_job(client, identity)
        self.assertEqual(len(self.requests), 1)

    def test_a_post_whose_answer_was_lost_is_sent_again_under_the_same_key(self) -> None:
        soon = {"retry_after": "0"}
        client = self.service(
            cut,
            refused(503, "SERVICE_UNAVAILABLE", **soon),
            refused(409, "IDEMPOTENCY_IN_PROGRESS", **soon),
            refused(400, "VALIDATION_ERROR"),
        )
        body = EnqueueJobRequest(print_file_id="file_1")
        self.assertEqual(self.refusal(lambda: jobs.enqueue_job(client, body=body)).code, "VALIDATION_ERROR")
        keys = [headers["idempotency-key"] for _, _, headers, _ in self.requests]
        self.assertEqual((len(keys), len(set(keys))), (4, 1))
        bodies = {sent for *_, sent in self.requests}
        self.assertEqual([json.loads(sent)["print_file_id"] for sent in bodies], ["file_1"])
        self.refusal(lambda: jobs.enqueue_job(client, body=body, idempotency_key="order-1001"))
        self.refusal(lambda: jobs.enqueue_job(client, body=body))
        self.assertEqual(self.requests[4][2]["idempotency-key"], "order-1001")
        self.assertNotIn(self.requests[5][2]["idempotency-key"], keys)

    def test_a_command_is_never_sent_again_when_its_outcome_is_not_known(self) -> None:
        client = self.service(cut, refused(404, "NOT_FOUND"))
        with self.assertRaises(NoAnswerError):
            jobs.start_job(client, "job_1")
        self.assertEqual(len(self.requests), 1)
        client = self.service(refused(409, "IDEMPOTENCY_IN_PROGRESS", retry_after="0"), refused(404, "NOT_FOUND"))
        self.assertEqual(self.refusal(lambda: jobs.start_job(client, "job_1")).code, "IDEMPOTENCY_IN_PROGRESS")
        client = self.service(page(502, "<h1>Bad gateway</h1>"), refused(404, "NOT_FOUND"))
        light = SwitchPrinterLightRequest(state=True)
        self.assertEqual(self.refusal(lambda: printers.switch_printer_light(client, "prn_1", body=light)).status, 502)
        client = self.service(refused(429, "RATE_LIMITED", retry_after="0"), refused(404, "NOT_FOUND"))
        self.assertEqual(self.refusal(lambda: jobs.start_job(client, "job_1")).code, "NOT_FOUND")
        self.assertEqual(len(self.requests), 2)

    def test_a_change_is_not_repeated_when_it_may_have_been_made(self) -> None:
        client = self.service(cut, refused(404, "NOT_FOUND"))
        with self.assertRaises(NoAnswerError):
            jobs.update_job(client, "job_1", body=UpdateJobRequest(priority="high"))
        self.assertEqual(len(self.requests), 1)

    def test_retries_end_and_can_be_switched_off(self) -> None:
        client = self.service(refused(503, "SERVICE_UNAVAILABLE", retry_after="0"))
        self.refusal(lambda: jobs.get_job(client, "job_1"))
        self.assertEqual(len(self.requests), 4)
        self.refusal(lambda: jobs.get_job(client.with_retries(0), "job_1"))
        self.assertEqual(len(self.requests), 5)
        client = self.service(refused(429, "RATE_LIMITED", retry_after="3600"))
        self.assertEqual(self.refusal(lambda: jobs.get_job(client, "job_1")).retry_after, 3600)
        self.assertEqual(len(self.requests), 1)

    def test_a_proxy_and_another_site_are_told(self) -> None:
        client = self.service(page(502, "<h1>Bad gateway</h1>"), max_retries=1)
        error = self.refusal(lambda: jobs.get_job(client, "job_1"))
        self.assertEqual((error.status, error.code, error.request_id, len(self.requests)), (502, "UNKNOWN", None, 2))
        client = self.service(page(200, "<h1>Welcome</h1>"))
        with self.assertRaises(PrintyardError):
            jobs.get_job(client, "job_1")

    def test_a_silent_service_is_given_up(self) -> None:
        client = self.service(self.stay_silent, timeout=0.3, max_retries=1)
        with self.assertRaises(AnswerTimeoutError):
            jobs.get_job(client, "job_1")
        self.assertEqual(len(self.requests), 2)

    def test_bytes_are_sent_again_from_their_beginning(self) -> None:
        client = self.service(cut, refused(400, "INVALID_FILE"))
        with TemporaryDirectory() as folder:
            file = Path(folder, "a.gcode")
            file.write_bytes(b"G28\n" * 100)
            with file.open("rb") as content:
                self.refusal(lambda: files.upload_file(client, "token", body=File(payload=content)))
        self.assertEqual([sent for *_, sent in self.requests], [b"G28\n" * 100] * 2)

    def test_bytes_that_cannot_be_read_twice_are_sent_once(self) -> None:
        class Pipe(BytesIO):
            def seekable(self) -> bool:
                return False

        client = self.service(cut, refused(400, "INVALID_FILE"))
        with self.assertRaises(NoAnswerError):
            files.upload_file(client, "token", body=File(payload=Pipe(b"G28\n")))
        self.assertEqual(len(self.requests), 1)

    def test_a_feed_is_walked_to_where_it_ends_now(self) -> None:
        event: dict[str, Any] = {"id": "evt_1", "type": "job.queued", "subject_id": "job_1", "actor": "system"}
        event |= {"data": {}, "actor": "system", "created_at": "2026-11-20T09:30:00.000Z"}
        first = {"success": True, "data": [event], "meta": {"last_id": "evt_1", "count": 1, "limit": 50}}
        last = {"success": True, "data": [], "meta": {"last_id": "evt_1", "count": 0, "limit": 50}}
        client = self.service(ok(first), ok(last))
        self.assertEqual([each.id for each in walk(events.list_events, client, type_="job.*")], ["evt_1"])
        self.assertEqual(
            [path for _, path, _, _ in self.requests],
            ["/public/v1/events?limit=50&type=job.%2A", "/public/v1/events?limit=50&after=evt_1&type=job.%2A"],
        )
        with self.assertRaises(TypeError):
            next(pages(cast(Any, jobs.get_job), client, "job_1"))

    def test_a_stream_goes_on_after_the_last_event_it_has_given(self) -> None:
        client = self.service(
            frames(
                "retry: 2000\nid: e0\n\n",
                'id: e1\nevent: change\ndata: {"id":"e1"',
                ',"type":"job.queued"}\n\n: keep\n\n',
            ),
            refused(503, "SERVICE_UNAVAILABLE", retry_after="0"),
            frames(
                'event: live\ndata: {"printer_id":"prn_1",\ndata: "progress":4}\n\nid: e2\nevent: reset\ndata: {}\n\n'
            ),
            refused(401, "TOKEN_REVOKED"),
        )
        breaks: list[Exception] = []
        seen = []
        with self.assertRaises(ApiError) as caught:
            for message in follow_events(client, on_break=breaks.append):
                seen.append((message.event, message.id, message.data))
        self.assertEqual(caught.exception.code, "TOKEN_REVOKED")
        self.assertEqual(
            seen,
            [
                ("change", "e1", {"id": "e1", "type": "job.queued"}),
                ("live", None, {"printer_id": "prn_1", "progress": 4}),
                ("reset", "e2", {}),
            ],
        )
        self.assertEqual(len(breaks), 3)
        self.assertEqual([headers.get("last-event-id") for _, _, headers, _ in self.requests], [None, "e1", "e1", "e2"])

    def test_retry_after_is_a_number_or_a_date(self) -> None:
        now = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)
        self.assertEqual(read_retry_after("30", now), 30)
        self.assertEqual(read_retry_after("Fri, 20 Nov 2026 09:31:00 GMT", now), 60)
        self.assertEqual(read_retry_after("Fri, 20 Nov 2026 09:29:00 GMT", now), 0)
        self.assertIsNone(read_retry_after(None, now))
        self.assertIsNone(read_retry_after("soon", now))


if __name__ == "__main__":
    unittest.main()
