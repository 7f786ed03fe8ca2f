import { expect, test } from 'vitest'
import { AppError } from '../../kernel/errors.ts'
import { farmFacts, jobFacts, printerFacts } from '../../test/farm/printer-facts.ts'
import { type RuleCase, ruleCases } from '../../test/farm/rule-cases.ts'
import { refuseStart } from '../jobs/life/refuse-start.ts'
import { filamentChanges } from '../materials/filament-changes.ts'
import { nearestVerdicts } from '../scheduler/explain-job.ts'
import { createPlan } from '../scheduler/plan.ts'
import { makeWaitingCause } from '../timeline/waiting-cause.ts'
import type { FarmFacts, JobFacts, PrinterFacts } from './farm-facts.ts'
import { hasFailed, judge } from './judge.ts'
import { filamentRules, rules } from './rules.ts'

type Asker = (printer: PrinterFacts, job: JobFacts, farm: FarmFacts) => unknown

/**
 * Everything in the service that asks the rules whether a job may print at a printer. What the statements of the scheduler leave out
 * before they are asked is in `candidates.system.test.ts`.
 */
const askers = {
  scheduler: (printer, job, farm) => createPlan([printer], farm).add([job]).length === 1,
  explain: (printer, job, farm) =>
    judge(printer, job, farm)
      .filter(hasFailed)
      .map(({ rule }) => rule.name),
  /** What the lists of the dashboard say of each job that waits. */
  waitingList: (printer, job, farm) => nearestVerdicts([printer], farm)(job).reason,
  byHand,
  timeline: (printer, job, farm) => makeWaitingCause([job], farm)(printer),
  task: (printer, job, farm) => {
    const demand = { ...job, jobs: 1, print_seconds: 60 }
    const loaded = { ...printer, is_free: !printer.has_live_attempt, is_in_sight: true }
    return filamentChanges([loaded], [demand], [], farm).length === 1
  },
} satisfies Record<string, Asker>

function askAll(
  facts: Readonly<Parameters<Asker>>,
  asked: Record<keyof typeof askers, Asker> = askers,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(asked).map(([name, ask]) => [name, ask(...facts)]))
}

function byHand(printer: PrinterFacts, job: JobFacts, farm: FarmFacts): 'starts' | 'refused' {
  try {
    refuseStart(printer, job, farm)
    return 'starts'
  } catch (error) {
    if (error instanceof AppError) return 'refused'
    throw error
  }
}

const facts = ({ changes }: Pick<RuleCase, 'changes'>) =>
  [printerFacts(changes.printer), jobFacts(changes.job), farmFacts(changes.farm)] as const

/** What the record of time and the tasks say of a rule: they ask only how a printer is equipped. */
function expectedOf({ rule: name, binds, changes }: RuleCase) {
  const rule = rules.find((each) => each.name === name)
  const isPair = rule?.about === 'pair'
  const [printer, job, farm] = facts({ changes })
  const isOther = isPair && nearestVerdicts([printer], farm)(job).remedy === null
  const isFilament = filamentRules.includes(name) && !isOther
  const names = job.filaments.some(({ type, color }) => type !== '' || (!job.any_color && color !== ''))
  return {
    scheduler: false,
    explain: [name],
    waitingList: name,
    byHand: binds === 'anybody' ? 'refused' : 'starts',
    timeline: !isPair ? 'not_started' : isFilament ? 'filament' : 'no_matching_job',
    task: isFilament && names,
  }
}

test.each(ruleCases)('$rule ($what): everybody who asks is told the same', (ruleCase) => {
  expect(askAll(facts(ruleCase))).toEqual(expectedOf(ruleCase))
})

test.each(ruleCases)('a scheduler that leaves out $rule ($what) would be found', (ruleCase) => {
  const without =
    (left: string): Asker =>
    (...asked) =>
      judge(...asked)
        .filter(hasFailed)
        .every(({ rule }) => rule.name === left)
  const answersWithout = (left: string) => askAll(facts(ruleCase), { ...askers, scheduler: without(left) })
  expect(answersWithout(ruleCase.rule)).not.toEqual(expectedOf(ruleCase))
  expect(answersWithout('none')).toEqual(expectedOf(ruleCase))
})

test('where every rule holds, everybody who asks is told so', () => {
  expect(askAll([printerFacts(), jobFacts(), farmFacts()])).toEqual({
    scheduler: true,
    explain: [],
    waitingList: 'starts_now',
    byHand: 'starts',
    timeline: 'not_started',
    task: false,
  })
})

test.each(ruleCases.filter(({ binds }) => binds === 'anybody'))(
  '$rule ($what) is set aside by a person only where it may be',
  ({ rule: name, changes }) => {
    const rule = rules.find((each) => each.name === name)
    const start = () => refuseStart(...facts({ changes }), [name])
    if (rule && 'canBeSetAside' in rule) expect(start()).toEqual([name])
    else expect(start).toThrow(AppError)
  },
)
