import { expect, test } from 'vitest'
import { RememberedReads } from './remembered-reads.ts'

/** Reads of so many rows, counted. */
function buildReads(mostRows: number) {
  const reads = new RememberedReads(mostRows)
  let asked = 0
  return {
    asked: () => asked,
    find: (key: string, mark: string, rows = 1) =>
      reads.find(key, mark, async () => {
        asked += 1
        return { rows: Array.from({ length: rows }, (_, index) => `${key} ${index}`), read: asked }
      }),
  }
}

test('what was read is answered until its mark is another one, however often it changes', async () => {
  const { find } = buildReads(100)
  const marks = ['one', 'one', 'two', 'two', 'one']
  const read = []
  for (const mark of marks) read.push((await find('a', mark)).read)
  expect(read).toEqual([1, 1, 2, 2, 3])
})

test('those who ask at once share a read', async () => {
  const { find, asked } = buildReads(100)
  await Promise.all([find('a', 'one'), find('a', 'one'), find('b', 'one')])
  expect(asked()).toBe(2)
})

test('a read that failed is not kept', async () => {
  const reads = new RememberedReads(100)
  await expect(reads.find('a', 'one', async () => Promise.reject(new Error('away')))).rejects.toThrow('away')
  expect(await reads.find('a', 'one', async () => ({ rows: [1] }))).toEqual({ rows: [1] })
})

test('what was not asked for longest makes room for rows that are read', async () => {
  const { find, asked } = buildReads(12)
  await find('a', 'one', 4)
  await find('b', 'one', 4)
  await find('a', 'one', 4)
  await find('c', 'one', 4)
  expect(asked()).toBe(3)
  await find('a', 'one', 4)
  await find('c', 'one', 4)
  expect(asked()).toBe(3)
  await find('b', 'one', 4)
  expect(asked()).toBe(4)
})

test('what has more rows than may be kept is read each time, and questions without rows take room, too', async () => {
  const { find, asked } = buildReads(3)
  await find('large', 'one', 3)
  await find('large', 'one', 3)
  expect(asked()).toBe(2)
  for (const key of ['a', 'b', 'c', 'd']) await find(key, 'one', 0)
  await find('a', 'one', 0)
  expect(asked()).toBe(7)
})

test('a read that ends after its mark was replaced takes no room', async () => {
  const reads = new RememberedReads(10)
  const { promise, resolve } = Promise.withResolvers<{ rows: number[] }>()
  const slow = reads.find('a', 'old', () => promise)
  const fresh = await reads.find('a', 'new', async () => ({ rows: [2] }))
  resolve({ rows: [1] })
  await slow
  expect(await reads.find('a', 'new', async () => ({ rows: [3] }))).toBe(fresh)
})
