import type { TestProject } from 'vitest/node'
import { offerTestServer } from './test-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where test processes ask for the PostgreSQL of this run. */
    testServerSocket: string
  }
}

/** Vitest calls it once per run; what it returns, at the end. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { socketPath, close } = await offerTestServer()
  project.provide('testServerSocket', socketPath)
  return close
}
