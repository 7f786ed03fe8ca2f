import type { ApiClient } from '../../lib/api-client.ts'
import type { Job } from '../../lib/api-types.ts'

/** What is under way comes first: each printer that works is in it, so that its card can name the job. */
const underWay = ['printing', 'paused', 'processing'] as const

/** The jobs under way, then up to 20 of those that wait. Asked for by status, so that finished jobs hide none of them. */
export async function listQueue(client: ApiClient, signal: AbortSignal): Promise<Job[]> {
  const lists = await Promise.all([
    ...underWay.map((status) => client.getList<Job>(`/jobs?status=${status}&limit=100`, signal)),
    client.getList<Job>('/jobs?status=queued&limit=20', signal),
  ])
  return lists.flat()
}

/** The ten jobs that ended last, whatever their end. */
export function listFinished(client: ApiClient, signal: AbortSignal): Promise<Job[]> {
  return client.getList<Job>('/jobs/history?limit=10', signal)
}
