import type { FarmFacts, HeatingGroup, JobFacts, PrinterFacts } from './farm-facts.ts'
import { colorAsked, isColorLoaded, isSameMaterial } from './filament-match.ts'
import { compareIds, compareInQueue } from './queue-order.ts'
import { type Rule, rules } from './rules.ts'

export interface Match {
  job: JobFacts
  printer: PrinterFacts
}

const all: readonly Rule[] = rules
const ofPrinter = all.filter((rule) => rule.appliesTo === 'printer')
const ofJob = all.filter((rule) => rule.appliesTo === 'job')
// Which printer a job was given for is no property of a kind of printer, and looked at by itself.
const ofPair = all.filter((rule) => rule.appliesTo === 'pair' && rule.name !== 'assigned_here')

/** Printers that no rule tells apart, the least used first. */
interface Kind {
  key: string
  printers: PrinterFacts[]
  /** Verdicts so far, by what a job asks for. */
  verdicts: Map<string, boolean>
}

/** A plan that takes the queue piece by piece. */
export interface Plan {
  /** The next jobs, none of which comes before one that was added already. */
  add(jobs: readonly JobFacts[]): Match[]
  /** False when no further job could get a printer, whatever it asks for. */
  canTakeMore(): boolean
}

/**
 * Who prints what, now: the jobs in the order of the queue, each on the printer that suits it best. Best is what has loaded
 * just what the job names, so that others keep theirs, then what has printed least. The same for the same farm, in
 * whatever order the lists come. Printers and jobs are compared by kind, so that a thousand like ones cost little more
 * than one.
 */
export function createPlan(printers: readonly PrinterFacts[], farm: FarmFacts): Plan {
  const heatingGroups = new Map(farm.heatingGroups)
  const planned: FarmFacts = { ...farm, heatingGroups }
  const kinds = groupByKind(printers.filter((printer) => holds(ofPrinter, printer, undefined, planned)))

  function canTakeMore(): boolean {
    return [...kinds.values()].some(({ printers: [first] }) => first && holds(ofPrinter, first, undefined, planned))
  }

  return {
    canTakeMore,
    add(jobs) {
      const matches: Match[] = []
      for (const job of [...jobs].sort(compareInQueue)) {
        if (kinds.size === 0) break
        const printer = holds(ofJob, undefined, job, planned) ? choose(kinds, job, planned) : undefined
        if (!printer) continue
        matches.push({ job, printer })
        noteHeating(heatingGroups, printer, farm.now)
      }
      return matches
    },
  }
}

/** The plan for a queue that is there as a whole. */
export function planStarts(printers: readonly PrinterFacts[], jobs: readonly JobFacts[], farm: FarmFacts): Match[] {
  return createPlan(printers, farm).add(jobs)
}

function groupByKind(printers: readonly PrinterFacts[]): Map<string, Kind> {
  const kinds = Map.groupBy([...printers].sort(compareUse), kindOf)
  return new Map([...kinds].map(([key, printers]) => [key, { key, printers, verdicts: new Map() }]))
}

interface Candidate {
  kind: Kind
  place: number
  printer: PrinterFacts
  /** What the job names is just what is loaded. */
  isExact: boolean
}

function suitsBetter(a: Candidate, b: Candidate): boolean {
  return a.isExact === b.isExact ? compareUse(a.printer, b.printer) < 0 : a.isExact
}

/** Takes the best printer for a job out of its kind. */
function choose(kinds: Map<string, Kind>, job: JobFacts, farm: FarmFacts): PrinterFacts | undefined {
  const asked = askedBy(job)
  let best: Candidate | undefined
  for (const kind of kinds.values()) {
    const place =
      job.assigned_printer_id === null ? 0 : kind.printers.findIndex(({ id }) => id === job.assigned_printer_id)
    const printer = kind.printers[place]
    if (!printer) continue
    const fits = kind.verdicts.get(asked) ?? holds(ofPair, printer, job, farm)
    kind.verdicts.set(asked, fits)
    // What this very plan has begun to heat counts too; the other rules of the printer held when it came in.
    if (!fits || !holds(ofPrinter, printer, job, farm)) continue
    const candidate = { kind, place, printer, isExact: hasLoaded(printer, job, farm) }
    if (!best || suitsBetter(candidate, best)) best = candidate
  }
  if (!best) return undefined
  best.kind.printers.splice(best.place, 1)
  if (best.kind.printers.length === 0) kinds.delete(best.kind.key)
  return best.printer
}

function holds(
  some: readonly Rule[],
  printer: PrinterFacts | undefined,
  job: JobFacts | undefined,
  farm: FarmFacts,
): boolean {
  // A rule of the printer alone never looks at the job, and the reverse.
  return some.every((rule) => rule.check(printer as PrinterFacts, job as JobFacts, farm) === undefined)
}

function hasLoaded(printer: PrinterFacts, job: JobFacts, farm: FarmFacts): boolean {
  if (job.filament_type !== '' && !isSameMaterial(job.filament_type, printer.filament_type)) return false
  return job.color === '' || isColorLoaded(job.color, printer, farm)
}

function compareUse(a: PrinterFacts, b: PrinterFacts): number {
  return a.total_print_seconds - b.total_print_seconds || compareIds(a, b)
}

function noteHeating(groups: Map<string, HeatingGroup>, { power_group }: PrinterFacts, now: Date): void {
  const group = groups.get(power_group)
  if (group) groups.set(power_group, { heating: group.heating + 1, lastStartAt: now })
}

/** All that the rules of pairs, the heating and the preference look at of a printer. */
function kindOf(printer: PrinterFacts): string {
  return JSON.stringify([
    printer.model,
    printer.nozzle_size,
    printer.filament_type,
    printer.color,
    printer.color_hex,
    printer.loaded_filament_grams,
    printer.build_height_mm,
    printer.power_group,
  ])
}

/** All that the rules of pairs look at of a job. */
function askedBy(job: JobFacts): string {
  return JSON.stringify([
    job.file_model,
    job.nozzle_diameter,
    job.filament_type,
    colorAsked(job),
    job.grams_per_plate,
    job.height_mm,
  ])
}
