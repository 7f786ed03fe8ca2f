import { expect, test } from 'vitest'
import { connectionProblem, connectionProblems } from './connection-problems.ts'

test('each reason has a sentence and a remedy for people', () => {
  for (const { message, remedy } of Object.values(connectionProblems)) {
    expect(message).toMatch(/^[A-Z].+\.$/)
    expect(remedy).toMatch(/^[A-Z].+\.$/)
  }
})

test('better words replace only what they are given for', () => {
  const problem = connectionProblem('refused', { message: 'Nothing listens at port 80.' })
  expect(problem).toEqual({
    reason: 'refused',
    message: 'Nothing listens at port 80.',
    remedy: connectionProblems.refused.remedy,
  })
})
