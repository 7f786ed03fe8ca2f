import type { ApiClient } from '../../lib/api-client.ts'
import type { Job } from '../../lib/api-types.ts'

/** The first 20 jobs as the service orders them, finished ones left out. */
export async function listQueue(client: ApiClient, signal: AbortSignal): Promise<Job[]> {
  const jobs = await client.getList<Job>('/jobs?limit=20', signal)
  return jobs.filter(({ status }) => status !== 'completed' && status !== 'failed' && status !== 'cancelled')
}

/** The ten jobs that ended last, whatever their end. */
export function listFinished(client: ApiClient, signal: AbortSignal): Promise<Job[]> {
  return client.getList<Job>('/jobs/history?limit=10', signal)
}
