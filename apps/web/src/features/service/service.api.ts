import type { ReadinessReport } from '../../lib/api-types.ts'

const timeoutMs = 4000

export type Readiness =
  | { state: 'ready' | 'not-ready'; report: ReadinessReport }
  | { state: 'unreachable'; problem: string }

/** Asks the service whether it is ready. Silence and nonsense are answers too: rejects only when the caller gave up. */
export async function readReadiness(fetchFrom: typeof fetch, signal: AbortSignal): Promise<Readiness> {
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetchFrom('/readyz', { cache: 'no-store', signal: AbortSignal.any([signal, timeout]) })
    const body: unknown = await response.json()
    if ((response.status === 200 || response.status === 503) && isReport(body)) {
      return { state: response.ok ? 'ready' : 'not-ready', report: body }
    }
    return { state: 'unreachable', problem: `something else answers in its place (HTTP ${response.status})` }
  } catch (cause) {
    signal.throwIfAborted()
    if (timeout.aborted) return { state: 'unreachable', problem: `no answer within ${timeoutMs / 1000} s` }
    if (cause instanceof SyntaxError) return { state: 'unreachable', problem: 'something else answers in its place' }
    return { state: 'unreachable', problem: 'the connection fails' }
  }
}

function isReport(body: unknown): body is ReadinessReport {
  if (typeof body !== 'object' || body === null) return false
  return 'status' in body && 'checks' in body && Array.isArray(body.checks)
}
