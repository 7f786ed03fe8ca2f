import type { BaseLogger } from 'pino'
import type { Context } from '../../../context/context.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { UserId } from '../../../kernel/ids.ts'
import { recordUserEvent } from '../accounts/user-events.ts'

/** A person gets one event in this time, however many guess. */
const oneEventEveryMs = 15 * 60 * 1000

/** Tells the accounts of a person of wrong passwords and codes, so that no one who guesses fills their records. */
interface FailedSignIns {
  /** Counts a wrong guess. The first is written at once, in the background: how long an answer takes tells nothing. */
  record(userId: UserId): void
  /** Writes what was counted since the last event of those whose time is over. */
  sweep(): Promise<void>
  /** Writes all that was counted, for a service that stops. */
  close(): Promise<void>
}

interface Counted {
  writtenAt: number
  /** Since then. */
  attempts: number
}

export function createFailedSignIns(
  clock: Clock,
  log: Pick<BaseLogger, 'warn'>,
  write: (userId: UserId, attempts: number) => Promise<void>,
): FailedSignIns {
  const people = new Map<UserId, Counted>()
  const writing = new Set<Promise<void>>()

  function tell(userId: UserId, counted: Counted): void {
    const { attempts } = counted
    counted.attempts = 0
    counted.writtenAt = clock.now().getTime()
    const written: Promise<void> = write(userId, attempts)
      .catch((error: unknown) => {
        counted.attempts += attempts
        log.warn({ err: error, user_id: userId }, 'failed sign-ins were not recorded and will be with the next')
      })
      .finally(() => writing.delete(written))
    writing.add(written)
  }

  const isOver = ({ writtenAt }: Counted) => clock.now().getTime() - writtenAt >= oneEventEveryMs

  return {
    record(userId) {
      const counted = people.get(userId) ?? { writtenAt: Number.NEGATIVE_INFINITY, attempts: 0 }
      people.set(userId, counted)
      counted.attempts += 1
      if (isOver(counted)) tell(userId, counted)
    },
    async sweep() {
      for (const [userId, counted] of people) {
        if (!isOver(counted)) continue
        if (counted.attempts > 0) tell(userId, counted)
        else people.delete(userId)
      }
      await Promise.all(writing)
    },
    async close() {
      await Promise.all(writing)
      for (const [userId, counted] of people) {
        if (counted.attempts > 0) tell(userId, counted)
      }
      await Promise.all(writing)
    },
  }
}

/** The one count of a service, whichever of its routes asks for a password. */
export const failedSignIns = (context: Context): FailedSignIns => context.memory.hold(countInEvents, context)

function countInEvents({ clock, log, db }: Context): FailedSignIns {
  return createFailedSignIns(clock, log, (userId, attempts) =>
    db.begin((sql) =>
      // Who guessed is not known.
      recordUserEvent(sql, userId, { type: 'user.sign_in_failed', data: { attempts }, actor: 'system' }),
    ),
  )
}
