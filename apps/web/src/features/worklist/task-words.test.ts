import { expect, test } from 'vitest'
import { asksForFate, finishOf, kindOf, placeOf } from './task-words.ts'

const printer = { id: 'prn_1', name: 'Bench 3', model: 'MK4S', location: 'Hall 2', plate_state: 'occupied' } as const
const job = {
  ...{ id: 'job_1', product_name: 'Clip', file_name: 'clip.gcode', color: '', filament_type: '', units_per_plate: 4 },
  ...{ plate_number: 1, plates_total: 2, is_fate_unknown: true, was_seen_printing: false },
}
const task = {
  title: 'Sweep',
  task_type: 'maintenance',
  source: 'person',
  printer,
  job: null,
  filament_key: null,
} as const

test('ending a collection says that the plate of the printer is cleared', () => {
  const finish = finishOf({ ...task, task_type: 'collection', source: 'plate', job })
  expect(finish).toMatchObject({ label: 'Plate is clear', said: 'The plate of Bench 3 is clear', takesRejects: true })
  expect(finish.effect).toContain('Bench 3')
})

test('bad units are asked for only where a job lay on the plate', () => {
  expect(finishOf({ ...task, task_type: 'collection', source: 'plate' }).takesRejects).toBe(false)
  expect(finishOf({ ...task, task_type: 'collection', source: 'pick' })).toMatchObject({ label: 'All picked' })
  expect(finishOf({ ...task, task_type: 'collection', source: 'pack' }).effect).toMatch('leave the stock')
})

test('picking and packing, which travel as collections, are called what they are', () => {
  const word = (source: 'pick' | 'pack' | 'plate') => kindOf({ task_type: 'collection', source }).word
  expect([word('pick'), word('pack'), word('plate')]).toEqual(['Picking', 'Packing', 'Collection'])
})

test('a task that a person wrote has no effect, whatever its type', () => {
  expect(finishOf({ ...task, task_type: 'collection' }).effect).toBeUndefined()
})

test('a fate is asked for while it is unknown and the task is open', () => {
  const open = { source: 'unknown_fate', status: 'pending', job } as const
  expect(asksForFate(open)).toBe(true)
  expect(asksForFate({ ...open, status: 'cancelled' })).toBe(false)
  expect(asksForFate({ ...open, job: { ...job, is_fate_unknown: false } })).toBe(false)
})

test('a place is where the printer stands, and its name', () => {
  expect(placeOf({ printer, subtitle: 'ignored', source: 'person' })).toBe('Hall 2 · Bench 3')
  expect(placeOf({ printer: null, subtitle: '', source: 'person' })).toBeUndefined()
})
