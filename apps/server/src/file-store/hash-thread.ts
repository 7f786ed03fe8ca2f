import { Worker } from 'node:worker_threads'
import { AppError } from '../kernel/errors.ts'
import { type Blocks, freeBlock, LargeBlocks, makeBlock, smallBlocks } from './blocks.ts'

/** What the thread is asked, and what it answers; `file` tells apart those that are on their way. */
export type HashOrder =
  | { kind: 'begin'; file: number; fd: number; directPath: string | undefined }
  | { kind: 'write'; file: number; block: ArrayBuffer; bytes: number }
  | { kind: 'finish'; file: number }
  | { kind: 'forget'; file: number }
export type HashAsk = HashOrder & { ask: number }
export interface HashAnswer {
  ask: number
  isDirect?: boolean
  /** The memory of what was written. */
  block?: ArrayBuffer
  digest?: string
  problem?: { code: string | undefined; message: string }
}

interface Waiting {
  resolve(answer: HashAnswer): void
  reject(error: unknown): void
}

/** Time that the thread is kept when it has nothing to do. */
const idleMs = 30_000

/** Files that may be written in large blocks at once, each of which has up to 16 MB of them in memory. */
const mostInLargeBlocks = 2

/** A thread that hashes and writes large files. It is started at the first one, and ends when there are none. */
export class HashThread {
  readonly #program: URL
  readonly #waiting = new Map<number, Waiting>()
  /** Those that are on their way, with where they have their memory from. */
  readonly #files = new Map<number, Blocks>()
  readonly #largeBlocks = new LargeBlocks()
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
    const blocks = this.#chooseBlocks(directPath !== undefined)
    this.#files.set(file, blocks)
    clearTimeout(this.#idle)
    worker.ref()
    const opened = this.#ask(worker, { kind: 'begin', file, fd, directPath })
    // It is told of where something is written.
    opened.catch(() => undefined)
    return {
      /** The memory in which it is to be handed to `write`. */
      blocks,
      /** True when it is written past the memory of the system: system or disk may have no way for that. */
      isDirect: async (): Promise<boolean> => (await opened).isDirect === true,
      /**
       * Writes the first bytes of a block behind those before, and gives its memory back. @throws AppError `SERVICE_UNAVAILABLE`; Error with
       * the code of the system
       */
      write: async (block: ArrayBuffer, bytes: number): Promise<ArrayBuffer> => {
        await opened
        // So that V8 counts as much memory in this thread all the while: it would take each return of a block for growth.
        const standIn = makeBlock(block.byteLength)
        try {
          const { block: back = block } = await this.#ask(worker, { kind: 'write', file, block, bytes }, [block])
          return back
        } finally {
          freeBlock(standIn)
        }
      },
      /** Once everything is written; the disk has it when it was synced after this. @returns the SHA-256 as hex */
      finish: async (): Promise<string> => (await this.#ask(worker, { kind: 'finish', file })).digest ?? '',
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

  #chooseBlocks(isLarge: boolean): Blocks {
    const inLargeBlocks = [...this.#files.values()].filter((blocks) => blocks === this.#largeBlocks).length
    return isLarge && inLargeBlocks < mostInLargeBlocks ? this.#largeBlocks : smallBlocks
  }

  #forget(worker: Worker, file: number): void {
    if (!this.#files.delete(file)) return
    // One that ended by itself takes no more orders.
    if (worker === this.#worker) worker.postMessage({ kind: 'forget', file, ask: 0 } satisfies HashAsk)
    if (this.#files.size === 0) this.#rest(this.#worker)
  }

  /** There are no files: after some time there is no thread either. */
  #rest(worker: Worker | undefined): void {
    if (worker === undefined) {
      this.#largeBlocks.free()
      return
    }
    // What has nothing to do keeps no process alive.
    worker.unref()
    this.#idle = setTimeout(() => {
      this.#worker = undefined
      this.#largeBlocks.free()
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
