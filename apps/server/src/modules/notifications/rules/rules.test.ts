import { describe, expect, test } from 'vitest'
import type { PrinterId, ProductId } from '../../../kernel/ids.ts'
import { dueTime, quietUntil } from './due-time.ts'
import { matchedKind } from './matches.ts'
import type { Occurrence } from './occurrence.ts'

const occurrence: Occurrence = {
  kinds: ['hub_gone', 'needs_person'],
  severity: 'medium',
  subject: 'wlt_1',
  lasts: true,
  title: 'x',
  body: '',
  path: '/',
  printerId: 'prn_1' as PrinterId,
  location: 'Rack 2',
  productId: null,
  skuId: null,
  orderId: null,
  taskId: null,
}
const everything = {
  is_active: true,
  kinds: ['needs_person'],
  least_severity: 'low' as const,
  locations: [],
  printer_ids: [],
  product_ids: [],
}

describe('a rule is for an occurrence', () => {
  test.each([
    ['of its kind', {}, {}, 'needs_person'],
    ['of the first kind that it names', { kinds: ['needs_person', 'hub_gone'] }, {}, 'hub_gone'],
    ['not of another kind', { kinds: ['print_done'] }, {}, undefined],
    ['not while it is off', { is_active: false }, {}, undefined],
    ['not below its severity', { least_severity: 'high' as const }, {}, undefined],
    ['at its severity', { least_severity: 'medium' as const }, {}, 'needs_person'],
    ['at one of its places', { locations: ['Rack 1', 'Rack 2'] }, {}, 'needs_person'],
    ['not at another place', { locations: ['Rack 1'] }, {}, undefined],
    ['not without a place when it names one', { locations: ['Rack 2'] }, { location: null }, undefined],
    ['of its printer', { printer_ids: ['prn_1'] }, {}, 'needs_person'],
    ['not of another printer', { printer_ids: ['prn_2'] }, {}, undefined],
    ['not of no product when it names one', { product_ids: ['prd_1'] }, {}, undefined],
    ['of its product', { product_ids: ['prd_1'] }, { productId: 'prd_1' as ProductId }, 'needs_person'],
    ['not when only one of two filters fits', { locations: ['Rack 2'], printer_ids: ['prn_2'] }, {}, undefined],
  ])('%s', (_name, rule, change, kind) => {
    expect(matchedKind({ ...everything, ...rule }, { ...occurrence, ...change })).toBe(kind)
  })
})

describe('quiet hours', () => {
  const night = {
    quiet_from: '22:00',
    quiet_to: '07:00',
    time_zone: 'Europe/Berlin',
    urgent_passes: true,
    digest_minutes: 0,
  }
  const until = (rule: Parameters<typeof quietUntil>[0], at: string) => quietUntil(rule, new Date(at))?.toISOString()

  test('over midnight end the next morning, by the clock of the place', () => {
    expect(until(night, '2026-06-10T19:59:00Z')).toBeUndefined()
    expect(until(night, '2026-06-10T20:00:00Z')).toBe('2026-06-11T05:00:00.000Z')
    expect(until(night, '2026-06-11T04:59:00Z')).toBe('2026-06-11T05:00:00.000Z')
    expect(until(night, '2026-06-11T05:00:00Z')).toBeUndefined()
  })

  test('in the night in which the clocks change end at the hour that people see', () => {
    // To summer time on 29 March, from it on 25 October 2026.
    expect(until(night, '2026-03-28T21:30:00Z')).toBe('2026-03-29T05:00:00.000Z')
    expect(until(night, '2026-10-24T20:30:00Z')).toBe('2026-10-25T06:00:00.000Z')
    expect(until(night, '2026-10-25T00:30:00Z')).toBe('2026-10-25T06:00:00.000Z')
  })

  test('within a day', () => {
    const noon = { ...night, quiet_from: '12:00', quiet_to: '13:30', time_zone: 'UTC' }
    expect(until(noon, '2026-06-10T11:59:00Z')).toBeUndefined()
    expect(until(noon, '2026-06-10T12:00:00Z')).toBe('2026-06-10T13:30:00.000Z')
    expect(until(noon, '2026-06-10T13:30:00Z')).toBeUndefined()
    expect(until({ ...noon, quiet_to: '00:00' }, '2026-06-10T23:00:00Z')).toBe('2026-06-11T00:00:00.000Z')
  })

  test('let pass what is urgent where the rule says so, and a digest never holds it back', () => {
    const at = new Date('2026-06-10T21:00:00Z')
    const morning = '2026-06-11T05:00:00.000Z'
    const collecting = { ...night, digest_minutes: 30 }
    expect(dueTime(collecting, 'high', at)).toEqual(at)
    expect(dueTime({ ...collecting, urgent_passes: false }, 'high', at).toISOString()).toBe(morning)
    expect(dueTime(collecting, 'medium', at).toISOString()).toBe(morning)
    expect(dueTime(collecting, 'medium', new Date('2026-06-10T12:00:00Z')).toISOString()).toBe(
      '2026-06-10T12:30:00.000Z',
    )
    // A digest that would end in quiet hours waits for their end.
    expect(dueTime(collecting, 'low', new Date('2026-06-10T19:45:00Z')).toISOString()).toBe(morning)
  })
})
