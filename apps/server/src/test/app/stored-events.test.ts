import { expect, test } from 'vitest'
import { newId } from '../../kernel/ids.ts'
import { faultsOf } from './stored-events.ts'

test('an event is refused whose type, data or subject the catalogue does not have', () => {
  const good = { type: 'color.deleted', subject_id: newId('color'), data: { color_name: 'Red' } }
  expect(faultsOf(good)).toEqual([])
  expect(faultsOf({ ...good, type: 'color.painted' })).toEqual(['color.painted is not in the catalogue'])
  expect(faultsOf({ ...good, data: {} })).toHaveLength(1)
  expect(faultsOf({ ...good, data: { color_name: 'Red', hex: '#FF0000' } })).not.toEqual([])
  expect(faultsOf({ ...good, data: { color_name: null } })).not.toEqual([])
  expect(faultsOf({ ...good, subject_id: newId('printer') })).toHaveLength(1)
})
