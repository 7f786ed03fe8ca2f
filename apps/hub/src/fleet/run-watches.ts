import { randomUUID } from 'node:crypto'
import { uptime } from 'node:os'
import type { PrinterState } from '@printyard/protocol/printer-state'
import type { Journal } from '../journal/journal.ts'
import type { Clock } from '../util/clock.ts'
import { markOf, outOfSight, type RunWatch, SINCE_UNKNOWN, watchOn } from './run-mark.ts'

/** The watch over one printer. */
export interface PrinterWatch {
  /** Takes a new picture in and answers with the mark that goes with it. */
  see(picture: PrinterState, remembersLastRun: boolean): ReturnType<typeof markOf>
  /** The printer is watched no more, from now on. */
  leave(): void
}

/** The watches over all printers of a hub, with their place in the journal. */
export interface RunWatches {
  of(printerId: string): PrinterWatch
  stop(): void
}

interface RunWatchesDeps {
  journal: Pick<Journal, 'state' | 'appendLazily'>
  clock: Clock
  aliveMs: number
  /** See `Timings`. */
  shortestPrintMs: number
  /** The hub itself did not run for a while, as on a machine that slept. */
  onMissed(): void
  /** Time that the machine has been running, in seconds. */
  upSeconds?: () => number
}

/**
 * Keeps what each printer printed last, and since when it has been out of sight. A record that is lost costs a question to
 * people and never an answer: an epoch is not used twice, and what is not known to have been watched counts as unseen.
 */
export function createRunWatches(deps: RunWatchesDeps): RunWatches {
  const { journal, clock, aliveMs, shortestPrintMs, onMissed, upSeconds = uptime } = deps
  const watches = new Map<string, RunWatch>()
  let tickedAtMs = clock()

  const save = (printerId: string, watch: RunWatch) =>
    journal.appendLazily({ t: 'watch', printer_id: printerId, watch })

  const keep = (printerId: string, watch: RunWatch) => {
    if (watches.get(printerId) === watch) return
    watches.set(printerId, watch)
    save(printerId, watch)
  }

  const recordAlive = () => journal.appendLazily({ t: 'alive', at_ms: clock(), up_seconds: Math.floor(upSeconds()) })

  /** What a journal on a full disk did not take. */
  const saveAgain = () => {
    for (const [printerId, watch] of watches) {
      if (JSON.stringify(journal.state.watches.get(printerId)) !== JSON.stringify(watch)) save(printerId, watch)
    }
  }

  const tick = () => {
    const nowMs = clock()
    const sinceMs = tickedAtMs
    tickedAtMs = nowMs
    if (nowMs < sinceMs || nowMs - sinceMs >= Math.max(shortestPrintMs, 2 * aliveMs)) {
      for (const [printerId, watch] of watches) keep(printerId, outOfSight(watch, sinceMs))
      onMissed()
    }
    saveAgain()
    recordAlive()
  }

  // Before the first record that this hub is alive: it watches none of them until it is told to.
  const leftAtMs = lastAlive(journal.state.alive, upSeconds())
  for (const [printerId, watch] of journal.state.watches) {
    watches.set(printerId, watch)
    keep(printerId, outOfSight(watch, leftAtMs))
  }
  recordAlive()

  const timer = setInterval(tick, aliveMs)
  timer.unref()

  return {
    of: (printerId) => ({
      see(picture, remembersLastRun) {
        const before = watches.get(printerId)
        const watch = watchOn({
          watch: before,
          picture,
          remembersLastRun,
          nowMs: clock(),
          freshEpoch: randomUUID().slice(0, 13),
          shortestPrintMs,
        })
        if (watch) keep(printerId, watch)
        return markOf(watch, picture, remembersLastRun)
      },
      leave() {
        const watch = watches.get(printerId)
        if (watch) keep(printerId, outOfSight(watch, clock()))
      },
    }),
    stop() {
      clearInterval(timer)
    },
  }
}

/** A machine that has run for less long than before was off in between, and its clock may have stood still meanwhile. */
function lastAlive(alive: Journal['state']['alive'], upSeconds: number): number {
  return alive && upSeconds >= alive.up_seconds ? alive.at_ms : SINCE_UNKNOWN
}
