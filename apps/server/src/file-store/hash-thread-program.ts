import { createHash } from 'node:crypto'
import { writeSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'
import { DirectFile } from './direct-file.ts'
import type { HashAnswer, HashAsk, HashOrder } from './hash-thread.ts'
import { OneATurn } from './one-a-turn.ts'

// The thread of `hash-thread.ts`. What is asked about one file comes one after another.
const files = new Map<number, ThreadFile>()
// A thread takes all messages that wait at once: the disk would be done with blocks long before anyone is told.
const turns = new OneATurn()

class ThreadFile {
  readonly #hash = createHash('sha256')
  readonly #fd: number
  readonly #direct: DirectFile | undefined

  constructor({ fd, directPath }: HashOrder & { kind: 'begin' }) {
    this.#fd = fd
    this.#direct = directPath === undefined ? undefined : DirectFile.open(directPath, fd)
  }

  get isDirect(): boolean {
    return this.#direct !== undefined
  }

  async write(block: ArrayBuffer, bytes: number): Promise<void> {
    const content = new Uint8Array(block, 0, bytes)
    // The disk takes it while it is hashed.
    const written = this.#direct?.write(block, bytes)
    const hashed = turns.do(() => {
      this.#hash.update(content)
      if (written === undefined) this.#writePlain(content)
    })
    await Promise.all([written, hashed])
  }

  /** A write may take less than it was given, on a disk that is nearly full above all. */
  #writePlain(content: Uint8Array): void {
    for (let at = 0; at < content.length; ) at += writeSync(this.#fd, content, at)
  }

  finish(): string {
    this.#direct?.finish()
    return this.#hash.digest('hex')
  }

  close(): void {
    this.#direct?.close()
  }
}

parentPort?.on('message', async (order: HashAsk) => {
  const { ask } = order
  let answer: HashAnswer
  try {
    answer = { ask, ...(await react(order)) }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    answer = { ask, problem: { code, message } }
  }
  parentPort?.postMessage(answer, answer.block === undefined ? [] : [answer.block])
})

async function react(order: HashOrder): Promise<Omit<HashAnswer, 'ask'>> {
  if (order.kind === 'begin') {
    const opened = new ThreadFile(order)
    files.set(order.file, opened)
    return { isDirect: opened.isDirect }
  }
  const file = files.get(order.file)
  // A thread that was started again has not seen the beginning.
  if (file === undefined) throw new Error('the beginning of the file is not known')
  if (order.kind === 'write') {
    await file.write(order.block, order.bytes)
    return { block: order.block }
  }
  if (order.kind === 'finish') return { digest: file.finish() }
  files.delete(order.file)
  file.close()
  return {}
}
