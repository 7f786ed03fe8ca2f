import { expect, test } from 'vitest'
import { RememberedReads } from './remembered-reads.ts'

/** Reads of so many rows, counted. */
function buildReads(mostRows: number) {
  const reads = new RememberedReads(mostRows)
  let asked = 0
  return {
    asked: () => asked,
    find: (key: string, mark: string, rows = 1) =>
      reads.find('owner', key, mark, async () => {
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

test('the same key of another owner is another', async () => {
  const reads = new RememberedReads(100)
  const find = (owner: string) => reads.find(owner, 'a', 'one', async () => ({ rows: [owner] }))
  const read = []
  for (const owner of ['x', 'y', 'x']) read.push((await find(owner)).rows)
  expect(read).toEqual([['x'], ['y'], ['x']])
})

test('a read that failed is not kept', async () => {
  const reads = new RememberedReads(100)
  await expect(reads.find('owner', 'a', 'one', async () => Promise.reject(new Error('away')))).rejects.toThrow('away')
  expect(await reads.find('owner', 'a', 'one', async () => ({ rows: [1] }))).toEqual({ rows: [1] })
})

test('what was not asked for again makes room for rows that are read', async () => {
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

test('what is asked for again and again stays while others come and go, and makes room once it is not', async () => {
  const { find, asked } = buildReads(12)
  await find('a', 'one', 3)
  for (const key of ['b', 'c', 'd', 'e']) {
    await find('a', 'one', 3)
    await find(key, 'one', 3)
  }
  expect(asked()).toBe(5)
  await find('a', 'one', 3)
  expect(asked()).toBe(5)
  for (const key of ['f', 'g', 'h', 'i']) await find(key, 'one', 3)
  await find('a', 'one', 3)
  expect(asked()).toBe(10)
})

test('what is new has room among others that are all asked for', async () => {
  const { find, asked } = buildReads(12)
  for (const key of ['a', 'b', 'c', 'a', 'b', 'c']) await find(key, 'one', 3)
  await find('d', 'one', 3)
  await find('d', 'one', 3)
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
  const slow = reads.find('owner', 'a', 'old', () => promise)
  const fresh = await reads.find('owner', 'a', 'new', async () => ({ rows: [2] }))
  resolve({ rows: [1] })
  await slow
  expect(await reads.find('owner', 'a', 'new', async () => ({ rows: [3] }))).toBe(fresh)
})
