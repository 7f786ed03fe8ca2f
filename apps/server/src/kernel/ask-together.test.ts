import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { askTogether } from './ask-together.ts'

test('what is asked for in one turn is one question per group, each key once', async () => {
  const questions: [string, number[]][] = []
  const ask = askTogether(async (group: string, keys: number[]) => {
    questions.push([group, keys])
    return new Map(keys.filter((key) => key !== 3).map((key) => [key, `${group}${key}`]))
  })
  const asked = [ask('a', 1), ask('a', 2), ask('b', 1), ask('a', 1), ask('a', 3)]
  expect(await Promise.all(asked)).toEqual(['a1', 'a2', 'b1', 'a1', undefined])
  expect(questions).toEqual([
    ['a', [1, 2, 3]],
    ['b', [1]],
  ])
})

test('one is never answered by a question that was sent before it came', async () => {
  let version = 'old'
  const answers: (() => void)[] = []
  const ask = askTogether((_group: string, keys: string[]) => {
    // What the database says is fixed when it reads, however late the answer comes.
    const found = new Map(keys.map((key) => [key, version]))
    return new Promise<typeof found>((resolve) => answers.push(() => resolve(found)))
  })
  const before = ask('a', 'job')
  await nextTurn()
  version = 'new'
  const after = ask('a', 'job')
  await nextTurn()
  for (const answer of answers) answer()
  expect([await before, await after]).toEqual(['old', 'new'])
})

test('a question that fails does so for all who asked it, and for none after them', async () => {
  let isAway = true
  const ask = askTogether(async (_group: string, keys: string[]) => {
    if (isAway) throw new Error('away')
    return new Map(keys.map((key) => [key, key]))
  })
  const settled = await Promise.allSettled([ask('a', 'one'), ask('a', 'other')])
  expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  isAway = false
  expect(await ask('a', 'one')).toBe('one')
})
