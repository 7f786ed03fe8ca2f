import type { PrinterHttp } from '../wire/printer-http.ts'

const QUESTION_TIMEOUT_MS = 10_000

/**
 * True when Moonraker refuses our key. On its socket a wrong one has no number of its own, only a sentence, so it is asked over
 * HTTP, where it has. Rejects as `PrinterHttp.ask` does when nothing answers there.
 */
export async function isKeyRefused(http: PrinterHttp, signal: AbortSignal): Promise<boolean> {
  const { status } = await http.ask({ method: 'GET', path: 'server/info', timeoutMs: QUESTION_TIMEOUT_MS, signal })
  return status === 401 || status === 403
}
