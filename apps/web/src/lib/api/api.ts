import { createApiClient } from './api-client.ts'
import type { ApiError } from './api-error.ts'

const listeners = new Set<(error: ApiError) => void>()

/** Calls `listener` whenever a call finds that nobody is signed in any more. Answers what ends it. */
export function onSignedOut(listener: (error: ApiError) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The client of the service that this page came from. */
export const api = createApiClient({
  fetch: (input, init) => fetch(input, init),
  now: Date.now,
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  onSignedOut: (error) => {
    for (const listener of listeners) listener(error)
  },
})
