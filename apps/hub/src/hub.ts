import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type {
  Candidate,
  HubMessageBody,
  LookOutcome,
  PrinterSettings,
  ServiceMessage,
} from '@printyard/protocol/messages'
import type { HubConfig } from './config.ts'
import { lockDataDir } from './data-dir-lock.ts'
import { createConnectionTests } from './discovery/connection-tests.ts'
import { createDiscovery, type DiscoverySockets, farmSockets, noSockets } from './discovery/discovery.ts'
import { createMovedPrinters } from './discovery/moved-printers.ts'
import { simulatedCandidates } from './drivers/discovery.ts'
import type { DriverContext } from './drivers/driver.ts'
import { probePrinter } from './drivers/probe-printer.ts'
import { openEjectingCopies } from './files/ejecting-copy.ts'
import { openFileCache } from './files/file-cache.ts'
import { Fleet } from './fleet/fleet.ts'
import { answerInterrupted } from './fleet/interrupted-commands.ts'
import { watchHubHealth } from './hub-health.ts'
import { journalPath, openJournal } from './journal/journal.ts'
import { composeHello } from './link/hello.ts'
import { createLink, type Link } from './link/link.ts'
import { createOutbox } from './link/outbox.ts'
import { sendStill } from './link/send-still.ts'
import { createTelemetry } from './link/telemetry.ts'
import { defaultTimings, type Timings } from './timings.ts'
import { type Clock, systemClock } from './util/clock.ts'
import { describeError, type Log } from './util/log.ts'

export interface HubContext {
  log: Log
  clock?: Clock
  timings?: Partial<Timings>
  /** Where printers are looked for; left out, in all networks of this machine if the configuration wants it. */
  discoverySockets?: DiscoverySockets
  /** See `DriverContext`. */
  simulatedPrinters?: DriverContext['simulatedPrinters']
  /** See `DriverContext`. Default: 1. */
  waitFactor?: number
}

/** A running or stopped hub. */
export interface Hub {
  /**
   * Takes the data directory, replays the journal and begins to connect; resolves without waiting for the service. Rejects
   * with a `DataDirHeldError` or a `JournalDamagedError`.
   */
  start(): Promise<void>
  /** Closes the connection, lets go of every printer and file. Prints go on; the next start takes them up again. */
  stop(): Promise<void>
}

/** Telemetry waits while more than this is on its way; everything else is sent all the same. */
const MAX_BACKLOG_BYTES = 1024 * 1024
const MAX_CANDIDATES_BYTES = 200 * 1024
/** How long a printer that seems to have moved may take to show that it is the same. */
const MOVED_PROBE_MS = 15_000

export function createHub(config: HubConfig, context: HubContext): Hub {
  const { log, clock = systemClock, timings: changed, simulatedPrinters, waitFactor = 1 } = context
  const timings: Timings = { ...defaultTimings, ...changed }
  let stopParts: (() => Promise<void>) | undefined

  return {
    async start() {
      if (stopParts) return
      const cleanUps: (() => Promise<void> | void)[] = []
      stopParts = async () => {
        for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
      }
      try {
        await startParts(cleanUps)
      } catch (error) {
        await stopParts()
        stopParts = undefined
        throw error
      }
    },
    async stop() {
      await stopParts?.()
      stopParts = undefined
    },
  }

  async function startParts(cleanUps: (() => Promise<void> | void)[]): Promise<void> {
    const startedAtMs = performance.now()
    const lock = await lockDataDir(config.dataDir)
    cleanUps.push(() => lock.release())
    const journal = await openJournal({ path: journalPath(config.dataDir), log })
    cleanUps.push(() => journal.close())
    if (journal.state.journalId === null) await journal.append({ t: 'identity', journal_id: randomUUID() })
    await answerInterrupted(journal, clock)
    const files = await openFileCache({
      directory: join(config.dataDir, 'files'),
      maxBytes: config.cacheBytes,
      serviceUrl: config.serviceUrl,
      clock,
      log,
    })
    const health = watchHubHealth({ dataDir: config.dataDir, journal, log })
    const serviceClock = createServiceClock(clock)
    const fleet = new Fleet({
      journal,
      files,
      ejectingCopies: await openEjectingCopies(join(config.dataDir, 'ejecting')),
      driverContext: {
        log,
        clock,
        dataDir: config.dataDir,
        virtualSpeed: config.speed,
        waitFactor,
        ...(simulatedPrinters && { simulatedPrinters }),
      },
      serverNow: serviceClock.now,
      onOutbox: () => {
        telemetry.flush()
        outbox.flush()
      },
      answer: (id, result) => void link.send('result', result, { id, ts: new Date(clock()).toISOString() }),
      onState: (printerId) => telemetry.note(printerId),
      clock,
      timings,
      log,
    })
    const outbox = createOutbox(journal, ({ type, id, ts, ...body }) =>
      // The body belongs to the type: both come from one journalled message.
      link.send(type, body as HubMessageBody<typeof type>, { id, ts }),
    )
    const telemetry = createTelemetry({
      states: fleet.states,
      intervalMs: timings.telemetryMs,
      send: (printers) => link.backlogBytes <= MAX_BACKLOG_BYTES && link.send('telemetry', { printers }),
    })
    const announce = (looked?: LookOutcome) => {
      const candidates = fitting([...discovery.candidates(), ...simulatedCandidates(config.virtualCount)])
      if (candidates.length === 0 && !hasAnnounced && !looked) return
      hasAnnounced = link.send('discovered', { candidates, ...(looked && { looked }) }) || hasAnnounced
    }
    let hasAnnounced = false
    let printers: readonly PrinterSettings[] = []
    const configure = (wanted: readonly PrinterSettings[]) => {
      printers = wanted
      return fleet.configure(wanted)
    }
    const stopping = new AbortController()
    const moved = createMovedPrinters({
      printers: () => printers,
      stateOf: (printerId) => fleet.states.get(printerId),
      probe: ({ connection_type }, connection) =>
        probePrinter({
          connection_type,
          connection,
          dataDir: config.dataDir,
          log,
          timeoutMs: MOVED_PROBE_MS,
          signal: stopping.signal,
        }),
      tell: (message) => {
        log.info('a printer has another address', { printer_id: message.printer_id, address: message.address })
        link.send('printer_moved', message)
      },
      clock,
      log,
    })
    const discovery = createDiscovery({
      sockets: context.discoverySockets ?? (config.isDiscoveryOn ? farmSockets : noSockets),
      allowsPublic: config.allowsPublicAddresses,
      dataDir: config.dataDir,
      clock,
      log,
      onChange: () => announce(),
      onSighting: (sighting) => {
        moved.consider(sighting).catch((error: unknown) => {
          if (!stopping.signal.aborted) log.warn('a printer was not followed', { problem: describeError(error) })
        })
      },
    })
    const tests = createConnectionTests({ dataDir: config.dataDir, allowsPublic: config.allowsPublicAddresses, log })
    const link: Link = createLink({
      serviceUrl: config.serviceUrl,
      token: config.token,
      clock,
      timings,
      log,
      hello: () => composeHello(journal.state, fleet),
      heartbeat: () => ({
        uptime_seconds: Math.round((performance.now() - startedAtMs) / 1000),
        printer_count: fleet.states.size,
        problems: health.problems(),
      }),
      onWelcome(message) {
        serviceClock.set(message.server_time)
        outbox.startAfresh()
        outbox.flush()
        configure(message.printers)
          .then(() => fleet.settle(message.settle))
          .catch((error) => log.error('the welcome could not be followed', { problem: describeError(error) }))
        telemetry.startAfresh()
        announce()
      },
      onMessage: (message) => {
        if (message.type === 'test_connection') {
          void tests.test(message).then((answer) => link.send('connection_tested', answer))
        } else if (message.type === 'discover') {
          void discovery.search(message.address).then((looked) => looked && announce(looked))
        } else take(message, { fleet, outbox, configure, link })
      },
    })
    cleanUps.push(() => fleet.stop())
    cleanUps.push(() => telemetry.stop())
    cleanUps.push(() => link.stop())
    cleanUps.push(() => discovery.stop())
    cleanUps.push(() => {
      stopping.abort(new Error('the hub stops'))
      tests.stop()
    })
    await discovery.start()
    link.start()
    log.info('the hub has started', { data_dir: config.dataDir, service_url: config.serviceUrl })
  }

  function take(message: ServiceMessage, { fleet, outbox, configure, link }: Takers): void {
    switch (message.type) {
      case 'command':
        void fleet.command(message)
        return
      case 'configure':
        void configure(message.printers)
        return
      case 'ack':
        outbox.acknowledge(message.ids)
        return
      case 'release':
        void fleet.release(message.attempts)
        return
      case 'snapshot':
        void sendStill(message, (printerId) => fleet.takeStill(printerId), link)
        return
      case 'discover':
      case 'test_connection':
      case 'welcome':
      case 'close':
        return
    }
  }
}

/** Who carries out what the service asks for. */
interface Takers {
  fleet: Fleet
  outbox: ReturnType<typeof createOutbox>
  configure(printers: readonly PrinterSettings[]): Promise<void>
  link: Link
}

/** As many as one frame takes. */
function fitting(candidates: Candidate[]): Candidate[] {
  let room = MAX_CANDIDATES_BYTES
  return candidates.slice(0, 500).filter((candidate) => {
    room -= JSON.stringify(candidate).length
    return room > 0
  })
}

/** The service's clock as the last welcome told it, carried on by a clock that nobody sets. */
function createServiceClock(clock: Clock): { now: Clock; set(serverTime: string): void } {
  let told: { serverMs: number; atMs: number } | undefined
  return {
    now: () => (told ? told.serverMs + performance.now() - told.atMs : clock()),
    set(serverTime) {
      const serverMs = Date.parse(serverTime)
      if (Number.isFinite(serverMs)) told = { serverMs, atMs: performance.now() }
    },
  }
}
