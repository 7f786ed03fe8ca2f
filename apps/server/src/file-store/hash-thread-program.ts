import { createHash, type Hash } from 'node:crypto'
import { writevSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'
import type { HashAnswer, HashAsk } from './hash-thread.ts'
import { skipBytes } from './skip-bytes.ts'

// The thread of `hash-thread.ts`.
const hashes = new Map<number, Hash>()

parentPort?.on('message', (order: HashAsk) => {
  const { ask, file } = order
  if (order.kind === 'forget') {
    hashes.delete(file)
    return
  }
  let answer: HashAnswer
  try {
    if (order.kind === 'write') write(order)
    answer = order.kind === 'digest' ? { ask, digest: digestOf(file) } : { ask }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    answer = { ask, problem: { code, message } }
  }
  parentPort?.postMessage(answer)
})

function write({ file, fd, chunks }: HashAsk & { kind: 'write' }): void {
  const hash = hashes.get(file) ?? createHash('sha256')
  hashes.set(file, hash)
  for (const chunk of chunks) hash.update(chunk)
  // A write may take less than it was given, on a disk that is nearly full above all.
  for (let rest = chunks; rest.length > 0; ) rest = skipBytes(rest, writevSync(fd, rest))
  // At once: the garbage collector, to which a chunk is a few bytes, would leave megabytes of them lying about.
  for (const { buffer } of chunks) buffer.transfer(0)
}

function digestOf(file: number): string {
  const hash = hashes.get(file)
  // A thread that was started again has not seen the beginning.
  if (hash === undefined) throw new Error('the beginning of the file is not known')
  return hash.digest('hex')
}
