/** Reason why a task was aborted: an urgent one took its place. */
export class OvertakenError extends Error {
  constructor() {
    super('overtaken by a more urgent command')
    this.name = 'OvertakenError'
  }
}

/** Reason why a task was aborted or never started: the queue was closed. */
export class QueueClosedError extends Error {
  constructor() {
    super('the queue is closed')
    this.name = 'QueueClosedError'
  }
}

type Task<T> = (signal: AbortSignal) => Promise<T>

interface CommandQueue {
  /** Runs the task when all earlier ones are over. */
  run<T>(task: Task<T>): Promise<T>
  /** Goes before all that wait, and aborts the one that runs with an `OvertakenError`. */
  runUrgently<T>(task: Task<T>): Promise<T>
  /** Aborts what runs, rejects what waits. Resolves when the running task is over. */
  close(): Promise<void>
}

/** Runs one task at a time, in order of arrival; a failing task does not stop the next. */
export function createCommandQueue(): CommandQueue {
  const waiting: { begin: () => Promise<void>; refuse: (reason: Error) => void }[] = []
  let running: { abort: AbortController; urgent: boolean; done: Promise<void> } | undefined
  let closed = false

  const advance = () => {
    if (running) return
    void waiting.shift()?.begin()
  }

  const add = <T>(task: Task<T>, urgent: boolean) =>
    new Promise<T>((resolve, reject) => {
      if (closed) return reject(new QueueClosedError())
      const begin = async () => {
        const abort = new AbortController()
        const outcome = Promise.resolve().then(() => {
          abort.signal.throwIfAborted()
          return task(abort.signal)
        })
        const done = outcome.then(
          () => undefined,
          () => undefined,
        )
        running = { abort, urgent, done }
        outcome.then(resolve, reject)
        await done
        running = undefined
        advance()
      }
      const entry = { begin, refuse: reject }
      if (urgent) {
        waiting.unshift(entry)
        if (running && !running.urgent) running.abort.abort(new OvertakenError())
      } else {
        waiting.push(entry)
      }
      advance()
    })

  return {
    run: (task) => add(task, false),
    runUrgently: (task) => add(task, true),
    async close() {
      closed = true
      for (const { refuse } of waiting.splice(0)) refuse(new QueueClosedError())
      running?.abort.abort(new QueueClosedError())
      await running?.done
    },
  }
}
