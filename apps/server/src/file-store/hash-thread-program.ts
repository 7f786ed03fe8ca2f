import { createHash } from 'node:crypto'
import { writevSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'
import { DirectFile, DirectMemory } from './direct-file.ts'
import type { HashAnswer, HashAsk, HashOrder } from './hash-thread.ts'
import { skipBytes } from './skip-bytes.ts'

// The thread of `hash-thread.ts`. What is asked about one file comes one after another.
const files = new Map<number, ThreadFile>()
const memory = new DirectMemory()

class ThreadFile {
  readonly #hash = createHash('sha256')
  readonly #fd: number
  readonly #direct: DirectFile | undefined

  constructor({ fd, directPath }: HashOrder & { kind: 'begin' }) {
    this.#fd = fd
    this.#direct = directPath === undefined ? undefined : DirectFile.open(directPath, memory)
  }

  get isDirect(): boolean {
    return this.#direct !== undefined
  }

  async write(chunks: Uint8Array<ArrayBuffer>[]): Promise<void> {
    for (const chunk of chunks) this.#hash.update(chunk)
    if (this.#direct === undefined) {
      // A write may take less than it was given, on a disk that is nearly full above all.
      for (let rest = chunks; rest.length > 0; ) rest = skipBytes(rest, writevSync(this.#fd, rest))
    } else {
      for (const chunk of chunks) await this.#direct.add(chunk)
    }
    // At once: the garbage collector, to which a chunk is a few bytes, would leave megabytes of them lying about.
    for (const { buffer } of chunks) buffer.transfer(0)
  }

  async finish(): Promise<void> {
    await this.#direct?.finish()
  }

  digest(): string {
    return this.#hash.digest('hex')
  }

  async close(): Promise<void> {
    await this.#direct?.close()
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
  parentPort?.postMessage(answer)
})

async function react(order: HashOrder): Promise<Pick<HashAnswer, 'digest' | 'isDirect'>> {
  if (order.kind === 'begin') {
    const opened = new ThreadFile(order)
    files.set(order.file, opened)
    return { isDirect: opened.isDirect }
  }
  const file = files.get(order.file)
  // A thread that was started again has not seen the beginning.
  if (file === undefined) throw new Error('the beginning of the file is not known')
  if (order.kind === 'digest') return { digest: file.digest() }
  if (order.kind === 'write') await file.write(order.chunks)
  else if (order.kind === 'finish') await file.finish()
  else {
    files.delete(order.file)
    await file.close()
  }
  return {}
}
