import { DriverError } from '../driver.ts'

/** Answers that are awaited on one connection, by the number of their question. */
interface PendingAnswers<Key> {
  /**
   * Waits for an answer, and has the question sent meanwhile. Rejects with what `send` rejects with, with the signal's
   * reason, or with a `DriverError` `NO_ANSWER` when none came in time or the connection is over.
   */
  ask(
    key: Key,
    question: { awaited: string; timeoutMs: number; signal: AbortSignal; send(): Promise<void> },
  ): Promise<unknown>
  give(key: Key, answer: unknown): void
  /** The connection is over. */
  lose(): void
}

export function createPendingAnswers<Key>(): PendingAnswers<Key> {
  const waiting = new Map<Key, { give(answer: unknown): void; lose(): void }>()
  return {
    ask(key, { awaited, timeoutMs, signal, send }) {
      return new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason)
        const end = (settle: () => void) => {
          clearTimeout(timer)
          waiting.delete(key)
          signal.removeEventListener('abort', onAbort)
          settle()
        }
        const unanswered = (why: string) => end(() => reject(new DriverError('NO_ANSWER', why)))
        const onAbort = () => end(() => reject(signal.reason))
        const timer = setTimeout(() => unanswered(`no answer to ${awaited} within ${timeoutMs} ms`), timeoutMs)
        signal.addEventListener('abort', onAbort, { once: true })
        waiting.set(key, {
          give: (answer) => end(() => resolve(answer)),
          lose: () => unanswered(`the connection broke before ${awaited} was answered`),
        })
        send().catch((error: unknown) => end(() => reject(error)))
      })
    },
    give: (key, answer) => waiting.get(key)?.give(answer),
    lose() {
      for (const { lose } of [...waiting.values()]) lose()
    },
  }
}
