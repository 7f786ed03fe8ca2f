import { compareIds, compareInQueue } from '../jobs/queue/queue-order.ts'
import { type FarmFacts, type HeatingGroup, type JobFacts, type PrinterFacts, waysOf } from '../matching/farm-facts.ts'
import { hasLoaded } from '../matching/filament-match.ts'
import { canHeat, fitsKind, isDue, isReady } from '../matching/judge.ts'
import { kindOf, needOf } from '../matching/likeness.ts'

export interface Match {
  /** In the way in which it is printed there. */
  job: JobFacts
  printer: PrinterFacts
}

/** Printers that no rule tells apart, the least used first. */
interface Kind {
  printers: PrinterFacts[]
}

/** A kind that a job can be printed on. */
interface FittingKind {
  kind: Kind
  /** What the job names is just what is loaded. */
  isExact: boolean
}

/** A plan that takes the queue piece by piece. */
interface Plan {
  /** The next jobs, none of which comes before one that was added already. */
  add(jobs: readonly JobFacts[]): Match[]
  /** False when no further job could get a printer, whatever it asks for. */
  canTakeMore(): boolean
  /** The printers that have no job yet. */
  printersLeft(): PrinterFacts[]
  /** One of each kind of these: no rule tells others of its kind from it. */
  kindsLeft(): PrinterFacts[]
}

/**
 * Answers who prints what, now: the jobs in the order of the queue, each on the printer that suits it best. Best is what has loaded
 * just what the job names, so that others keep theirs, then what can print it in its preferred way, then what has printed least. The
 * same for the same farm, in whatever order the lists come. Printers and jobs are compared by kind, so that a thousand like ones cost little more
 * than one. @param heatingGroups counts what the plan starts to heat
 */
export function createPlan(
  printers: readonly PrinterFacts[],
  farm: FarmFacts,
  heatingGroups = new Map(farm.heatingGroups),
): Plan {
  const planned: FarmFacts = { ...farm, heatingGroups }
  const kinds = groupByKind(printers.filter((printer) => isReady(printer, planned)))
  /** By what a job asks for: many jobs ask for the same. */
  const fitting = new Map<string, FittingKind[]>()
  let countLeft = kinds.reduce((sum, kind) => sum + kind.printers.length, 0)

  function canTakeMore(): boolean {
    return kinds.some(({ printers: [first] }) => first && canHeat(first, planned))
  }

  function kindsFor(job: JobFacts): readonly FittingKind[] {
    const asked = needOf(job)
    const known = fitting.get(asked)
    if (known) return known
    const found = kinds.flatMap((kind) => fitOf(kind, job, planned) ?? [])
    fitting.set(asked, found)
    return found
  }

  return {
    canTakeMore,
    printersLeft: () => kinds.flatMap(({ printers: left }) => left),
    kindsLeft: () => kinds.flatMap(({ printers: [first] }) => first ?? []),
    add(jobs) {
      const matches: Match[] = []
      for (const job of [...jobs].sort(compareInQueue)) {
        if (countLeft === 0) break
        const ways = waysOf(job).filter((way) => isDue(way, planned))
        const match = takeBest(ways, kindsFor, planned)
        if (!match) continue
        countLeft -= 1
        matches.push(match)
        recordHeating(heatingGroups, match.printer, farm.now)
      }
      return matches
    },
  }
}

function groupByKind(printers: readonly PrinterFacts[]): Kind[] {
  // The supply that printers share is no matter of a pair, but tells printers apart.
  const keyOf = (printer: PrinterFacts) => `${printer.power_group}\n${kindOf(printer)}`
  const kinds = Map.groupBy([...printers].sort(compareUse), keyOf)
  return [...kinds.values()].map((printers) => ({ printers }))
}

function fitOf(kind: Kind, job: JobFacts, farm: FarmFacts): FittingKind | undefined {
  // A kind without a printer left gets none again.
  const [printer] = kind.printers
  if (!printer || !fitsKind(printer, job, farm)) return undefined
  return { kind, isExact: hasLoaded(printer, job, farm) }
}

interface Candidate extends FittingKind {
  job: JobFacts
  place: number
  printer: PrinterFacts
}

/** What is loaded already comes first, then the preferred way, then what has printed least. */
function suitsBetter(a: Candidate, b: Candidate): boolean {
  if (a.isExact !== b.isExact) return a.isExact
  return ((a.job.option ?? 0) - (b.job.option ?? 0) || compareUse(a.printer, b.printer)) < 0
}

/** Takes the best printer for a job, which can be printed in these ways, out of its kind. */
function takeBest(
  ways: readonly JobFacts[],
  kindsFor: (job: JobFacts) => readonly FittingKind[],
  farm: FarmFacts,
): Match | undefined {
  let best: Candidate | undefined
  for (const job of ways) {
    for (const { kind, isExact } of kindsFor(job)) {
      const place =
        job.assigned_printer_id === null ? 0 : kind.printers.findIndex(({ id }) => id === job.assigned_printer_id)
      const printer = kind.printers[place]
      // What this plan has started to heat counts too; the other rules of the printer held when it came in.
      if (!printer || !canHeat(printer, farm)) continue
      const candidate = { job, kind, isExact, place, printer }
      if (!best || suitsBetter(candidate, best)) best = candidate
    }
  }
  best?.kind.printers.splice(best.place, 1)
  return best && { job: best.job, printer: best.printer }
}

function compareUse(a: PrinterFacts, b: PrinterFacts): number {
  return a.total_print_seconds - b.total_print_seconds || compareIds(a, b)
}

function recordHeating(groups: Map<string, HeatingGroup>, { power_group }: PrinterFacts, now: Date): void {
  const group = groups.get(power_group)
  if (group) groups.set(power_group, { heating: group.heating + 1, lastStartAt: now })
}
