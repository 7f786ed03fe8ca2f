import type { Child } from '../harness/child.ts'
import { makeDataDirectory, seedFarm, startService } from './farm.ts'

export interface FarmWithHistory {
  process: Child
  reader: { url: string; headers: { authorization: string } }
}

const shortHistory = 10_000
export const longHistory = 1_000_000

/** Two services, alike but for the number of their jobs; both have the same jobs of the last days. */
export async function startTwoHistories(
  scope: AsyncDisposableStack,
): Promise<{ short: FarmWithHistory; long: FarmWithHistory }> {
  return { short: await startWithJobs(scope, shortHistory), long: await startWithJobs(scope, longHistory) }
}

async function startWithJobs(scope: AsyncDisposableStack, jobs: number): Promise<FarmWithHistory> {
  const dataDir = await makeDataDirectory(scope)
  const service = await startService(scope, dataDir)
  const { key } = await seedFarm(dataDir, jobs)
  return { process: service.process, reader: { url: service.url, headers: { authorization: `Bearer ${key}` } } }
}
