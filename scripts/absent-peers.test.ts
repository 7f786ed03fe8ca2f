import { expect, test } from 'vitest'
import { describeAbsences, judgeAbsences } from './absent-peers.mjs'

const generator = { name: 'client-go', neededFor: 'a client in Go', problem: 'no such version' }
const program = { name: 'redis-server', neededFor: 'two services', problem: 'not root', isOutOfReach: true }
const absences = [generator, program]

test('a program that could be installed and is missing fails the run', () => {
  const { failed, excused } = judgeAbsences(absences, { isCi: false, isOnline: true })
  expect([failed, excused]).toEqual([[generator], [program]])
})

test('without a network nothing could be had', () => {
  expect(judgeAbsences(absences, { isCi: false, isOnline: false })).toEqual({ failed: [], excused: absences })
})

test('nothing is excused where CI is true', () => {
  for (const isOnline of [true, false]) {
    expect(judgeAbsences(absences, { isCi: true, isOnline })).toEqual({ failed: absences, excused: [] })
  }
})

test('what is missing is told with the end of its problem', () => {
  const problem = Array.from({ length: 20 }, (_, line) => `line ${line}`).join('\n')
  expect(describeAbsences([{ ...generator, problem }])).toMatch(/^ {2}client-go: a client in Go\n {4}line 12\n/)
})
