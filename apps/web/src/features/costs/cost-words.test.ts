import { expect, test } from 'vitest'
import type { UnknownInput } from '../../lib/api/api-schema.generated.ts'
import { costText, marginText, missingOf, unknownWords } from './cost-words.ts'

const screw: UnknownInput = {
  input: 'material_price',
  subject_kind: 'material',
  subject_id: 'mat_1',
  subject: 'Screw M3',
  parts: ['components'],
}

test('what is not known is never shown as nothing', () => {
  expect([costText('0', true, 'EUR'), costText('0', false, 'EUR'), costText('1.2', false, 'EUR')]).toEqual([
    '€0.00',
    'unknown',
    'at least €1.20',
  ])
  expect(marginText({ margin: null, margin_at_most: '-1.5' }, 'EUR')).toBe('at most -€1.50')
  expect(marginText({ margin: null, margin_at_most: null }, 'EUR')).toBe('unknown')
  expect(marginText({ margin: '9.6291', margin_at_most: '9.6291' }, 'EUR')).toBe('€9.63')
})

test('what is missing is named once, with the thing that it belongs to', () => {
  expect(missingOf({ unknown: [screw] }, { unknown: [{ ...screw, parts: [] }] })).toHaveLength(1)
  expect(unknownWords(screw)).toBe('Price of Screw M3')
  const account = { subject_kind: 'account', subject_id: null, subject: 'the account' } as const
  const parts: UnknownInput['parts'] = []
  expect(unknownWords({ ...account, parts, input: 'machine_hour_price' })).toBe('Price of a machine hour')
  const model = { ...account, subject_kind: 'printer_model', subject_id: 'MK4S', subject: 'MK4S' } as const
  expect(unknownWords({ ...model, parts, input: 'watts' })).toBe('Watts of MK4S')
  expect(unknownWords({ ...account, parts, input: 'platform_fee', subject_kind: 'platform', subject: 'etsy' })).toBe(
    'Fee of Etsy',
  )
})
