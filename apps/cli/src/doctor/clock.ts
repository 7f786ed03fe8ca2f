import { shareable, tell } from '@printyard/server/modules/support/tell'
import { type Finding, ok, problem, warning } from './finding.ts'

/** Nothing of Printyard existed before; a machine without a battery wakes up in 1970. */
const earliestMs = Date.UTC(2026, 0, 1)
const toleranceMs = 5_000

export interface ClockReadings {
  now: Date
  /** The clock of the database server, read at the same moment. */
  databaseNow?: Date | undefined
  /** The latest time that the database has on record. */
  latestRecord?: Date | undefined
}

/** IDs and history are ordered by time, and join codes and keys end by it. */
export function checkClock({ now, databaseNow, latestRecord }: ClockReadings): Finding {
  const setClock = tell`Set the clock of this machine, best by a time service (NTP).`
  if (now.getTime() < earliestMs)
    return problem('clock', tell`The clock says ${shareable(now.toISOString())}, which is long ago.`, setClock)
  if (latestRecord !== undefined && latestRecord.getTime() - now.getTime() > toleranceMs) {
    return problem(
      'clock',
      tell`The clock says ${shareable(now.toISOString())}, but the database has records of ${shareable(latestRecord.toISOString())}: it went back, or was ahead.`,
      setClock,
    )
  }
  const apartMs = databaseNow === undefined ? 0 : Math.abs(databaseNow.getTime() - now.getTime())
  if (apartMs > toleranceMs) {
    return warning(
      'clock',
      tell`The clocks of this machine and of the database are ${Math.round(apartMs / 1_000)} s apart.`,
      setClock,
    )
  }
  return ok('clock', tell`The clock says ${shareable(now.toISOString())}.`)
}
