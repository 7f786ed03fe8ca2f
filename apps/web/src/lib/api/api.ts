import { createApiClient } from './api-client.ts'
import type { ApiError } from './api-error.ts'

const listeners = new Set<(error: ApiError) => void>()

/** Calls `listener` whenever a call finds that no one is signed in any more. Answers what ends it. */
export function onSignedOut(listener: (error: ApiError) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

type AskForProof = (error: ApiError) => Promise<boolean>
let askForProof: AskForProof | undefined

/** Lets `ask` have the person show that it is them whenever a call needs that. Answers what ends it. */
export function onProofRequired(ask: AskForProof): () => void {
  askForProof = ask
  return () => {
    if (askForProof === ask) askForProof = undefined
  }
}

/** The client of the service that this page came from. */
export const api = createApiClient({
  fetch: (input, init) => fetch(input, init),
  now: Date.now,
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  onSignedOut: (error) => {
    for (const listener of listeners) listener(error)
  },
  onFactorRequired: () => {
    if (location.pathname !== '/second-factor') location.assign('/second-factor')
  },
  onProofRequired: (error) => askForProof?.(error) ?? Promise.resolve(false),
})
