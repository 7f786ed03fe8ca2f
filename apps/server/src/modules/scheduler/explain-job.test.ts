import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PrinterId } from '../../kernel/ids.ts'
import { farmFacts, jobFacts, printerFacts } from '../../test/farm/printer-facts.ts'
import { ruleCases } from '../../test/farm/rule-cases.ts'
import { firstOf, nearestVerdicts, verdictsOn } from './explain-job.ts'

/** A few cases in which a rule fails, on top of one another. */
const cases = fc.subarray(ruleCases, { maxLength: 3 }).map((some) => some.map(({ changes }) => changes))

const printers = fc.array(fc.record({ name: fc.constantFrom('A', 'B', 'C'), cases }), { maxLength: 6 }).map((all) =>
  all.map(({ name, cases }, place) =>
    printerFacts({
      ...Object.assign({}, ...cases.map(({ printer }) => printer)),
      name,
      id: `prn_${place + 1}` as PrinterId,
    }),
  ),
)
const job = cases.map((some) => jobFacts(Object.assign({}, ...some.map(({ job }) => job))))
const jobs = fc
  .tuple(job, fc.array(job, { maxLength: 2 }))
  .map(([first, others]) =>
    others.length === 0
      ? first
      : { ...first, option: 0, alternatives: others.map((other, place) => ({ ...other, option: place + 1 })) },
  )
const farms = cases.map((some) => farmFacts(Object.assign({}, ...some.map(({ farm }) => farm))))

test('whatever the farm: what a list says of why jobs wait is what their explanations say first', () => {
  fc.assert(
    fc.property(printers, fc.array(jobs, { minLength: 1, maxLength: 3 }), farms, (printers, jobs, farm) => {
      const verdictOf = nearestVerdicts(printers, farm)
      for (const job of jobs) expect(verdictOf(job)).toEqual(firstOf(verdictsOn(printers, job, farm), farm))
    }),
    { numRuns: 500 },
  )
})
