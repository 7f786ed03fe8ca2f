import { expect, test } from 'vitest'
import { runState, stepWords, whenWords } from './automation-words.ts'

test('a rule says what it waits for, and how often', () => {
  expect(whenWords({ kinds: ['print_failed', 'printer_error'], times: 1, within_minutes: 60 })).toBe(
    'Print failed, Printer error',
  )
  expect(whenWords({ kinds: ['print_failed'], times: 3, within_minutes: 1_440 })).toBe('3 × Print failed in 24h')
})

test('a run with a refused action is trouble, whatever else was done', () => {
  const done = { do: 'create_task', result: 'done', detail: '' } as const
  const refused = { do: 'produce', result: 'refused', detail: 'This is about no order and no SKU.' } as const
  expect(runState({ outcome: 'ran', steps: [done] })).toEqual({ tone: 'done', word: 'Acted' })
  expect(runState({ outcome: 'ran', steps: [done, refused] }).tone).toBe('trouble')
  expect(runState({ outcome: 'held', steps: [] })).toEqual({ tone: 'trouble', word: 'Held back' })
})

test('an action says what came of it', () => {
  expect(stepWords({ do: 'produce', result: 'done', detail: '1 job queued' })).toBe(
    'Queue missing production: 1 job queued',
  )
  expect(stepWords({ do: 'create_task', result: 'not_done', detail: '' })).toBe('Make a task: not done, on trial')
})
