import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Turns } from './turns.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

const settle = () => new Promise((resolve) => setImmediate(resolve))

/** Work that ends when it is told to, and the order in which pieces of it began. */
function setUp(atOnce: number) {
  const turns = new Turns<string>({ atOnce, longestMs: 1_000 })
  const started: string[] = []
  const ends = new Map<string, PromiseWithResolvers<string>>()
  const left = new Set<string>()
  const ask = (owner: string, name: string) =>
    turns.run(
      owner,
      () => {
        started.push(name)
        const end = Promise.withResolvers<string>()
        ends.set(name, end)
        return end.promise
      },
      () => !left.has(name),
    )
  const end = async (name: string) => {
    ends.get(name)?.resolve(name)
    await settle()
  }
  return { ask, started, end, ends, left }
}

test('so many run at once, and the next begins when one has ended', async () => {
  const { ask, started, end } = setUp(2)
  const first = ask('a', '1')
  for (const name of ['2', '3', '4']) void ask('a', name)
  expect(started).toEqual(['1', '2'])
  await end('1')
  expect(await first).toBe('1')
  expect(started).toEqual(['1', '2', '3'])
})

test('an owner who asks for a thousand turns holds up another by one', async () => {
  const { ask, started, end } = setUp(1)
  for (let number = 0; number < 1_000; number += 1) void ask('many', `m${number}`)
  void ask('few', 'f')
  await end('m0')
  await end('m1')
  expect(started).toEqual(['m0', 'm1', 'f'])
})

test('what is not wanted any more takes no turn, and is told so', async () => {
  const { ask, started, end, left } = setUp(1)
  void ask('a', '1')
  const second = ask('a', '2')
  void ask('a', '3')
  left.add('2')
  await end('1')
  expect(await second).toBeUndefined()
  expect(started).toEqual(['1', '3'])
})

test('what hangs holds its place for a while only, and its late end frees no second one', async () => {
  const { ask, started, end } = setUp(1)
  const hanging = ask('a', '1')
  for (const name of ['2', '3']) void ask('b', name)
  vi.advanceTimersByTime(999)
  expect(started).toEqual(['1'])
  vi.advanceTimersByTime(1)
  expect(started).toEqual(['1', '2'])
  await end('1')
  expect(await hanging).toBe('1')
  expect(started).toEqual(['1', '2'])
  await end('2')
  expect(started).toEqual(['1', '2', '3'])
})

test('what fails tells who asked, and the next has its turn', async () => {
  const { ask, started, ends } = setUp(1)
  const first = ask('a', '1')
  void ask('a', '2')
  ends.get('1')?.reject(new Error('no'))
  await expect(first).rejects.toThrow('no')
  expect(started).toEqual(['1', '2'])
})

test('nothing is left behind after the end', async () => {
  const { ask, end } = setUp(1)
  void ask('a', '1')
  await end('1')
  expect(vi.getTimerCount()).toBe(0)
})
