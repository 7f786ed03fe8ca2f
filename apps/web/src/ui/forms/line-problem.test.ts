import { expect, test } from 'vitest'
import { lineProblem } from './line-problem.ts'

test('what the service says of lines is told over the form, and what it says of fields stays there', () => {
  const errors = { lines: 'would make a cycle', name: 'is too long' }
  expect(lineProblem(undefined, errors, ['lines'])?.message).toBe('would make a cycle.')
  expect(lineProblem(new Error('No.'), errors, ['lines'])?.message).toBe('No. would make a cycle.')
})

test('without it, the problem is told as it is', () => {
  const problem = new Error('No')
  expect(lineProblem(problem, { name: 'is too long' }, ['lines'])).toBe(problem)
  expect(lineProblem(undefined, {}, ['lines'])).toBeUndefined()
})
