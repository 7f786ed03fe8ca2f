import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PrinterId } from '../../../kernel/ids.ts'
import { type Free, SoonestFree } from './soonest-free.ts'

const printerFree = (p50Ms: number, index: number): Free => ({
  printer: { id: `prn_${index}` as PrinterId, model: 'MK4S' },
  p50Ms,
  p90Ms: p50Ms,
})

test('the first is the one that a look at all of them finds, however they are taken', () => {
  const times = fc.array(fc.nat(20), { minLength: 1, maxLength: 40 })
  const taken = fc.array(fc.record({ ofFirst: fc.boolean(), index: fc.nat(39), takesMs: fc.nat(30) }), {
    maxLength: 80,
  })
  fc.assert(
    fc.property(times, taken, (startsMs, takings) => {
      const all = startsMs.map(printerFree)
      const soonest = new SoonestFree(all)
      for (const { ofFirst, index, takesMs } of takings) {
        const earliest = Math.min(...all.map(({ p50Ms }) => p50Ms))
        const first = soonest.first()
        expect(first).toBe(all.find(({ p50Ms }) => p50Ms === earliest))
        const free = ofFirst ? first : all[index % all.length]
        if (free) free.p50Ms += takesMs
      }
    }),
  )
})

test('of no printers none is first', () => {
  expect(new SoonestFree([]).first()).toBeUndefined()
})
