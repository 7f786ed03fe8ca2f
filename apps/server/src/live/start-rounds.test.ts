import { expect, test } from 'vitest'
import type { AccountId } from '../kernel/ids.ts'
import { StartRounds } from './start-rounds.ts'

const [own, other] = ['acc_1', 'acc_2'] as AccountId[] as [AccountId, AccountId]

test('rounds of an account follow one another, also after an error, and their end is that of the last one', async () => {
  const rounds = new StartRounds()
  expect(rounds.end(own)).toBeUndefined()
  const [first, second] = [Promise.withResolvers<number>(), Promise.withResolvers<number>()]
  const started: string[] = []
  const begin = (name: string, result: Promise<number>) => () => {
    started.push(name)
    return result
  }
  const results = [rounds.run(own, begin('first', first.promise)), rounds.run(own, begin('second', second.promise))]
  expect(rounds.end(other)).toBeUndefined()
  expect(await rounds.run(other, begin('other', Promise.resolve(3)))).toBe(3)
  expect(started).toEqual(['first', 'other'])
  let isOver = false
  const end = rounds.end(own)?.then(() => {
    isOver = true
  })
  first.reject(new Error('no'))
  await expect(results[0]).rejects.toThrow('no')
  second.resolve(2)
  expect(await results[1]).toBe(2)
  expect(started).toEqual(['first', 'other', 'second'])
  await end
  expect(isOver).toBe(true)
  expect(rounds.end(own)).toBeUndefined()
})
