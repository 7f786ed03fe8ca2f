import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { boundedSignal } from './bounded-signal.ts'

const LONG_MS = 600_000

test('aborts with the reason of its parent, also of one that has aborted before', () => {
  const parent = new AbortController()
  const before = boundedSignal(parent.signal, LONG_MS)
  expect(before.signal.aborted).toBe(false)
  parent.abort(new Error('the driver stops'))
  const after = boundedSignal(parent.signal, LONG_MS)
  for (const { signal, release } of [before, after]) {
    expect(signal.reason).toEqual(new Error('the driver stops'))
    release()
  }
})

test('aborts with a TimeoutError when the time is over', async () => {
  const { signal, release } = boundedSignal(new AbortController().signal, 1)
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
  expect(signal.reason).toMatchObject({ name: 'TimeoutError' })
  release()
})

test('released, it listens to nothing and never aborts', () => {
  const parent = new AbortController()
  const { signal, release } = boundedSignal(parent.signal, LONG_MS)
  expect(getEventListeners(parent.signal, 'abort')).toHaveLength(1)
  release()
  expect(getEventListeners(parent.signal, 'abort')).toHaveLength(0)
  parent.abort()
  expect(signal.aborted).toBe(false)
})
