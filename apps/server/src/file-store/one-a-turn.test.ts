import { stat } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { OneATurn } from './one-a-turn.ts'

function keepThread(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end; );
}

test('what was awaited ends between two pieces of work that waited together', async () => {
  const turns = new OneATurn()
  const order: string[] = []
  const awaited: Promise<unknown>[] = []
  const work = ['first', 'second', 'third'].map((name) =>
    turns.do(() => {
      order.push(name)
      awaited.push(stat('/').then(() => order.push(`awaited by ${name}`)))
      // Long enough for the system to have answered.
      keepThread(50)
    }),
  )
  await Promise.all(work)
  await Promise.all(awaited)
  expect(order).toEqual(['first', 'awaited by first', 'second', 'awaited by second', 'third', 'awaited by third'])
})

test('work that throws rejects its own promise alone', async () => {
  const turns = new OneATurn()
  const failure = new Error('of the first')
  const done: string[] = []
  const first = turns.do(() => {
    throw failure
  })
  const second = turns.do(() => done.push('second'))
  await expect(first).rejects.toBe(failure)
  await second
  expect(done).toEqual(['second'])
})
