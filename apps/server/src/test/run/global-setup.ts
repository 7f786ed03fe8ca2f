import type { TestProject } from 'vitest/node'
import { offerTestServer } from './test-server.ts'

/** Vitest calls it once per run; what it returns, at the end. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { socketPath, temporary, close } = await offerTestServer()
  project.provide('testServerSocket', socketPath)
  project.provide('temporaryFolder', temporary)
  return close
}
