"""Calls the service by the client that openapi-python-client makes of its API description, and prints what it saw."""

import json
import os

from client.api.jobs import enqueue_job, get_job, list_jobs
from client.client import AuthenticatedClient
from client.models import EnqueueJobRequest, Failure, ListJobsResponse200
from client.types import UNSET


def connect(url):
    return AuthenticatedClient(base_url=url, token=os.environ["API_KEY"], raise_on_unexpected_status=True)


def listed(client, **query):
    answer = list_jobs.sync(client=client, **query)
    if not isinstance(answer, ListJobsResponse200):
        raise SystemExit(f"list: {answer}")
    return answer


def refusal(answer):
    if not isinstance(answer.parsed, Failure):
        return None
    return {"status": answer.status_code.value, "code": answer.parsed.error.code}


client = connect(os.environ["SERVICE_URL"])
seen = {"listed": len(listed(client).data)}

wanted = EnqueueJobRequest(print_file_id=os.environ["FILE_ID"], number_of_units=2)
seen["enqueued"] = enqueue_job.sync(client=client, body=wanted).data.id

seen["pages"] = []
cursor = UNSET
while cursor is not None:
    page = listed(client, limit=2, cursor=cursor)
    seen["pages"].append([job.id for job in page.data])
    cursor = page.meta.next_cursor

seen["missing"] = refusal(get_job.sync_detailed("job_none", client=client))
seen["later"] = [job.status for job in listed(connect(os.environ["LATER_URL"])).data]

limited = None
for _ in range(200):
    limited = limited or refusal(list_jobs.sync_detailed(client=client))
seen["limited"] = limited
print(json.dumps(seen))
