import type { FarmFacts, HeatingGroup, JobFacts, PrinterFacts } from '../matching/farm-facts.ts'
import { hasLoaded } from '../matching/filament-match.ts'
import { fitsKind, isDue, isReady } from '../matching/judge.ts'
import { kindOf, needOf } from '../matching/likeness.ts'
import { compareIds, compareInQueue } from './queue-order.ts'

export interface Match {
  job: JobFacts
  printer: PrinterFacts
}

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
  const kinds = groupByKind(printers.filter((printer) => isReady(printer, planned)))

  function canTakeMore(): boolean {
    return [...kinds.values()].some(({ printers: [first] }) => first && isReady(first, planned))
  }

  return {
    canTakeMore,
    add(jobs) {
      const matches: Match[] = []
      for (const job of [...jobs].sort(compareInQueue)) {
        if (kinds.size === 0) break
        const printer = isDue(job, planned) ? choose(kinds, job, planned) : undefined
        if (!printer) continue
        matches.push({ job, printer })
        recordHeating(heatingGroups, printer, farm.now)
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
  // The supply that printers share is no matter of a pair, and tells them apart all the same.
  const keyOf = (printer: PrinterFacts) => `${printer.power_group}\n${kindOf(printer)}`
  const kinds = Map.groupBy([...printers].sort(compareUse), keyOf)
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
  const asked = needOf(job)
  let best: Candidate | undefined
  for (const kind of kinds.values()) {
    const place =
      job.assigned_printer_id === null ? 0 : kind.printers.findIndex(({ id }) => id === job.assigned_printer_id)
    const printer = kind.printers[place]
    if (!printer) continue
    const fits = kind.verdicts.get(asked) ?? fitsKind(printer, job, farm)
    kind.verdicts.set(asked, fits)
    // What this very plan has begun to heat counts too; the other rules of the printer held when it came in.
    if (!fits || !isReady(printer, farm)) continue
    const candidate = { kind, place, printer, isExact: hasLoaded(printer, job, farm) }
    if (!best || suitsBetter(candidate, best)) best = candidate
  }
  if (!best) return undefined
  best.kind.printers.splice(best.place, 1)
  if (best.kind.printers.length === 0) kinds.delete(best.kind.key)
  return best.printer
}

function compareUse(a: PrinterFacts, b: PrinterFacts): number {
  return a.total_print_seconds - b.total_print_seconds || compareIds(a, b)
}

function recordHeating(groups: Map<string, HeatingGroup>, { power_group }: PrinterFacts, now: Date): void {
  const group = groups.get(power_group)
  if (group) groups.set(power_group, { heating: group.heating + 1, lastStartAt: now })
}
