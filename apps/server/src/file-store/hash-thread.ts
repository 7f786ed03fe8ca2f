import { Worker } from 'node:worker_threads'
import { AppError } from '../kernel/errors.ts'

/** What the thread is asked, and what it answers; `file` tells apart those that are on their way. */
export type HashOrder =
  | { kind: 'begin'; file: number; fd: number; directPath: string | undefined }
  | { kind: 'write'; file: number; chunks: Uint8Array<ArrayBuffer>[] }
  | { kind: 'finish'; file: number }
  | { kind: 'digest'; file: number }
  | { kind: 'forget'; file: number }
export type HashAsk = HashOrder & { ask: number }
export interface HashAnswer {
  ask: number
  digest?: string
  isDirect?: boolean
  problem?: { code: string | undefined; message: string }
}

interface Waiting {
  resolve(answer: HashAnswer): void
  reject(error: unknown): void
}

/** How long the thread is kept when it has nothing to do. */
const idleMs = 30_000

/** A thread that hashes and writes large files. It is started at the first one, and ends when there are none. */
export class HashThread {
  readonly #program: URL
  readonly #waiting = new Map<number, Waiting>()
  readonly #files = new Set<number>()
  #worker: Worker | undefined
  #idle: NodeJS.Timeout | undefined
  #last = 0

  constructor(program: URL = new URL('./hash-thread-program.ts', import.meta.url)) {
    this.#program = program
  }

  /**
   * Begins a file that is open for writing; it must stay open until what was asked is answered.
   *
   * @param directPath where it is, when it is to be written past the memory of the system where that can be
   */
  begin(fd: number, directPath?: string) {
    this.#last += 1
    const file = this.#last
    // Nor may another thread go on with it, which has not seen its beginning.
    const worker = this.#worker ?? this.#start()
    this.#files.add(file)
    clearTimeout(this.#idle)
    worker.ref()
    const opened = this.#ask(worker, { kind: 'begin', file, fd, directPath })
    // It is told of where something is written.
    opened.catch(() => undefined)
    return {
      /** Whether it is written past the memory of the system: system, disk or memory may have no room for that. */
      isDirect: async (): Promise<boolean> => (await opened).isDirect === true,
      /** Takes the memory of the chunks. @throws AppError `SERVICE_UNAVAILABLE`; Error with the code of the system */
      write: async (chunks: Uint8Array<ArrayBuffer>[]): Promise<void> => {
        await opened
        const memory = chunks.map(({ buffer }) => buffer)
        await this.#ask(worker, { kind: 'write', file, chunks }, memory)
      },
      /** Ends when the system has all of the file; the disk has when it was synced after this. */
      finish: async (): Promise<void> => void (await this.#ask(worker, { kind: 'finish', file })),
      digest: async (): Promise<string> => (await this.#ask(worker, { kind: 'digest', file })).digest ?? '',
      forget: (): void => this.#forget(worker, file),
    }
  }

  async #ask(worker: Worker, order: HashOrder, memory: ArrayBuffer[] = []): Promise<HashAnswer> {
    if (worker !== this.#worker) throw ended(undefined)
    this.#last += 1
    const ask = this.#last
    const answer = await new Promise<HashAnswer>((resolve, reject) => {
      this.#waiting.set(ask, { resolve, reject })
      worker.postMessage({ ...order, ask } satisfies HashAsk, memory)
    })
    if (answer.problem === undefined) return answer
    throw Object.assign(new Error(answer.problem.message), { code: answer.problem.code })
  }

  #forget(worker: Worker, file: number): void {
    if (!this.#files.delete(file) || worker !== this.#worker) return
    worker.postMessage({ kind: 'forget', file, ask: 0 } satisfies HashAsk)
    if (this.#files.size > 0) return
    // What has nothing to do keeps no process alive.
    worker.unref()
    this.#idle = setTimeout(() => {
      this.#worker = undefined
      void worker.terminate()
    }, idleMs).unref()
  }

  #start(): Worker {
    const worker = new Worker(this.#program, { name: 'file-hasher', execArgv: [] })
    this.#worker = worker
    worker.on('message', (answer: HashAnswer) => {
      const waiting = this.#waiting.get(answer.ask)
      this.#waiting.delete(answer.ask)
      waiting?.resolve(answer)
    })
    let cause: unknown
    worker.on('error', (error) => {
      cause = error
    })
    worker.once('exit', () => {
      if (this.#worker !== worker) return
      this.#worker = undefined
      for (const { reject } of this.#waiting.values()) {
        reject(ended(cause))
      }
      this.#waiting.clear()
    })
    return worker
  }
}

function ended(cause: unknown): AppError {
  return new AppError('SERVICE_UNAVAILABLE', { why: 'nothing can be stored' }, { cause })
}
