import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { inARow } from './in-a-row.ts'

test('what arrives in one turn is worked on in its order, when the turn is over', async () => {
  const worked: number[] = []
  const take = inARow<number>((each) => worked.push(each))
  for (const each of [1, 2, 3]) take(each)
  expect(worked).toEqual([])
  await nextTurn()
  expect(worked).toEqual([1, 2, 3])
})

test('what arrives while a row is worked on has the next one', async () => {
  const worked: string[] = []
  const take = inARow<string>((each) => {
    worked.push(each)
    if (each === 'first') take('later')
  })
  take('first')
  take('second')
  await nextTurn()
  expect(worked.slice(0, 2)).toEqual(['first', 'second'])
  await nextTurn()
  expect(worked).toEqual(['first', 'second', 'later'])
})

test('one that fails keeps none of the others from being worked on', async () => {
  const worked: number[] = []
  const take = inARow<number>((each) => {
    if (each === 2) throw new Error('two')
    worked.push(each)
  })
  const failure = new Promise((resolve) => process.once('uncaughtException', resolve))
  const others = process.listeners('uncaughtException').filter((_, index, all) => index < all.length - 1)
  for (const other of others) process.off('uncaughtException', other)
  for (const each of [1, 2, 3]) take(each)
  expect(await failure).toEqual(new Error('two'))
  await nextTurn()
  await nextTurn()
  for (const other of others) process.on('uncaughtException', other)
  expect(worked).toEqual([1, 3])
})
