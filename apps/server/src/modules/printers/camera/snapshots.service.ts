import { STILL_FRESH_MS } from '@printyard/protocol/still'
import type { Context } from '../../../context/context.ts'
import { AppError, notFound } from '../../../kernel/errors.ts'
import type { AccountId, HubId, PrinterId } from '../../../kernel/ids.ts'
import { findOwnHub } from '../../../live/own-printer.ts'
import type { StillAnswer } from '../../../live/pending.ts'
import { elsewhereUnreachable, hubAway } from '../../hubs/state/hub-away.ts'
import { findPrinterPlace } from '../printer-control.queries.ts'

/** A camera, its hub and the way between them have this long. */
const mostWaitMs = 20_000

/** Pictures that are still fresh may hold this much; beyond it the oldest go first. */
const mostKeptBytes = 64 * 1024 * 1024

interface Snapshots {
  /**
   * Answers what the camera of a printer sees, at most a second old. Anyone who asks while a picture is on its way waits for the same
   * one.
   *
   * @throws AppError `NOT_FOUND`, `NO_HUB_ASSIGNED`, `HUB_OFFLINE`, `COMMAND_NOT_SUPPORTED` or `HUB_COMMAND_FAILED` with the reason in its details
   */
  take(accountId: AccountId, printerId: PrinterId): Promise<Buffer>
}

/** The pictures of all printers of this process, in memory only. */
export function createSnapshots(context: Pick<Context, 'db' | 'hubs' | 'peers' | 'timeouts'>): Snapshots {
  const asking = new Map<string, Promise<StillAnswer>>()
  const fresh = new Map<string, { bytes: Buffer; timer: NodeJS.Timeout }>()
  let keptBytes = 0

  function forget(key: string): void {
    const kept = fresh.get(key)
    if (!kept) return
    clearTimeout(kept.timer)
    fresh.delete(key)
    keptBytes -= kept.bytes.length
  }

  function keep(key: string, bytes: Buffer): void {
    forget(key)
    fresh.set(key, { bytes, timer: setTimeout(() => forget(key), STILL_FRESH_MS).unref() })
    keptBytes += bytes.length
    for (const oldest of fresh.keys()) {
      if (keptBytes <= mostKeptBytes) break
      forget(oldest)
    }
  }

  function askOnce(key: string, hubId: HubId, printerId: PrinterId): Promise<StillAnswer> {
    const present = asking.get(key)
    if (present) return present
    const asked = context.hubs
      .askForStill(hubId, printerId, Math.min(mostWaitMs, context.timeouts.commandMs))
      .then((answer) => {
        if (answer.kind === 'still') keep(key, answer.bytes)
        return answer
      })
      .finally(() => asking.delete(key))
    asking.set(key, asked)
    return asked
  }

  return {
    async take(accountId, printerId) {
      const printer = await findPrinterPlace(context.db.sql, accountId, printerId)
      if (!printer) throw notFound('printer')
      const { hub_id: hubId } = printer
      if (!hubId) throw new AppError('NO_HUB_ASSIGNED')
      if (!findOwnHub(context.hubs, accountId, hubId)) throw hubAway(context)
      // A printer that was moved to another hub may have another camera.
      const key = JSON.stringify([accountId, hubId, printerId])
      const kept = fresh.get(key)
      if (kept) return kept.bytes
      const answer = await askOnce(key, hubId, printerId)
      if (answer.kind === 'still') return answer.bytes
      throw snapshotError(context, answer)
    },
  }
}

/** What asking again does not change: a person would have to build in a camera, switch it on, or set it up otherwise. */
const isLasting = (code: string) => ['NOT_SUPPORTED', 'CAMERA_OFF', 'CAMERA_REFUSED', 'TOO_LARGE'].includes(code)

function snapshotError(context: Pick<Context, 'peers'>, answer: Exclude<StillAnswer, { kind: 'still' }>): AppError {
  switch (answer.kind) {
    case 'offline':
      return answer.isElsewhere ? elsewhereUnreachable() : hubAway(context)
    case 'silent':
      return new AppError(
        'HUB_COMMAND_FAILED',
        { why: answer.why === 'timeout' ? 'no picture came in time' : 'the connection to its hub was lost' },
        { details: { reason: answer.why } },
      )
    case 'refused':
      return new AppError(
        isLasting(answer.code) ? 'COMMAND_NOT_SUPPORTED' : 'HUB_COMMAND_FAILED',
        { why: answer.message },
        { details: { reason: answer.code.toLowerCase() } },
      )
  }
}
