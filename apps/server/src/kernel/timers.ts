import type { BaseLogger } from 'pino'

/**
 * Runs `work` again and again, `intervalMs` after its last end, never twice at once. A failure is logged and the next
 * turn comes anyway. The returned function ends it.
 */
export function every(
  intervalMs: number,
  name: string,
  log: Pick<BaseLogger, 'warn'>,
  work: () => Promise<void>,
): () => void {
  let isStopped = false
  let timer = setTimeout(turn, intervalMs)
  async function turn(): Promise<void> {
    try {
      await work()
    } catch (error) {
      log.warn({ err: error, task: name }, 'a periodic task failed and will be tried again')
    }
    if (!isStopped) timer = setTimeout(turn, intervalMs)
  }
  return () => {
    isStopped = true
    clearTimeout(timer)
  }
}
