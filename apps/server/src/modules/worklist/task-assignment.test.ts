import { expect, test } from 'vitest'
import type { UserId } from '../../kernel/ids.ts'
import { type AssignmentDefault, type AssignmentWish, resolveAssignee } from './task-assignment.ts'

const defaults: AssignmentDefault[] = [
  { task_type: null, assigned_to: 'usr_fallback' as UserId },
  { task_type: 'assembly', assigned_to: 'usr_assembler' as UserId },
  { task_type: 'maintenance', assigned_to: 'usr_former' as UserId },
]
const members = new Set(['usr_fallback', 'usr_assembler', 'usr_named'])
const resolve = (wish: AssignmentWish, known = defaults) => resolveAssignee(wish, known, members)

test.each([undefined, true, false])('who is named gets the task, with apply_default_assignee %s', (apply) => {
  const wish = { task_type: 'assembly', assigned_to: 'usr_named' as UserId } as const
  expect(resolve(apply === undefined ? wish : { ...wish, apply_default_assignee: apply })).toBe('usr_named')
})

test('the default of the type goes before the fallback, whatever their order', () => {
  expect(resolve({ task_type: 'assembly', apply_default_assignee: true })).toBe('usr_assembler')
  expect(resolve({ task_type: 'assembly', apply_default_assignee: true }, defaults.toReversed())).toBe('usr_assembler')
})

test('leaving apply_default_assignee out means true', () => {
  expect(resolve({ task_type: 'assembly' })).toBe('usr_assembler')
})

test('a type without a default of its own goes to the fallback', () => {
  expect(resolve({ task_type: 'collection' })).toBe('usr_fallback')
})

test('without a default and without a fallback no one gets it', () => {
  const assemblyOnly = defaults.filter(({ task_type }) => task_type === 'assembly')
  expect(resolve({ task_type: 'collection' }, assemblyOnly)).toBeNull()
  expect(resolve({ task_type: 'collection' }, [])).toBeNull()
})

test('apply_default_assignee false assigns no one', () => {
  expect(resolve({ task_type: 'assembly', apply_default_assignee: false })).toBeNull()
})

test('a default that points to a former member assigns no one, not even the fallback', () => {
  expect(resolve({ task_type: 'maintenance' })).toBeNull()
})

test('a fallback that points to a former member assigns no one', () => {
  expect(resolve({ task_type: 'collection' }, [{ task_type: null, assigned_to: 'usr_former' as UserId }])).toBeNull()
})
