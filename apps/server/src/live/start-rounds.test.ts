import { expect, test } from 'vitest'
import type { AccountId } from '../kernel/ids.ts'
import { StartRounds } from './start-rounds.ts'

const [own, other] = ['acc_1', 'acc_2'] as AccountId[] as [AccountId, AccountId]

test('the end of rounds is that of the last one under way, also after an error', async () => {
  const rounds = new StartRounds()
  expect(rounds.end(own)).toBeUndefined()
  const [first, second] = [Promise.withResolvers<number>(), Promise.withResolvers<number>()]
  const results = [rounds.run(own, () => first.promise), rounds.run(own, () => second.promise)]
  expect(rounds.end(other)).toBeUndefined()
  let isOver = false
  const end = rounds.end(own)?.then(() => {
    isOver = true
  })
  first.reject(new Error('no'))
  await expect(results[0]).rejects.toThrow('no')
  expect(isOver).toBe(false)
  second.resolve(2)
  expect(await results[1]).toBe(2)
  await end
  expect(isOver).toBe(true)
  expect(rounds.end(own)).toBeUndefined()
})
