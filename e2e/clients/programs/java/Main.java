import com.google.gson.Gson;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.JobsApi;
import org.openapitools.client.model.EnqueueJobRequest;
import org.openapitools.client.model.Failure;
import org.openapitools.client.model.Job;
import org.openapitools.client.model.ListJobs200Response;

/** Calls the service by the client that openapi-generator makes of its API description, and prints what it saw. */
public class Main {
  interface Call {
    Object run() throws ApiException;
  }

  public static void main(String[] args) throws Exception {
    JobsApi jobs = connect(System.getenv("SERVICE_URL"));
    Map<String, Object> seen = new LinkedHashMap<>();
    seen.put("listed", list(jobs, null, null).getData().size());

    EnqueueJobRequest wanted = new EnqueueJobRequest().printFileId(System.getenv("FILE_ID")).numberOfUnits(2);
    seen.put("enqueued", jobs.enqueueJob(wanted, null).getData().getId());

    List<List<String>> pages = new ArrayList<>();
    String cursor = null;
    do {
      ListJobs200Response page = list(jobs, 2, cursor);
      pages.add(page.getData().stream().map(Job::getId).toList());
      cursor = page.getMeta().getNextCursor();
    } while (cursor != null);
    seen.put("pages", pages);

    seen.put("missing", refusal(() -> jobs.getJob("job_none", null)));
    JobsApi later = connect(System.getenv("LATER_URL"));
    seen.put("later", list(later, null, null).getData().stream().map(Job::getStatus).toList());

    Object limited = null;
    for (int calls = 0; calls < 200 && limited == null; calls += 1) {
      limited = refusal(() -> list(jobs, null, null));
    }
    seen.put("limited", limited);
    System.out.println(new Gson().toJson(seen));
    System.exit(0);
  }

  private static JobsApi connect(String url) {
    ApiClient client = new ApiClient();
    client.setBasePath(url);
    client.setBearerToken(System.getenv("API_KEY"));
    return new JobsApi(client);
  }

  private static ListJobs200Response list(JobsApi jobs, Integer limit, String cursor) throws ApiException {
    return jobs.listJobs(null, null, null, null, null, null, null, limit, null, cursor);
  }

  /** What a refused call says; null when it is not refused. */
  private static Map<String, Object> refusal(Call call) throws Exception {
    try {
      call.run();
      return null;
    } catch (ApiException error) {
      return Map.of("status", error.getCode(), "code", Failure.fromJson(error.getResponseBody()).getError().getCode());
    }
  }
}
