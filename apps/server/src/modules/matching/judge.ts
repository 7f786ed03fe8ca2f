import type { Catalogue, Equipment, FarmFacts, JobFacts, PlateNeed, PrinterFacts } from './farm-facts.ts'
import { type Bound, type Checked, type Failure, filamentRules, type Rule, type RuleName, rules } from './rules.ts'

export interface Verdict {
  rule: Rule & { name: RuleName }
  /** Undefined where the rule holds. */
  failure: Failure | undefined
}

export type FailedVerdict = Verdict & { failure: Failure }

const all: readonly Verdict['rule'][] = rules
const about = <A extends Rule['about']>(what: A) =>
  all.filter((rule): rule is Verdict['rule'] & { about: A } => rule.about === what)
const ofPrinter = about('printer')
const sharedSupply = ofPrinter.filter(({ name }) => name === 'heating_slot')
const ofJob = about('job')
// Which printer a job was given for is no property of a kind of printer, and looked at by itself.
const ofKind = about('pair').filter(({ name }) => name !== 'assigned_here')
const assignedHere = about('pair').filter(({ name }) => name === 'assigned_here')

/** Every rule with its failure, where it has one, in the order of the table. */
export function judge(printer: PrinterFacts, job: JobFacts, farm: FarmFacts): Verdict[] {
  return all.map((rule) => ({ rule, failure: complete(rule, check(rule, printer, job, farm)) }))
}

export const hasFailed = (verdict: Verdict): verdict is FailedVerdict => verdict.failure !== undefined

/** Answers what keeps the job from the printer for this asker: what binds anybody, and for the scheduler the rest as well. */
export function failuresFor(asker: Bound, printer: PrinterFacts, job: JobFacts, farm: FarmFacts): FailedVerdict[] {
  const failed = failuresAmong(all, (rule) => check(rule, printer, job, farm))
  return asker === 'scheduler' ? failed : failed.filter(({ failure }) => failure.binds === 'anybody')
}

/** Of these failures, those of the printer by itself, whatever the job. */
export function failuresOfPrinter(printer: PrinterFacts, farm: FarmFacts): FailedVerdict[] {
  return failuresAmong(ofPrinter, (rule) => rule.check(printer, farm))
}

/** Those of the job by itself, whatever the printer. */
export function failuresOfJob(job: JobFacts, farm: FarmFacts): FailedVerdict[] {
  return failuresAmong(ofJob, (rule) => rule.check(job, farm))
}

/** Those of the plate at a printer as it is equipped, whichever printer it was given to. */
export function failuresOfKind(equipment: Equipment, plate: PlateNeed, catalogue: Catalogue): FailedVerdict[] {
  return failuresAmong(ofKind, (rule) => rule.check(equipment, plate, catalogue))
}

/** That of a job which a person gave to another printer. */
export function failuresOfAssignment(equipment: Equipment, plate: PlateNeed, catalogue: Catalogue): FailedVerdict[] {
  return failuresAmong(assignedHere, (rule) => rule.check(equipment, plate, catalogue))
}

function failuresAmong<R extends Verdict['rule']>(
  some: readonly R[],
  ask: (rule: R) => Checked | undefined,
): FailedVerdict[] {
  return some.flatMap((rule) => {
    const failure = complete(rule, ask(rule))
    return failure ? [{ rule, failure }] : []
  })
}

/** True when the scheduler may start the job on the printer now. */
export function canStart(printer: PrinterFacts, job: JobFacts, farm: FarmFacts): boolean {
  return all.every((rule) => check(rule, printer, job, farm) === undefined)
}

/** True when the rules about the printer alone let the scheduler start something there. */
export function isReady(printer: PrinterFacts, farm: FarmFacts): boolean {
  return ofPrinter.every((rule) => rule.check(printer, farm) === undefined)
}

/** True when the supply that the printer shares can bear it now: the one rule about it that a start elsewhere can break. */
export function canHeat(printer: PrinterFacts, farm: FarmFacts): boolean {
  return sharedSupply.every((rule) => rule.check(printer, farm) === undefined)
}

/** True when the rules about the job alone let the scheduler start it anywhere. */
export function isDue(job: JobFacts, farm: FarmFacts): boolean {
  return ofJob.every((rule) => rule.check(job, farm) === undefined)
}

/** True when the plate can be printed there as the printer is equipped, whichever printer it was given to. */
export function fitsKind(equipment: Equipment, plate: PlateNeed, catalogue: Catalogue): boolean {
  return ofKind.every((rule) => rule.check(equipment, plate, catalogue) === undefined)
}

/** True when a person gave the job to this printer, or to none. */
export function isMeantFor(equipment: Equipment, plate: PlateNeed, catalogue: Catalogue): boolean {
  return assignedHere.every((rule) => rule.check(equipment, plate, catalogue) === undefined)
}

/** `filament`: it could be printed there with other filament. */
type KindFit = 'fits' | 'filament' | 'never'

/** Answers how far a kind of printer is from printing a plate, whatever it does now. */
export function kindFit(equipment: Equipment, plate: PlateNeed, catalogue: Catalogue): KindFit {
  let fit: KindFit = 'fits'
  for (const rule of ofKind) {
    const failure = rule.check(equipment, plate, catalogue)
    if (failure === undefined) continue
    if (!isOfFilament(rule, failure)) return 'never'
    fit = 'filament'
  }
  return fit
}

/** The same by what every rule said of a pair. What is only not known keeps no printer from fitting: a person may know it. */
export function kindFitOf(verdicts: readonly Verdict[]): KindFit {
  const failed = verdicts
    .filter(hasFailed)
    .filter(({ rule, failure }) => failure.binds === 'anybody' && ofKind.some(({ name }) => name === rule.name))
  if (failed.length === 0) return 'fits'
  return failed.every(({ rule, failure }) => isOfFilament(rule, failure)) ? 'filament' : 'never'
}

function isOfFilament({ name }: Verdict['rule'], { remedy }: Pick<Checked, 'remedy'>): boolean {
  return filamentRules.includes(name) && remedy !== 'none'
}

function check(rule: Rule, printer: PrinterFacts, job: JobFacts, farm: FarmFacts): Checked | undefined {
  switch (rule.about) {
    case 'printer':
      return rule.check(printer, farm)
    case 'job':
      return rule.check(job, farm)
    case 'pair':
      return rule.check(printer, job, farm)
  }
}

function complete(rule: Rule, failure: Checked | undefined): Failure | undefined {
  return failure && new ToldFailure(rule, failure)
}

/** A failure whose sentence is written when it is read: of thousands of pairs people are told a few. */
class ToldFailure implements Failure {
  readonly passesAt: Failure['passesAt']
  readonly binds: Failure['binds']
  readonly remedy: Failure['remedy']
  private readonly text: Checked['sentence']
  private readonly short: Checked['shortages']

  constructor(rule: Rule, checked: Checked) {
    const { sentence, passesAt = null, binds = rule.binds, remedy = rule.remedy } = checked
    this.passesAt = passesAt
    this.binds = binds
    this.remedy = remedy
    this.text = sentence
    this.short = checked.shortages
  }

  get shortages(): Failure['shortages'] {
    return this.short?.() ?? []
  }

  get sentence(): string {
    return typeof this.text === 'string' ? this.text : this.text()
  }
}
