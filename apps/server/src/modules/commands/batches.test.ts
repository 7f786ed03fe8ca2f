import { expect, test } from 'vitest'
import { Batches } from './batches.ts'

/** Batches whose work waits for `release`, with what was worked on. */
function held(most = 10) {
  const worked: [string, number[]][] = []
  const waiting: PromiseWithResolvers<void>[] = []
  const batches = new Batches<string, number>(async (key, items) => {
    worked.push([key, [...items]])
    const turn = Promise.withResolvers<void>()
    waiting.push(turn)
    await turn.promise
  }, most)
  return {
    batches,
    worked,
    release: () => waiting.shift()?.resolve(),
    fail: () => waiting.shift()?.reject(new Error('no')),
  }
}

test('the first is worked on at once, and what comes meanwhile together', async () => {
  const { batches, worked, release } = held()
  const first = batches.add('a', 1)
  const others = [batches.add('a', 2), batches.add('a', 3)]
  expect(worked).toEqual([['a', [1]]])
  release()
  await first
  release()
  await Promise.all(others)
  expect(worked).toEqual([
    ['a', [1]],
    ['a', [2, 3]],
  ])
  void batches.add('a', 4)
  expect(worked.at(-1)).toEqual(['a', [4]])
})

test('keys do not wait for one another', () => {
  const { batches, worked } = held()
  void batches.add('a', 1)
  void batches.add('b', 2)
  expect(worked).toEqual([
    ['a', [1]],
    ['b', [2]],
  ])
})

test('a batch holds at most so many', async () => {
  const { batches, worked, release } = held(2)
  const all = [1, 2, 3, 4].map((item) => batches.add('a', item))
  for (const each of [0, 1, 3]) {
    release()
    await all[each]
  }
  expect(worked.map(([, items]) => items)).toEqual([[1], [2, 3], [4]])
})

test('an error is that of all in its batch, and of none after it', async () => {
  const { batches, fail, release } = held()
  const first = batches.add('a', 1)
  const others = [batches.add('a', 2), batches.add('a', 3)]
  fail()
  await expect(first).rejects.toThrow('no')
  fail()
  for (const other of others) await expect(other).rejects.toThrow('no')
  const last = batches.add('a', 4)
  release()
  await last
})
