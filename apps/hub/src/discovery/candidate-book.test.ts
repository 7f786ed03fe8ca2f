import { expect, test } from 'vitest'
import { createCandidateBook } from './candidate-book.ts'
import type { Sighting } from './sighting.ts'

const seen = (overrides: Partial<Sighting> = {}): Sighting => ({
  connection_type: 'bambu',
  address: '192.168.1.20',
  port: null,
  serial: '01P00A123456789',
  name: 'Left',
  model: 'P1S',
  evidence: 'announced itself',
  ...overrides,
})

test('a printer that got another address is the same candidate, at the new address', () => {
  const book = createCandidateBook(() => 0)
  expect(book.record(seen())).toBe(true)
  expect(book.record(seen({ address: '192.168.1.21' }))).toBe(true)
  expect(book.list()).toMatchObject([{ serial: '01P00A123456789', address: '192.168.1.21' }])
})

test('seeing the same again changes nothing but the time', () => {
  let now = 1_000
  const book = createCandidateBook(() => now)
  book.record(seen())
  now = 5_000
  expect(book.record(seen())).toBe(false)
  expect(book.list()).toMatchObject([
    { first_seen_at: '1970-01-01T00:00:01.000Z', last_seen_at: '1970-01-01T00:00:05.000Z' },
  ])
})

test('found in two ways it has two sentences of evidence, and keeps what only one of them told', () => {
  const book = createCandidateBook(() => 0)
  book.record(seen({ serial: null, name: null, evidence: 'answers at the typed address' }))
  book.record(seen({ model: null }))
  expect(book.list()).toMatchObject([
    {
      serial: '01P00A123456789',
      name: 'Left',
      model: 'P1S',
      evidence: 'answers at the typed address',
      all_evidence: ['answers at the typed address', 'announced itself'],
    },
  ])
})

test('two servers on one machine are two candidates, told apart by their ports', () => {
  const book = createCandidateBook(() => 0)
  const klipper = { connection_type: 'moonraker', serial: null } as const
  book.record(seen({ ...klipper, port: 7125 }))
  book.record(seen({ ...klipper, port: 7126 }))
  expect(book.list().map(({ port }) => port)).toEqual([7125, 7126])
})

test('equal names do not make two printers one', () => {
  const book = createCandidateBook(() => 0)
  book.record(seen())
  book.record(seen({ serial: '01P00A987654321', address: '192.168.1.30' }))
  expect(book.list()).toHaveLength(2)
})

test('what was not seen for half an hour is forgotten', () => {
  let now = 0
  const book = createCandidateBook(() => now)
  book.record(seen())
  now = 31 * 60_000
  expect(book.forgetOld()).toBe(true)
  expect(book.list()).toEqual([])
  expect(book.forgetOld()).toBe(false)
})

test('a network that makes printers up fills no memory', () => {
  const book = createCandidateBook(() => 0)
  for (let index = 0; index < 500; index += 1)
    book.record(seen({ serial: `01P00A${index}`, address: `10.0.0.${index}` }))
  expect(book.list()).toHaveLength(100)
})
