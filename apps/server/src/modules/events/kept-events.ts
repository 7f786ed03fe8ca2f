import type { Clock } from '../../kernel/clock.ts'
import type { Config } from '../../kernel/config.ts'
import { firstIdOf } from '../../kernel/ids.ts'

const dayMs = 24 * 3_600_000

/**
 * Events are in the order of their IDs only to about the length of a transaction. Anyone who is as near as this to what is
 * removed is told that something may be missing.
 */
const marginMs = 5 * 60_000

const eventIdForm = /^evt_[0-9a-z]{26}$/

interface Kept {
  config: Pick<Config, 'eventsKeptDays'>
  clock: Clock
}

/** The ID before which events are removed now; undefined when all are kept. */
export function firstKeptEvent({ config, clock }: Kept): string | undefined {
  if (config.eventsKeptDays === 0) return undefined
  return firstIdOf('event', clock.now().getTime() - config.eventsKeptDays * dayMs)
}

/** True when something that came after the event of this ID may be removed already, or the event itself. */
export function isBeyondKept({ config, clock }: Kept, after: string): boolean {
  if (config.eventsKeptDays === 0 || !eventIdForm.test(after)) return false
  return after < firstIdOf('event', clock.now().getTime() - config.eventsKeptDays * dayMs + marginMs)
}
