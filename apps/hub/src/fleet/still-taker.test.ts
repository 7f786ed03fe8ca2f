import { expect, test, vi } from 'vitest'
import { createStillTaker } from './still-taker.ts'

/** A camera that answers when the test says so. */
function makeCamera() {
  const asked: { signal: AbortSignal; answer(still: Buffer): void; refuse(error: Error): void }[] = []
  return {
    asked,
    ask: (signal: AbortSignal) =>
      new Promise<Buffer>((resolve, reject) => {
        asked.push({ signal, answer: resolve, refuse: reject })
        signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      }),
  }
}

const still = Buffer.from('still')

test('anyone who asks while a picture is taken gets the same one', async () => {
  const camera = makeCamera()
  const stills = createStillTaker({ ask: camera.ask, timeoutMs: 60_000 })
  const both = [stills.take(), stills.take()]
  camera.asked[0]?.answer(still)
  expect(await Promise.all(both)).toEqual([still, still])
  expect(camera.asked).toHaveLength(1)
})

test('a picture answers for a second, and then the camera is asked again', async () => {
  vi.useFakeTimers()
  try {
    const camera = makeCamera()
    const stills = createStillTaker({ ask: camera.ask, timeoutMs: 60_000 })
    const first = stills.take()
    camera.asked[0]?.answer(still)
    await first
    vi.advanceTimersByTime(999)
    expect(await stills.take()).toBe(still)
    vi.advanceTimersByTime(1)
    const next = stills.take()
    expect(camera.asked).toHaveLength(2)
    camera.asked[1]?.answer(Buffer.from('next'))
    expect(await next).toEqual(Buffer.from('next'))
  } finally {
    vi.useRealTimers()
  }
})

test('a failure is not kept', async () => {
  const camera = makeCamera()
  const stills = createStillTaker({ ask: camera.ask, timeoutMs: 60_000 })
  const first = stills.take()
  camera.asked[0]?.refuse(new Error('dark'))
  await expect(first).rejects.toThrow('dark')
  const second = stills.take()
  camera.asked[1]?.answer(still)
  expect(await second).toBe(still)
})

test('a camera that never answers is given up, and asked again by the next', async () => {
  const camera = makeCamera()
  const stills = createStillTaker({ ask: camera.ask, timeoutMs: 20 })
  await expect(stills.take()).rejects.toMatchObject({ name: 'TimeoutError' })
  const second = stills.take()
  camera.asked[1]?.answer(still)
  expect(await second).toBe(still)
})

test('a printer that is let go lets go of its camera, and its last picture is not shown again', async () => {
  const camera = makeCamera()
  const stills = createStillTaker({ ask: camera.ask, timeoutMs: 60_000 })
  const first = stills.take()
  camera.asked[0]?.answer(still)
  await first
  stills.reset()
  const second = stills.take()
  expect(camera.asked).toHaveLength(2)
  stills.reset()
  await expect(second).rejects.toThrow('let go')
})
