import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { AppError, validationError } from '../../kernel/errors.ts'
import type { AccountId } from '../../kernel/ids.ts'
import type { FileReading } from './version-facts.ts'

export interface ReadRequest {
  path: string
  plate: number | undefined
}

/** Answer of a worker. */
export type ReadAnswer =
  | { outcome: 'read'; reading: FileReading }
  | { outcome: 'no_such_plate'; plates: number[] }
  /** The file's fault: not a print file, damaged, or unsafe. */
  | { outcome: 'refused'; reason: string }
  /** The disk's fault; the reason names a path, so it is for the log alone. */
  | { outcome: 'unreadable'; reason: string }

interface FileToRead {
  accountId: AccountId
  path: string
  plate?: number | undefined
}

export interface PrintFileReader {
  /**
   * Reads a stored file beside the event loop. Rejects `INVALID_FILE` with the parser's sentence, also when reading takes
   * too long or too much memory; `VALIDATION_ERROR` when the file has no such plate; and `SERVICE_UNAVAILABLE` when the
   * reader itself failed or has too much to do. Accounts take turns, and a slow file holds up its own account alone.
   */
  read(file: FileToRead): Promise<FileReading>
  /** Ends the workers; what is being read is rejected. */
  close(): Promise<void>
}

export interface PrintFileReaderOptions {
  /** Another program than the parser, for tests of what goes wrong with one. */
  workerUrl?: URL
  /** Workers that any account may keep busy. */
  maxWorkers?: number
  /** Workers beyond these, each for an account of which nothing is being read. */
  extraWorkers?: number
  /** A file that takes longer is refused. */
  timeLimitMs?: number
  /** Workers without work end after this. */
  idleMs?: number
  /** Files of one account that wait for a worker; more are turned away. */
  maxWaiting?: number
  /** A file that waited this long for a worker is turned away. */
  maxWaitMs?: number
  /** Heap of one worker. */
  maxHeapMb?: number
}

interface Task extends FileToRead {
  resolve(reading: FileReading): void
  reject(error: AppError): void
  waitTimer?: NodeJS.Timeout
}

const busy = (why: string, cause?: unknown) =>
  new AppError('SERVICE_UNAVAILABLE', { why }, { cause, retryAfterSeconds: 10 })

/** Starts nothing yet: workers are made on demand, and end when there is nothing to do. */
export function createPrintFileReader(options: PrintFileReaderOptions = {}): PrintFileReader {
  const {
    workerUrl = new URL('./print-file-worker.ts', import.meta.url),
    maxWorkers = Math.min(2, Math.max(1, availableParallelism() - 1)),
    extraWorkers = 2,
    timeLimitMs = 60_000,
    idleMs = 30_000,
    maxWaiting = 50,
    maxWaitMs = 30_000,
    maxHeapMb = 512,
  } = options
  const waiting: Task[] = []
  const idle: Worker[] = []
  const all = new Set<Worker>()
  const idleTimers = new Map<Worker, NodeJS.Timeout>()
  const running = new Map<Worker, { accountId: AccountId; stop(error: AppError): void }>()
  let isClosed = false

  function startWorker(): Worker {
    const worker = new Worker(workerUrl, {
      name: 'print-file-reader',
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
    })
    all.add(worker)
    worker.once('exit', () => forget(worker))
    return worker
  }

  function forget(worker: Worker): void {
    all.delete(worker)
    clearTimeout(idleTimers.get(worker))
    idleTimers.delete(worker)
    const at = idle.indexOf(worker)
    if (at >= 0) idle.splice(at, 1)
    assign()
  }

  function rest(worker: Worker): void {
    // Neither the worker nor its timer keeps the process alive.
    worker.unref()
    idle.push(worker)
    const timer = setTimeout(() => {
      idle.splice(idle.indexOf(worker), 1)
      void worker.terminate()
    }, idleMs)
    timer.unref()
    idleTimers.set(worker, timer)
  }

  const readsOf = (accountId: AccountId) => [...running.values()].filter((each) => each.accountId === accountId).length

  /** The turn in which each account was served last, since nothing was being read. */
  const lastTurns = new Map<string, number>()
  let turns = 0

  /** The file whose turn it is: of the account with the fewest files being read, then of the one served longest ago. */
  function nextTask(): Task | undefined {
    const rank = ({ accountId }: Task) => [readsOf(accountId), lastTurns.get(accountId) ?? 0] as const
    let next: Task | undefined
    for (const task of waiting) {
      const [reads, turn] = rank(task)
      const [fewest, oldest] = next ? rank(next) : [Number.POSITIVE_INFINITY, 0]
      if (reads < fewest || (reads === fewest && turn < oldest)) next = task
    }
    if (!next && running.size === 0) lastTurns.clear()
    return next
  }

  function assign(): void {
    while (!isClosed) {
      const task = nextTask()
      if (!task) return
      const most = readsOf(task.accountId) === 0 ? maxWorkers + extraWorkers : maxWorkers
      if (running.size >= most) return
      const worker = idle.pop() ?? startWorker()
      clearTimeout(idleTimers.get(worker))
      worker.ref()
      waiting.splice(waiting.indexOf(task), 1)
      turns += 1
      lastTurns.set(task.accountId, turns)
      run(worker, task)
    }
  }

  function run(worker: Worker, task: Task): void {
    clearTimeout(task.waitTimer)
    const settle = () => {
      clearTimeout(timer)
      worker.removeAllListeners('message').removeAllListeners('error').off('exit', fail)
      // A worker that is being ended may still fail; no one waits for it any more.
      worker.on('error', () => undefined)
      running.delete(worker)
    }
    const stop = (error: AppError) => {
      settle()
      task.reject(error)
      void worker.terminate()
    }
    const fail = (cause: unknown) => {
      const isOutOfMemory = (cause as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY'
      stop(
        isOutOfMemory
          ? new AppError('INVALID_FILE', { why: 'reading it takes too much memory.' }, { cause })
          : busy('the file could not be read', cause),
      )
    }
    const timer = setTimeout(
      () => stop(new AppError('INVALID_FILE', { why: `reading it takes more than ${timeLimitMs / 1000} s.` })),
      timeLimitMs,
    )
    worker.removeAllListeners('error').once('error', fail).once('exit', fail)
    worker.once('message', (answer: ReadAnswer) => {
      settle()
      rest(worker)
      conclude(task, answer)
      assign()
    })
    running.set(worker, { accountId: task.accountId, stop })
    worker.postMessage({ path: task.path, plate: task.plate } satisfies ReadRequest)
  }

  return {
    read(file) {
      if (isClosed) return Promise.reject(busy('it is shutting down'))
      const ofAccount = waiting.filter(({ accountId }) => accountId === file.accountId)
      if (ofAccount.length >= maxWaiting) return Promise.reject(busy('too many files are waiting to be read'))
      return new Promise((resolve, reject) => {
        const task: Task = { ...file, resolve, reject }
        task.waitTimer = setTimeout(() => {
          waiting.splice(waiting.indexOf(task), 1)
          reject(busy('too many files are waiting to be read'))
        }, maxWaitMs)
        waiting.push(task)
        assign()
      })
    },

    async close() {
      isClosed = true
      for (const task of waiting.splice(0)) {
        clearTimeout(task.waitTimer)
        task.reject(busy('it is shutting down'))
      }
      for (const { stop } of [...running.values()]) stop(busy('it is shutting down'))
      await Promise.all([...all].map((worker) => worker.terminate()))
    },
  }
}

function conclude(task: Task, answer: ReadAnswer): void {
  switch (answer.outcome) {
    case 'read':
      task.resolve(answer.reading)
      break
    case 'no_such_plate':
      task.reject(validationError({ plate: [describePlates(answer.plates)] }))
      break
    case 'refused':
      task.reject(new AppError('INVALID_FILE', { why: answer.reason }))
      break
    case 'unreadable':
      task.reject(busy('the file could not be read', new Error(answer.reason)))
  }
}

function describePlates(plates: number[]): string {
  if (plates.length === 0) return 'must be left out: the file has no plates'
  return `must be one of the plates of the file: ${plates.join(', ')}`
}
