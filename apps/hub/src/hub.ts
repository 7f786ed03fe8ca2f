import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { PrinterSettings, ServiceMessage } from '@printyard/protocol/messages'
import type { HubConfig } from './config.ts'
import { lockDataDir } from './data-dir-lock.ts'
import type { DiscoverySockets } from './discovery/discovery.ts'
import { PrinterFinding } from './discovery/printer-finding.ts'
import type { DriverContext } from './drivers/driver.ts'
import { openEjectingCopies } from './files/ejecting-copy.ts'
import { openFileCache } from './files/file-cache.ts'
import { Fleet } from './fleet/fleet.ts'
import { answerInterrupted } from './fleet/interrupted-commands.ts'
import { type HubHealth, watchHubHealth } from './hub-health.ts'
import { type HubKey, loadHubKey } from './hub-key.ts'
import { HubTokens } from './hub-tokens.ts'
import { type Journal, journalPath, openJournal } from './journal/journal.ts'
import { composeHello } from './link/hello.ts'
import { sendStill } from './link/send-still.ts'
import { Uplink } from './link/uplink.ts'
import { plainTextSetting } from './plain-text.ts'
import { defaultTimings, type Timings } from './timings.ts'
import { CleanUps } from './util/clean-ups.ts'
import { type Clock, systemClock } from './util/clock.ts'
import { describeError, type Log } from './util/log.ts'
import { ServiceClock } from './util/service-clock.ts'

export interface HubContext {
  log: Log
  clock?: Clock
  timings?: Partial<Timings>
  /** Sockets by which printers are looked for; left out, in all networks of this machine if the configuration wants it. */
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

export function createHub(config: HubConfig, context: HubContext): Hub {
  let cleanUps: CleanUps | undefined

  return {
    async start() {
      if (cleanUps) return
      cleanUps = new CleanUps()
      try {
        await startHub(config, context, cleanUps)
      } catch (error) {
        await cleanUps.run()
        cleanUps = undefined
        throw error
      }
    },
    async stop() {
      await cleanUps?.run()
      cleanUps = undefined
    },
  }
}

/** Opens what the hub has on its disk, and puts everything on top of it. What was opened stays in `cleanUps`, also on failure. */
async function startHub(config: HubConfig, context: HubContext, cleanUps: CleanUps): Promise<void> {
  const { log, clock = systemClock } = context
  const lock = await lockDataDir(config.dataDir)
  cleanUps.add(() => lock.release())
  const key = await loadHubKey(config.dataDir)
  const journal = await openJournal({ path: journalPath(config.dataDir), log })
  cleanUps.add(() => journal.close())
  if (journal.state.journalId === null) await journal.append({ t: 'identity', journal_id: randomUUID() })
  await answerInterrupted(journal, clock)
  const files = await openFileCache({
    directory: join(config.dataDir, 'files'),
    maxBytes: config.cacheBytes,
    serviceUrl: config.serviceUrl,
    authority: config.authority,
    clock,
    log,
  })
  const ejectingCopies = await openEjectingCopies(join(config.dataDir, 'ejecting'))
  const hub = new RunningHub(config, { ...context, clock }, { journal, files, ejectingCopies, key })
  cleanUps.add(() => hub.stop())
  await hub.start()
  if (config.isPlainText) {
    log.warn('the connection to the service is NOT ENCRYPTED: token and print files can be read on the network', {
      service_url: config.serviceUrl,
      setting: plainTextSetting,
    })
  }
  log.info('the hub has started', { data_dir: config.dataDir, service_url: config.serviceUrl })
}

/** What the hub has on its disk. */
interface HubDisk {
  journal: Journal
  files: Awaited<ReturnType<typeof openFileCache>>
  ejectingCopies: Awaited<ReturnType<typeof openEjectingCopies>>
  key: HubKey
}

/** A hub from its start to its stop: hands what the service says to those who carry it out, and what they say to the service. */
class RunningHub {
  readonly #startedAtMs = performance.now()
  readonly #log: Log
  readonly #key: HubKey
  readonly #tokens: HubTokens
  readonly #serviceClock: ServiceClock
  readonly #health: HubHealth
  readonly #fleet: Fleet
  readonly #uplink: Uplink
  readonly #finding: PrinterFinding
  #printers: readonly PrinterSettings[] = []

  constructor(config: HubConfig, context: HubContext & { clock: Clock }, disk: HubDisk) {
    const { log, clock, simulatedPrinters, waitFactor = 1 } = context
    const { dataDir, serviceUrl, authority } = config
    const timings: Timings = { ...defaultTimings, ...context.timings }
    this.#log = log
    this.#key = disk.key
    this.#serviceClock = new ServiceClock(clock)
    this.#tokens = new HubTokens(config)
    this.#health = watchHubHealth({ dataDir, journal: disk.journal, log, isPlainText: config.isPlainText === true })
    this.#fleet = new Fleet({
      ...disk,
      driverContext: {
        log,
        clock,
        dataDir,
        virtualSpeed: config.speed,
        waitFactor,
        ...(simulatedPrinters && { simulatedPrinters }),
      },
      serverNow: () => this.#serviceClock.now(),
      onOutbox: () => this.#uplink.flush(),
      answer: (id, result) => this.#uplink.answer(id, result),
      onState: (printerId) => this.#uplink.showPrinter(printerId),
      clock,
      timings,
      log,
    })
    this.#finding = new PrinterFinding({
      config,
      sockets: context.discoverySockets,
      printers: () => this.#printers,
      stateOf: (printerId) => this.#fleet.states.get(printerId),
      send: (type, body) => this.#uplink.send(type, body),
      clock,
      log,
    })
    this.#uplink = new Uplink({
      serviceUrl,
      tokens: this.#tokens,
      authority,
      clock,
      timings,
      log,
      journal: disk.journal,
      states: this.#fleet.states,
      hello: () => ({
        ...composeHello(disk.journal.state, { states: this.#fleet.states, keepsToken: this.#tokens.areKept }),
        public_key: disk.key.publicKey,
      }),
      heartbeat: () => ({
        uptime_seconds: Math.round((performance.now() - this.#startedAtMs) / 1000),
        printer_count: this.#fleet.states.size,
        problems: this.#health.problems(),
      }),
      onWelcome: (message) => this.#welcome(message),
      onMessage: (message) => this.#take(message),
    })
  }

  async start(): Promise<void> {
    await this.#finding.start()
    this.#uplink.start()
  }

  async stop(): Promise<void> {
    await this.#finding.stop()
    await this.#uplink.stop()
    this.#uplink.endTelemetry()
    await this.#fleet.stop()
  }

  #welcome(message: ServiceMessage & { type: 'welcome' }): void {
    this.#serviceClock.set(message.server_time)
    this.#configure(message.printers)
      .then(() => this.#fleet.settle(message.settle))
      .catch((error) => this.#log.error('the welcome could not be followed', { problem: describeError(error) }))
    this.#finding.announce()
  }

  /** Not waited for: what comes of it is told to the service, or logged, by what carries it out. */
  #take(message: ServiceMessage): void {
    switch (message.type) {
      case 'command':
        void this.#fleet.command(message)
        return
      case 'configure':
        void this.#configure(message.printers)
        return
      case 'ack':
        this.#uplink.acknowledge(message.ids)
        return
      case 'release':
        void this.#fleet.release(message.attempts)
        return
      case 'snapshot':
        void sendStill(message, (printerId) => this.#fleet.takeStill(printerId), this.#uplink)
        return
      case 'discover':
        void this.#finding.search(message)
        return
      case 'test_connection':
        this.#test(message)
        return
      case 'renew_token':
        void this.#renewToken(message.sealed_token)
        return
      case 'welcome':
      case 'close':
        return
    }
  }

  #test(told: ServiceMessage & { type: 'test_connection' }): void {
    const connection = this.#openConnection(told, told.test_id)
    const { sealed_connection: _, ...test } = told
    if (connection) void this.#finding.test({ ...test, connection })
  }

  /** The service goes by the former token until it is told; what fails here is tried again when it sends another one. */
  async #renewToken(sealed: string): Promise<void> {
    try {
      const token_hash = await this.#tokens.replace((boundTo) => this.#key.open(sealed, boundTo))
      this.#log.info('the service has given this hub another token')
      this.#uplink.send('token_kept', { token_hash })
    } catch (error) {
      this.#log.warn('another token of the service could not be kept; the present one is used', {
        problem: describeError(error),
      })
    }
  }

  #configure(told: readonly PrinterSettings[]): Promise<void> {
    this.#printers = told.flatMap((printer) => {
      const connection = this.#openConnection(printer, printer.printer_id)
      const { sealed_connection: _, ...settings } = printer
      return connection ? { ...settings, connection } : []
    })
    return this.#fleet.configure(this.#printers)
  }

  /** Undefined when it was sealed for another key: one printer that cannot be read must not keep the others from running. */
  #openConnection(
    settings: Pick<PrinterSettings, 'connection' | 'sealed_connection'>,
    boundTo: string,
  ): PrinterSettings['connection'] | undefined {
    try {
      return this.#key.openConnection(settings, boundTo)
    } catch (error) {
      const problem = describeError(error)
      this.#log.error('credentials cannot be opened with the key of this hub; join again with a new code', {
        about: boundTo,
        problem,
      })
      return undefined
    }
  }
}
