import { expect, test } from 'vitest'
import { groupSentence } from './group-words.ts'

test('a group tells how many jobs could start where, and what is in the way', () => {
  const printers = Array.from({ length: 11 }, () => ({}))
  expect(groupSentence({ rule: 'nozzle_matches', remedy: 'enter_equipment', jobs: 13, printers, nozzle: 0.4 })).toBe(
    '13 jobs could start on 11 idle printers: nozzle not entered',
  )
  expect(groupSentence({ rule: 'nozzle_matches', remedy: 'change_nozzle', jobs: 1, printers: [{}], nozzle: 0.6 })).toBe(
    '1 job could start on 1 idle printer: another nozzle of 0.6 mm is needed',
  )
  expect(groupSentence({ rule: 'plate_clear', remedy: 'clear_plate', jobs: 2, printers: [{}], nozzle: null })).toBe(
    '2 jobs could start on 1 idle printer: the plate was not confirmed to be clear',
  )
})
