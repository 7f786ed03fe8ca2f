import type { Clock } from '../kernel/clock.ts'
import type { HubId, PrinterId } from '../kernel/ids.ts'
import { type AccountId, readId } from '../kernel/ids.ts'
import { fromHub } from '../live/hub-messages.ts'
import type { ConnectedHubs, HubConnection } from '../live/hubs.ts'
import type { LivePrinter, LivePrinters } from '../live/printers.ts'
import type { Recovery } from '../live/recovery.ts'
import type { Bus } from './bus.ts'
import { LiveBatch, makeReader, mostHubs, mostPrinters, type SharedHub, type SharedPrinter } from './wire.ts'

const readBatch = makeReader(LiveBatch)

const channelOf = (accountId: AccountId) => `live:${accountId}`

/** What was told of a hub last, to see what changed. */
interface Told {
  accountId: AccountId
  epoch: number
  lastHeartbeatAt: Date
  candidates: HubConnection['candidates']
  printerIds: HubConnection['printerIds']
}

/**
 * Tells the other processes what the hubs report that are connected here, and takes what they tell. A report marks its printer; what is
 * marked is told together, as the printer is by then, so that a report costs no message of its own.
 */
export class LiveShare {
  readonly #processId: string
  readonly #bus: Bus
  readonly #live: { hubs: ConnectedHubs; printers: LivePrinters }
  readonly #clock: Clock
  readonly #onHeard: (processId: string) => void
  readonly #marked = new Set<PrinterId>()
  readonly #told = new Map<HubId, Told>()
  readonly #stop: () => void

  /** @param onHeard told of each process that has told something */
  constructor(
    { processId, bus, clock }: { processId: string; bus: Bus; clock: Clock },
    live: { hubs: ConnectedHubs; printers: LivePrinters },
    onHeard: (processId: string) => void,
  ) {
    this.#processId = processId
    this.#bus = bus
    this.#live = live
    this.#clock = clock
    this.#onHeard = onHeard
    this.#stop = live.printers.onTelemetry((printerId) => this.#marked.add(printerId))
    bus.listen('live:*', (text, channel) => this.#take(text, channel))
  }

  close(): void {
    this.#stop()
  }

  /** Everything is told again by the next `tell`: someone has missed it. */
  markAll(): void {
    this.#told.clear()
  }

  /** Tells what changed since the last time. @throws Error when it may not have arrived; all is told again by the next call */
  async tell(): Promise<void> {
    const messages = this.#collect()
    if (messages.length === 0) return
    try {
      await this.#bus.publishAll(messages)
    } catch (error) {
      this.markAll()
      throw error
    }
  }

  /** Forgets the hubs of a process that is gone. */
  dropProcess(processId: string): void {
    for (const { hubId, epoch } of this.#live.hubs.listRemote(processId)) {
      this.#live.hubs.dropRemote(hubId, epoch, this.#clock.now())
    }
  }

  #collect(): [channel: string, message: LiveBatch][] {
    const { hubs } = this.#live
    const byAccount = new Map<AccountId, { hubs: SharedHub[]; printers: SharedPrinter[]; gone: LiveBatch['gone'] }>()
    const of = (accountId: AccountId) => {
      const known = byAccount.get(accountId) ?? { hubs: [], printers: [], gone: [] }
      byAccount.set(accountId, known)
      return known
    }
    const here = new Set<HubId>()
    for (const hubId of hubs.listHubIdsHere()) {
      const hub = hubs.findHere(hubId)
      if (hub?.epoch === undefined) continue
      here.add(hubId)
      const told = this.#told.get(hubId)
      const isNew = told?.epoch !== hub.epoch || told.printerIds !== hub.printerIds
      if (isNew || told.lastHeartbeatAt !== hub.lastHeartbeatAt || told.candidates !== hub.candidates) {
        const { accountId, epoch, lastHeartbeatAt, candidates, printerIds } = hub
        this.#told.set(hubId, { accountId, epoch, lastHeartbeatAt, candidates, printerIds })
        of(accountId).hubs.push(presentHub(hub, hub.epoch))
      }
      if (isNew)
        for (const id of hub.printerIds) {
          const printerId = readId('printer', id)
          if (printerId) this.#marked.add(printerId)
        }
    }
    for (const [id, { accountId, epoch }] of this.#told) {
      if (here.has(id)) continue
      this.#told.delete(id)
      of(accountId).gone.push({ id, epoch })
    }
    for (const printerId of this.#marked) {
      const live = this.#live.printers.findHere(printerId)
      const epoch = live && hubs.findHere(live.hubId)?.epoch
      if (live && epoch !== undefined) of(live.accountId).printers.push(presentPrinter(printerId, live, epoch))
    }
    this.#marked.clear()
    return [...byAccount].flatMap(([accountId, told]) => {
      const parts = Math.max(1, Math.ceil(told.hubs.length / mostHubs), Math.ceil(told.printers.length / mostPrinters))
      // Hubs first: of a hub that is not known no printer is taken.
      const hubParts = Math.ceil(told.hubs.length / mostHubs)
      return Array.from({ length: parts + hubParts }, (_, part): [string, LiveBatch] => [
        channelOf(accountId),
        {
          process: this.#processId,
          hubs: told.hubs.slice(part * mostHubs, (part + 1) * mostHubs),
          printers: told.printers.slice(
            Math.max(0, part - hubParts) * mostPrinters,
            Math.max(0, part - hubParts + 1) * mostPrinters,
          ),
          gone: part === 0 ? told.gone : [],
        },
      ])
    })
  }

  #take(text: string, channel: string): void {
    const accountId = readId('account', channel.slice(channel.lastIndexOf(':') + 1))
    const batch = readBatch(text)
    if (!batch || !accountId || batch.process === this.#processId) return
    this.#onHeard(batch.process)
    const { hubs, printers } = this.#live
    const now = this.#clock.now()
    for (const { id, epoch } of batch.gone) {
      const hubId = readId('hub', id)
      if (hubId && hubs.findElsewhere(hubId)?.accountId === accountId) hubs.dropRemote(hubId, epoch, now)
    }
    for (const shared of batch.hubs) {
      const hubId = readId('hub', shared.id)
      // Whose it is does not change.
      if (!hubId || (hubs.find(hubId)?.accountId ?? accountId) !== accountId) continue
      hubs.takeRemote(readHub(shared, { accountId, hubId, processId: batch.process }))
    }
    for (const [id, some] of Map.groupBy(batch.printers, ({ hub_id }) => hub_id)) {
      const hubId = readId('hub', id)
      const hub = hubId && hubs.findElsewhere(hubId)
      if (!hub || hub.accountId !== accountId || hub.processId !== batch.process) continue
      printers.applyRemote(
        hub,
        some.flatMap(({ id: printer, epoch, state, reported_at, readiness }) => {
          const printerId = readId('printer', printer)
          if (!printerId || epoch !== hub.epoch) return []
          const told = { state: fromHub(state), reportedAt: new Date(reported_at), readiness: readTrouble(readiness) }
          return [{ printerId, ...told }]
        }),
      )
    }
  }
}

function presentHub(hub: HubConnection, epoch: number): SharedHub {
  return {
    id: hub.hubId,
    epoch,
    connected_at: hub.connectedAt.toISOString(),
    last_heartbeat_at: hub.lastHeartbeatAt.toISOString(),
    ...(hub.aheadMs !== undefined && { ahead_ms: hub.aheadMs }),
    candidates: hub.candidates,
    has_lost_journal: hub.hasLostJournal,
    ...(hub.storage && { storage: presentTrouble(hub.storage) }),
    ...(hub.journalId !== undefined && { journal_id: hub.journalId }),
    ...(hub.tookOverAt && { took_over_at: hub.tookOverAt.toISOString() }),
    ...(hub.problems && { problems: hub.problems }),
    capabilities: [...(hub.capabilities ?? [])],
    printer_ids: [...hub.printerIds],
  }
}

function readHub(hub: SharedHub, known: { accountId: AccountId; hubId: HubId; processId: string }) {
  return {
    ...known,
    epoch: hub.epoch,
    connectedAt: new Date(hub.connected_at),
    lastHeartbeatAt: new Date(hub.last_heartbeat_at),
    ...(hub.ahead_ms !== undefined && { aheadMs: hub.ahead_ms }),
    candidates: hub.candidates,
    hasLostJournal: hub.has_lost_journal,
    ...(hub.storage && { storage: readTrouble(hub.storage) }),
    journalId: hub.journal_id,
    tookOverAt: hub.took_over_at === undefined ? undefined : new Date(hub.took_over_at),
    ...(hub.problems && { problems: hub.problems }),
    capabilities: new Set(hub.capabilities),
    printerIds: new Set(hub.printer_ids.flatMap((id) => readId('printer', id) ?? [])),
  }
}

const presentPrinter = (id: PrinterId, live: LivePrinter, epoch: number): SharedPrinter => ({
  id,
  hub_id: live.hubId,
  epoch,
  state: live.state,
  reported_at: live.reportedAt.toISOString(),
  readiness: presentTrouble(live.readiness),
})

const presentTrouble = ({ troubledSince, recoveredAt }: Recovery) => ({
  troubledSince: troubledSince?.toISOString() ?? null,
  recoveredAt: recoveredAt?.toISOString() ?? null,
})

const readTrouble = ({ troubledSince, recoveredAt }: ReturnType<typeof presentTrouble>): Recovery => ({
  troubledSince: troubledSince === null ? null : new Date(troubledSince),
  recoveredAt: recoveredAt === null ? null : new Date(recoveredAt),
})
