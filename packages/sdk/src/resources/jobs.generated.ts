// Printed from the API description by packages/sdk/generator/generate-sdk.ts; changes are lost.
import type * as api from '../generated/api.generated.ts'
import type { Body, Call, Connection, List, Query, RequestOptions } from '../request.ts'

/** Operations on jobs. */
export class Jobs {
  protected readonly connection: Connection

  constructor(connection: Connection) {
    this.connection = connection
  }

  /**
   * List jobs, the newest first.
   *
   * All jobs, waiting, running and ended; filters narrow them. `from` and `to` are about when a job was submitted.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `listJobs`.
   */
  list(query?: Query<api.ListJobsData>, options?: RequestOptions): List<api.ListJobsResponses[200]> {
    return this.connection.list({ method: 'GET', path: '/public/v1/jobs', query, options })
  }

  /**
   * Queue a print job.
   *
   * Fields that are left out are taken from the SKU and the print file. The job waits until a printer that fits is free, or the printer that is named. With a SKU alone it is printed by whichever of its recipes fits the printer that takes it.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `enqueueJob`.
   */
  enqueue(body: Body<api.EnqueueJobData>, options?: RequestOptions): Call<api.EnqueueJobResponses[201]> {
    return this.connection.call({ method: 'POST', path: '/public/v1/jobs', json: body, options })
  }

  /**
   * Queue up to 100 print jobs.
   *
   * Answers 200 with a result for each job, also when some or all of them were refused. The jobs that were not refused are queued together.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `enqueueJobs`.
   */
  enqueueBulk(body: Body<api.EnqueueJobsData>, options?: RequestOptions): Call<api.EnqueueJobsResponses[200]> {
    return this.connection.call({ method: 'POST', path: '/public/v1/jobs/bulk', json: body, options })
  }

  /**
   * List completed, failed and cancelled jobs, the last ended first.
   *
   * `from` and `to` are about when a job ended, both inclusive. Jobs that are not over are in `GET /jobs`.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `listJobHistory`.
   */
  listHistory(query?: Query<api.ListJobHistoryData>, options?: RequestOptions): List<api.ListJobHistoryResponses[200]> {
    return this.connection.list({ method: 'GET', path: '/public/v1/jobs/history', query, options })
  }

  /**
   * Preview how a print job would be scheduled if it were queued now.
   *
   * Accepts and refuses the same requests as `POST /jobs`, but queues nothing: the answer tells which printers fit, which is free, and when the job would be done.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `previewJob`.
   */
  preview(body: Body<api.PreviewJobData>, options?: RequestOptions): Call<api.PreviewJobResponses[200]> {
    return this.connection.call({ method: 'POST', path: '/public/v1/jobs/preview', json: body, options })
  }

  /**
   * List the queue in its order, with the reason why each job waits.
   *
   * `part` chooses between the jobs that wait, in the order in which they would start, and those that hold a printer.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `listJobQueue`.
   */
  listQueue(query?: Query<api.ListJobQueueData>, options?: RequestOptions): List<api.ListJobQueueResponses[200]> {
    return this.connection.list({ method: 'GET', path: '/public/v1/jobs/queue', query, options })
  }

  /**
   * Count the jobs that wait and those on printers.
   *
   * Counts at this moment, with the filters of the queue, and all filaments that jobs want which are not over.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `getJobQueueCounts`.
   */
  getQueueCounts(query?: Query<api.GetJobQueueCountsData>, options?: RequestOptions): Call<api.GetJobQueueCountsResponses[200]> {
    return this.connection.call({ method: 'GET', path: '/public/v1/jobs/queue/counts', query, options })
  }

  /**
   * Count jobs.
   *
   * Jobs that are not over are counted as they are now, ended ones of the last 30 days by default.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `getJobStats`.
   */
  getStats(query?: Query<api.GetJobStatsData>, options?: RequestOptions): Call<api.GetJobStatsResponses[200]> {
    return this.connection.call({ method: 'GET', path: '/public/v1/jobs/stats', query, options })
  }

  /**
   * Get one job.
   *
   * While a plate prints, the progress is what its printer reports now, 0 to 100 over all plates.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `getJob`.
   */
  get(id: string, options?: RequestOptions): Call<api.GetJobResponses[200]> {
    return this.connection.call({ method: 'GET', path: `/public/v1/jobs/${encodeURIComponent(id)}`, options })
  }

  /**
   * Change a queued job, or its place in the queue.
   *
   * Only while it is queued. Fields that are left out stay as they are; a printer of another model is refused.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `updateJob`.
   */
  update(id: string, body: Body<api.UpdateJobData>, options?: RequestOptions): Call<api.UpdateJobResponses[200]> {
    return this.connection.call({ method: 'PATCH', path: `/public/v1/jobs/${encodeURIComponent(id)}`, json: body, options })
  }

  /**
   * Delete a job that is over, or that was never tried.
   *
   * Its attempts and failures are deleted with it; the units that it added to the stock stay. A job that was started is cancelled first.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `deleteJob`.
   */
  delete(id: string, options?: RequestOptions): Call<api.DeleteJobResponses[200]> {
    return this.connection.call({ method: 'DELETE', path: `/public/v1/jobs/${encodeURIComponent(id)}`, options })
  }

  /**
   * Give a queued job to a printer, or to none.
   *
   * Only while it is queued. Nothing is sent to the printer before the job starts.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `assignJob`.
   */
  assign(id: string, body: Body<api.AssignJobData>, options?: RequestOptions): Call<api.AssignJobResponses[200]> {
    return this.connection.call({ method: 'POST', path: `/public/v1/jobs/${encodeURIComponent(id)}/assign`, json: body, options })
  }

  /**
   * Cancel a queued job, or stop a running one.
   *
   * A job whose hub is away while it is on its way to the printer answers `processing`: the cancellation is kept and is sent to the hub first when it returns. A job that answers `cancelled` never starts again. For a printer that does not answer see `stop`.
   *
   * Scope: `control`. Least role: `operator`.
   *
   * Operation: `cancelJob`.
   */
  cancel(id: string, body?: Body<api.CancelJobData>, options?: RequestOptions): Call<api.CancelJobResponses[200]> {
    return this.connection.call({ method: 'POST', path: `/public/v1/jobs/${encodeURIComponent(id)}/cancel`, json: body, isCommand: true, options })
  }

  /**
   * Mark a job as completed although the service did not see it.
   *
   * For a queued job that was printed by hand, a failed one that is good after all, and one whose plate is out of sight: its fate is unknown, or its printer or hub is out of reach. All units that were not rejected are credited. The plate of a printer that printed it out of sight is occupied; no other plate changes.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `completeJob`.
   */
  complete(id: string, body?: Body<api.CompleteJobData>, options?: RequestOptions): Call<api.CompleteJobResponses[200]> {
    return this.connection.call({ method: 'POST', path: `/public/v1/jobs/${encodeURIComponent(id)}/complete`, json: body, options })
  }

  /**
   * Explain why a job waits.
   *
   * The rules that hold and fail on each printer, and the earliest start that can be foreseen.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `explainJob`.
   */
  explain(id: string, query?: Query<api.ExplainJobData>, options?: RequestOptions): Call<api.ExplainJobResponses[200]> {
    return this.connection.call({ method: 'GET', path: `/public/v1/jobs/${encodeURIComponent(id)}/explain`, query, options })
  }

  /**
   * Pause a printing job.
   *
   * Waits until the printer shows that it has paused. When the command fails, the job is printing as before.
   *
   * Scope: `control`. Least role: `operator`.
   *
   * Operation: `pauseJob`.
   */
  pause(id: string, options?: RequestOptions): Call<api.PauseJobResponses[200]> {
    return this.connection.call({ method: 'POST', path: `/public/v1/jobs/${encodeURIComponent(id)}/pause`, isCommand: true, options })
  }

  /**
   * Get the ways, attempts and events of a job.
   *
   * Its plates, every attempt with printer and outcome, and its events with who caused them, the latest first.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `getJobPlan`.
   */
  getPlan(id: string, options?: RequestOptions): Call<api.GetJobPlanResponses[200]> {
    return this.connection.call({ method: 'GET', path: `/public/v1/jobs/${encodeURIComponent(id)}/plan`, options })
  }

  /**
   * Set the SKU of a job that names none.
   *
   * Completes the task that asks for it, such as for a job that a slicer sent; null: it makes no product. A recipe of its file for this SKU determines the yield of a plate. The units of a completed job go into stock now.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `setJobProduct`.
   */
  setProduct(id: string, body: Body<api.SetJobProductData>, options?: RequestOptions): Call<api.SetJobProductResponses[200]> {
    return this.connection.call({ method: 'PUT', path: `/public/v1/jobs/${encodeURIComponent(id)}/product`, json: body, options })
  }

  /**
   * Report the outcome of a plate that the service cannot see.
   *
   * Completes the task to look at the printer. Possible while its fate is unknown, or its printer or hub is out of reach; `not_started` only of a start whose fate is unknown. Nothing starts on the plate before it is cleared, here with `plate_is_clear` or later.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `resolveJob`.
   */
  resolve(id: string, body: Body<api.ResolveJobData>, options?: RequestOptions): Call<api.ResolveJobResponses[200]> {
    return this.connection.call({ method: 'POST', path: `/public/v1/jobs/${encodeURIComponent(id)}/resolve`, json: body, options })
  }

  /**
   * Return a cancelled job to its place in the queue.
   *
   * Takes a cancel back: priority, due date, position and printer are as before. Plates that were printed well stay done; one that was stopped is printed again.
   *
   * Scope: `control`. Least role: `operator`.
   *
   * Operation: `restoreJob`.
   */
  restore(id: string, options?: RequestOptions): Call<api.RestoreJobResponses[200]> {
    return this.connection.call({ method: 'POST', path: `/public/v1/jobs/${encodeURIComponent(id)}/restore`, isCommand: true, options })
  }

  /**
   * Resume a paused job.
   *
   * Waits until the printer shows that it prints again. When the command fails, the job is paused as before.
   *
   * Scope: `control`. Least role: `operator`.
   *
   * Operation: `resumeJob`.
   */
  resume(id: string, options?: RequestOptions): Call<api.ResumeJobResponses[200]> {
    return this.connection.call({ method: 'POST', path: `/public/v1/jobs/${encodeURIComponent(id)}/resume`, isCommand: true, options })
  }

  /**
   * Queue a failed job again.
   *
   * Plates that were printed well stay done and count for its progress; its times start over. Its tries stay on record.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `retryJob`.
   */
  retry(id: string, options?: RequestOptions): Call<api.RetryJobResponses[200]> {
    return this.connection.call({ method: 'POST', path: `/public/v1/jobs/${encodeURIComponent(id)}/retry`, options })
  }

  /**
   * Send the next plate of a queued job to its printer.
   *
   * The rules that bind anybody must hold, as `GET /jobs/{id}/explain` tells them. Where the loaded filament, the nozzle or the build plate is known to differ from the one that the job needs, the answer is `JOB_DOES_NOT_FIT`: send `set_aside` to print there anyway.
   *
   * Scope: `control`. Least role: `operator`.
   *
   * Operation: `startJob`.
   */
  start(id: string, body?: Body<api.StartJobData>, options?: RequestOptions): Call<api.StartJobResponses[200]> {
    return this.connection.call({ method: 'POST', path: `/public/v1/jobs/${encodeURIComponent(id)}/start`, json: body, isCommand: true, options })
  }

  /**
   * Stop a job that a printer works on.
   *
   * A printer that does not answer its hub cannot be stopped: go and look, then send `seen_over`. Its plate is occupied then.
   *
   * Scope: `control`. Least role: `operator`.
   *
   * Operation: `stopJob`.
   */
  stop(id: string, body?: Body<api.StopJobData>, options?: RequestOptions): Call<api.StopJobResponses[200]> {
    return this.connection.call({ method: 'POST', path: `/public/v1/jobs/${encodeURIComponent(id)}/stop`, json: body, isCommand: true, options })
  }
}
