import { expect, onTestFinished, test, vi } from 'vitest'
import type { ForgetListener } from './coherence.ts'
import { LeasedMemory, type Remembered } from './leased-memory.ts'

/** A memory whose lease and notices the test has in its hands. */
function buildMemory(capacity = 100) {
  const listeners: ForgetListener[] = []
  const lease = {
    isCurrent: true,
    term: 1 as number | undefined,
    onForget: (listener: ForgetListener) => void listeners.push(listener),
  }
  const memory = new LeasedMemory<string>(lease, capacity)
  return {
    memory,
    lease,
    forget: (id?: string) => {
      for (const listener of listeners) listener(id)
    },
    put: (key: string, ...ids: string[]) => memory.read(key, async () => ({ value: `value of ${key}`, ids })),
  }
}

test('what was read is there until one of the rows that it was made of has changed', async () => {
  const { memory, forget, put } = buildMemory()
  await put('a', 'account', 'key_a')
  await put('b', 'account', 'key_b')
  forget('key_a')
  expect([memory.get('a'), memory.get('b')]).toEqual([undefined, 'value of b'])
  forget('account')
  expect(memory.get('b')).toBe(undefined)
})

test('nothing is there while it is not proven to be current, and all of it again when it is', async () => {
  const { memory, lease, put } = buildMemory()
  await put('a', 'account')
  lease.isCurrent = false
  expect(memory.get('a')).toBe(undefined)
  lease.isCurrent = true
  expect(memory.get('a')).toBe('value of a')
})

test('nothing of before is there when notices may have been missed, though it is current again', async () => {
  const { memory, forget, put } = buildMemory()
  await put('a', 'account')
  await put('b', 'account')
  forget()
  expect([memory.get('a'), memory.get('b')]).toEqual([undefined, undefined])
})

test('what was told of nothing for a minute is read again', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const { memory, put } = buildMemory()
  await put('a', 'account')
  vi.advanceTimersByTime(60_000)
  expect(memory.get('a')).toBe('value of a')
  vi.advanceTimersByTime(1)
  expect(memory.get('a')).toBe(undefined)
  await put('a', 'account')
  expect(memory.get('a')).toBe('value of a')
})

test.each([
  ['what it was made of changed', (given: ReturnType<typeof buildMemory>) => given.forget('key_a')],
  ['notices may have been missed', (given: ReturnType<typeof buildMemory>) => given.forget()],
  [
    'the session for notices became another one',
    (given: ReturnType<typeof buildMemory>) => {
      given.lease.term = 2
    },
  ],
])('what is read while %s is answered and not remembered', async (_, happen) => {
  const given = buildMemory()
  const reading = Promise.withResolvers<Remembered<string>>()
  const answer = given.memory.read('a', () => reading.promise)
  happen(given)
  reading.resolve({ value: 'old', ids: ['key_a'] })
  expect(await answer).toBe('old')
  expect(given.memory.get('a')).toBe(undefined)
})

test('what is read without a session for notices is not remembered, even when one begins meanwhile', async () => {
  const { memory, lease } = buildMemory()
  lease.term = undefined
  const reading = Promise.withResolvers<Remembered<string>>()
  const answer = memory.read('a', () => reading.promise)
  lease.term = 1
  reading.resolve({ value: 'old', ids: [] })
  await answer
  expect(memory.get('a')).toBe(undefined)
})

test('what is not there is not remembered, nor is a read that failed', async () => {
  const { memory, put } = buildMemory()
  expect(await memory.read('a', async () => undefined)).toBe(undefined)
  await expect(memory.read('a', async () => Promise.reject(new Error('away')))).rejects.toThrow('away')
  await put('a', 'key_a')
  expect(memory.get('a')).toBe('value of a')
})

test('what was not asked for longest makes room', async () => {
  const { memory, put } = buildMemory(2)
  await put('a', 'account')
  await put('b', 'account')
  memory.get('a')
  await put('c', 'account')
  expect(['a', 'b', 'c'].map((key) => memory.get(key) !== undefined)).toEqual([true, false, true])
})
