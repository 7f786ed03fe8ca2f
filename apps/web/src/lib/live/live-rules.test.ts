import { describe, expect, it } from 'vitest'
import { readLiveMessage } from './live-message.ts'
import { keysTouchedBy, type LiveRule, mergeLiveFields } from './live-rules.ts'

const rules: LiveRule[] = [
  { on: ['job.*'], keys: () => [['jobs', 'list']] },
  { on: ['job.*', 'printer.updated'], keys: (id) => [['things', id]] },
  { on: ['hub'], keys: (id) => [['hubs', id]] },
  { on: ['candidates'], keys: (id) => [['found', id]] },
]
const change = (type: string) =>
  readLiveMessage({ id: 'evt_1', event: 'change', data: JSON.stringify({ type, subject_id: 'x_1', data: {} }) })

describe('what an event touches', () => {
  it.each([
    [
      'job.started',
      [
        ['jobs', 'list'],
        ['things', 'x_1'],
      ],
    ],
    ['printer.updated', [['things', 'x_1']]],
    ['printer.created', []],
    ['jobs.other', []],
  ])('%s', (type, keys) => {
    const message = change(type)
    expect(message && keysTouchedBy(rules, message)).toEqual(keys)
  })

  it('a hub that went touches what shows it', () => {
    const message = readLiveMessage({ event: 'hub', data: '{"hub_id":"hub_1","is_online":false}' })
    expect(message && keysTouchedBy(rules, message)).toEqual([['hubs', 'hub_1']])
  })

  it('what a hub has found touches the list of it, and says how a look at an address ended', () => {
    const told = (looked: unknown) =>
      readLiveMessage({ event: 'candidates', data: JSON.stringify({ hub_id: 'hub_1', looked }) })
    const message = told({ address: '192.168.1.20', found: 0, problem: null })
    expect(message).toEqual({
      kind: 'candidates',
      hub_id: 'hub_1',
      looked: { address: '192.168.1.20', found: 0, problem: null },
    })
    expect(message && keysTouchedBy(rules, message)).toEqual([['found', 'hub_1']])
    expect(told(null)).toMatchObject({ looked: null })
  })

  it.each(['', 'null', '[]', '{"printer_id":1}', '{"hub_id":"h"}', '{'])(
    '%j is not understood, and harms nothing',
    (data) => {
      for (const event of ['change', 'live', 'hub', 'later']) {
        expect(readLiveMessage({ event, data })).toBeUndefined()
      }
    },
  )
})

it('of a printer that says much between two frames the newest of each field is shown', () => {
  const waiting = new Map()
  mergeLiveFields(waiting, { printer_id: 'a', progress: 1, status: 'printing' })
  mergeLiveFields(waiting, { printer_id: 'a', progress: 2 })
  mergeLiveFields(waiting, { printer_id: 'b', progress: 9 })
  expect([...waiting.values()]).toEqual([
    { printer_id: 'a', progress: 2, status: 'printing' },
    { printer_id: 'b', progress: 9 },
  ])
})
