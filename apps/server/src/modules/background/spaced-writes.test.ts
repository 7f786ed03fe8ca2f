import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { spaceWrites } from './spaced-writes.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('the first value is written at once, and after that one in each span', async () => {
  const write = vi.fn(async (_value: number) => undefined)
  const writes = spaceWrites({ write, everyMs: 1_000, onError: () => undefined })
  for (let value = 0; value < 250; value += 1) {
    writes.tell(value)
    await vi.advanceTimersByTimeAsync(10)
  }
  expect(write.mock.calls.map(([value]) => value)).toEqual([0, 100, 200])
})

test('what is urgent does not wait for the span, and nothing is written beside another write', async () => {
  let end: () => void = () => undefined
  const write = vi.fn((_value: string) => new Promise<void>((resolve) => (end = resolve)))
  const writes = spaceWrites({
    write,
    everyMs: 1_000,
    isUrgent: (value, last) => value !== last,
    onError: () => undefined,
  })
  writes.tell('files')
  writes.tell('tables')
  expect(write).toHaveBeenCalledTimes(1)
  end()
  await writes.settled()
  writes.tell('tables')
  expect(write.mock.calls.map(([value]) => value)).toEqual(['files', 'tables'])
})

test('a write that fails is told of, and the next one is made', async () => {
  const onError = vi.fn()
  const write = vi.fn(async (_value: number) => undefined).mockRejectedValueOnce(new Error('away'))
  const writes = spaceWrites({ write, everyMs: 10, onError })
  writes.tell(1)
  await writes.settled()
  await vi.advanceTimersByTimeAsync(20)
  writes.tell(2)
  expect(onError).toHaveBeenCalledTimes(1)
  expect(write).toHaveBeenCalledTimes(2)
})
