import type { LookOutcome } from '@printyard/protocol/messages'
import type { Context } from '../../context/context.ts'
import type { AccountId, HubId, PrinterId } from '../../kernel/ids.ts'
import { findOwnHub } from '../../live/own-printer.ts'
import type { LivePrinter } from '../../live/printers.ts'
import { plainFrame } from './event-stream.ts'
import { changedFields, type LiveFields, liveFieldsOf } from './live-fields.ts'

/** What was told of a printer. */
interface Told {
  hubId: HubId
  fields: LiveFields
}

/**
 * What the printers of one account do now, as frames that hold only what changed since the last ones. Nothing is kept of an
 * account that no one listens to.
 */
export class LiveFrames {
  readonly #hubs: Context['hubs']
  readonly #accountId: AccountId
  readonly #told = new Map<PrinterId, Told>()
  readonly #reported = new Map<PrinterId, LivePrinter>()
  /** Hubs that have said what they found, with the look that ended last. */
  readonly #candidates = new Map<HubId, LookOutcome | undefined>()
  #onlineHubs: Set<HubId>
  #hasPresenceChanged = false

  constructor(hubs: Context['hubs'], accountId: AccountId) {
    this.#hubs = hubs
    this.#accountId = accountId
    this.#onlineHubs = this.#findOnlineHubs()
  }

  recordPrinter(printerId: PrinterId, live: LivePrinter): void {
    this.#reported.set(printerId, live)
  }

  recordPresenceChange(): void {
    this.#hasPresenceChanged = true
  }

  recordCandidates(hubId: HubId, looked: LookOutcome | undefined): void {
    this.#candidates.set(hubId, looked ?? this.#candidates.get(hubId))
  }

  /** The frames for what changed since the last call. */
  take(): string {
    const frames: string[] = []
    if (this.#hasPresenceChanged) frames.push(...this.#takePresence())
    for (const [hubId, looked] of this.#candidates) {
      frames.push(plainFrame('candidates', { hub_id: hubId, looked: looked ? presentLook(looked) : null }))
    }
    this.#candidates.clear()
    for (const [printerId, { hubId, state }] of this.#reported) {
      // A report of a hub that is gone by now says nothing any more.
      if (!this.#onlineHubs.has(hubId)) continue
      const fields = liveFieldsOf(state)
      const told = this.#told.get(printerId)
      const changed = changedFields(told?.hubId === hubId ? told.fields : undefined, fields)
      if (!changed) continue
      this.#told.set(printerId, { hubId, fields })
      frames.push(plainFrame('live', { printer_id: printerId, ...changed }))
    }
    this.#reported.clear()
    return frames.join('')
  }

  #takePresence(): string[] {
    this.#hasPresenceChanged = false
    const before = this.#onlineHubs
    const now = this.#findOnlineHubs()
    this.#onlineHubs = now
    // What is told of its printers when it comes back starts over.
    for (const [printerId, { hubId }] of this.#told) if (!now.has(hubId)) this.#told.delete(printerId)
    const frame = (hubId: HubId) => plainFrame('hub', { hub_id: hubId, is_online: now.has(hubId) })
    return [...new Set([...before, ...now])].filter((hubId) => before.has(hubId) !== now.has(hubId)).map(frame)
  }

  #findOnlineHubs(): Set<HubId> {
    const ids = this.#hubs.listHubIds()
    return new Set(ids.filter((id) => findOwnHub(this.#hubs, this.#accountId, id)))
  }
}

/** Only what is described: a newer hub may say more. */
function presentLook({ address, found, problem }: LookOutcome): LookOutcome {
  return { address, found, problem }
}
