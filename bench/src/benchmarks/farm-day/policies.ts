import { fold } from '@printyard/server/modules/matching/filament-match'
import type { Demand } from '@printyard/server/modules/matching/load-demand'
import {
  type FilamentChange,
  filamentChanges,
  type LoadedPrinter,
} from '@printyard/server/modules/materials/filament-changes'
import { createPlan } from '@printyard/server/modules/scheduler/plan'
import { type Filament, filaments } from '@printyard/virtual-printers/farm/farm-stock'
import { type Day, type DayJob, type DayPrinter, hasFilamentFor, isKindFor, isReady } from './day.ts'

/** What a policy wants at this moment. */
interface Decision {
  starts: { job: DayJob; printer: DayPrinter }[]
  /** Printers that are to get other filament; left out: as before. With the job that is bound to it where one is. */
  changes?: { printer: DayPrinter; filament: Filament; key?: string; boundTo?: DayJob }[]
}

export type Policy = (day: Day) => Decision

const askSeconds = 60

/** The service's own rules: the plan of its scheduler, and the filament that it asks people to load. */
export function printyard(): Policy {
  let askedAt = Number.NEGATIVE_INFINITY
  return (day) => {
    const printers = new Map(day.printers.map((printer) => [printer.facts.id, printer]))
    const queued = new Map(day.jobs.filter(({ status }) => status === 'queued').map((job) => [job.facts.id, job]))
    const matches = createPlan(
      day.printers.filter(isReady).map(({ facts }) => facts),
      day.farm,
    ).add([...queued.values()].map(({ facts }) => facts))
    const starts = matches.flatMap((match) => {
      const job = queued.get(match.job.id)
      const printer = printers.get(match.printer.id)
      return job && printer ? [{ job, printer }] : []
    })
    // The service looks a few times a minute what should be loaded; here it is as often as once.
    if (day.now - askedAt < askSeconds) return { starts }
    askedAt = day.now
    const started = new Set(starts.map(({ job }) => job))
    const waiting = [...queued.values()].filter((job) => !started.has(job))
    const asked = day.printers.flatMap(({ facts, wantedKey }) =>
      wantedKey === undefined ? [] : [{ printerId: facts.id, key: wantedKey }],
    )
    const changes = filamentChanges(day.printers.map(toLoaded), demandOf(waiting), asked, day.farm).flatMap(
      (change) => {
        const printer = printers.get(change.printerId)
        const filament = filamentFor(change)
        return printer && filament ? [{ printer, filament, key: change.key }] : []
      },
    )
    return { starts, changes }
  }
}

/**
 * The oldest job first, on the first free printer that could take it; where other filament must be loaded for it, job and
 * printer wait for that. With `prefersLoaded` a printer that has it already comes before others.
 */
export function firstInFirstOut({ prefersLoaded }: { prefersLoaded: boolean }): Policy {
  return (day) => {
    const decision: Required<Decision> = { starts: [], changes: [] }
    const free = new Set(day.printers.filter((printer) => isReady(printer) && !printer.boundTo))
    for (const printer of day.printers) {
      const { boundTo } = printer
      if (boundTo && isReady(printer) && hasFilamentFor(printer, boundTo, day)) {
        decision.starts.push({ job: boundTo, printer })
      }
    }
    for (const job of day.jobs) {
      if (free.size === 0) break
      if (job.status !== 'queued') continue
      const fitting = [...free].filter((printer) => isKindFor(printer, job))
      const loaded = fitting.find((printer) => hasFilamentFor(printer, job, day))
      const printer = prefersLoaded ? (loaded ?? fitting[0]) : fitting[0]
      if (!printer) continue
      free.delete(printer)
      if (hasFilamentFor(printer, job, day)) decision.starts.push({ job, printer })
      else decision.changes.push({ printer, filament: job.line.file.filament, boundTo: job })
    }
    return decision
  }
}

/** What people take from the shelf: where any colour will do, the one there is most of. */
function filamentFor({ key }: FilamentChange): Filament | undefined {
  const [type, color] = key.split('|')
  return filaments.find(
    ({ filament }) => fold(filament.type) === type && (color === '' || fold(filament.color) === color),
  )?.filament
}

function toLoaded({ facts }: DayPrinter): LoadedPrinter {
  return { ...facts, is_free: !facts.has_live_attempt, is_in_sight: true }
}

/** As the service reads it from its tables, the oldest first. */
function demandOf(jobs: readonly DayJob[]): Demand[] {
  return jobs.map(({ facts, line }) => ({
    ...facts,
    jobs: 1,
    print_seconds: line.file.printSeconds * (line.plates - facts.plates_done),
  }))
}
