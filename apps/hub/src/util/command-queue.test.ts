import { describe, expect, test } from 'vitest'
import { createCommandQueue, OvertakenError, QueueClosedError } from './command-queue.ts'

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

describe('command queue', () => {
  test('tasks run one at a time in the order of their arrival', async () => {
    const queue = createCommandQueue()
    const order: string[] = []
    const task = (name: string) => async () => {
      order.push(`${name} begins`)
      await new Promise((resolve) => setImmediate(resolve))
      order.push(`${name} ends`)
    }
    await Promise.all([queue.run(task('a')), queue.run(task('b'))])
    expect(order).toEqual(['a begins', 'a ends', 'b begins', 'b ends'])
  })

  test('a failing task rejects its caller and the next one runs', async () => {
    const queue = createCommandQueue()
    const failing = queue.run(() => Promise.reject(new Error('jammed')))
    const next = queue.run(async () => 'fine')
    await expect(failing).rejects.toThrow('jammed')
    await expect(next).resolves.toBe('fine')
  })

  test('an urgent task aborts the running one and goes before those that wait', async () => {
    const queue = createCommandQueue()
    const order: string[] = []
    const running = queue.run(untilAborted)
    const waiting = queue.run(async () => void order.push('waiting'))
    const urgent = queue.runUrgently(async () => void order.push('urgent'))
    await expect(running).rejects.toThrow(OvertakenError)
    await Promise.all([urgent, waiting])
    expect(order).toEqual(['urgent', 'waiting'])
  })

  test('an urgent task does not abort another urgent one', async () => {
    const queue = createCommandQueue()
    let aborted = false
    const first = queue.runUrgently(async (signal) => {
      await new Promise((resolve) => setImmediate(resolve))
      aborted = signal.aborted
    })
    const second = queue.runUrgently(async () => 'second')
    await first
    await expect(second).resolves.toBe('second')
    expect(aborted).toBe(false)
  })

  test('closing aborts what runs, rejects what waits and refuses what comes', async () => {
    const queue = createCommandQueue()
    const results = [queue.run(untilAborted), queue.run(async () => 'never')]
    const seen = Promise.allSettled(results)
    await new Promise((resolve) => setImmediate(resolve))
    await queue.close()
    expect((await seen).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    await expect(queue.run(async () => 'late')).rejects.toThrow(QueueClosedError)
  })
})
