import { createApiClient } from './api-client.ts'
import { ApiError } from './api-error.ts'

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
  // Loaded with the first file that is sent.
  sendTelling: async (...request) => (await import('./send-telling.ts')).sendTelling(...request),
  onSignedOut: (error) => {
    for (const listener of listeners) listener(error)
  },
  onFactorRequired: () => {
    if (location.pathname !== '/second-factor') location.assign('/second-factor')
  },
  onProofRequired: (error) => askForProof?.(error) ?? Promise.resolve(false),
})

/** What is left of a proof that a download still relies on. */
const shortestProofMs = 60_000

/**
 * Has the person show that it is them unless they lately did: for what the browser fetches by itself, as a download, where no call can
 * ask for it. Answers whether they did.
 */
export async function haveProof(): Promise<boolean> {
  const { proven_until: until, methods } = await api.call('GET /proof')
  if (until !== null && Date.parse(until) - Date.now() > shortestProofMs) return true
  const wanted = new ApiError('PROOF_REQUIRED', {
    code: 'PROOF_REQUIRED',
    status: 403,
    details: { methods },
  })
  return (await askForProof?.(wanted)) ?? false
}
