import { unknownPrinterState } from '@printyard/protocol/unknown-printer-state'
import { expect, test } from 'vitest'
import { changedFields, liveFieldsOf } from './live-fields.ts'

const state = { ...unknownPrinterState('new'), status: 'printing' as const, nozzle_temp: 215.2, progress: 42.31 }

test('of a printer that nothing was told of, all fields are told', () => {
  const fields = liveFieldsOf(state)
  expect(changedFields(undefined, fields)).toEqual(fields)
  expect(fields).toMatchObject({ status: 'printing', nozzle_temp: 215, progress: 42.3, bed_temp: null })
})

test('after that only what differs is told, and what no one sees is no difference', () => {
  const before = liveFieldsOf(state)
  const differs = (change: object) => changedFields(before, liveFieldsOf({ ...state, ...change }))
  expect(differs({ nozzle_temp: 214.9, progress: 42.29 })).toBeUndefined()
  expect(differs({ nozzle_temp: 216, layer_num: 3 })).toEqual({ nozzle_temp: 216, layer_num: 3 })
  expect(differs({ progress: null, status: 'idle' })).toEqual({ progress: null, status: 'idle' })
})
