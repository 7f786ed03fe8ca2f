import type {
  Candidate,
  HubMessageBody,
  LookOutcome,
  PrinterSettings,
  ServiceMessageBody,
} from '@printyard/protocol/messages'
import type { PrinterState } from '@printyard/protocol/printer-state'
import type { HubConfig } from '../config.ts'
import { simulatedCandidates } from '../drivers/discovery.ts'
import { probePrinter } from '../drivers/probe-printer.ts'
import type { Clock } from '../util/clock.ts'
import { describeError, type Log } from '../util/log.ts'
import { type ConnectionTests, createConnectionTests } from './connection-tests.ts'
import { createDiscovery, type Discovery, type DiscoverySockets, farmSockets, noSockets } from './discovery.ts'
import { createMovedPrinters, type MovedPrinters } from './moved-printers.ts'
import type { Sighting } from './sighting.ts'

const MAX_CANDIDATES = 500
const MAX_CANDIDATES_BYTES = 200 * 1024
/** Time that a printer that seems to have moved may take to show that it is the same. */
const MOVED_PROBE_MS = 15_000

type FindingMessage = 'discovered' | 'printer_moved' | 'connection_tested'

interface PrinterFindingDeps {
  config: HubConfig
  /** Left out, in all networks of this machine if the configuration wants it. */
  sockets: DiscoverySockets | undefined
  /** The printers that this hub runs now. */
  printers(): readonly PrinterSettings[]
  stateOf(printerId: string): PrinterState | undefined
  /** False when there is no connection to the service. */
  send<N extends FindingMessage>(type: N, body: HubMessageBody<N>): boolean
  clock: Clock
  log: Log
}

/** What the hub finds out about printers that it does not run, or not where they were, and tells the service. */
export class PrinterFinding {
  readonly #deps: PrinterFindingDeps
  readonly #discovery: Discovery
  readonly #moved: MovedPrinters
  readonly #tests: ConnectionTests
  readonly #stopping = new AbortController()
  #hasAnnounced = false

  constructor(deps: PrinterFindingDeps) {
    const { config, clock, log } = deps
    const { dataDir, allowsPublicAddresses: allowsPublic } = config
    this.#deps = deps
    this.#tests = createConnectionTests({ dataDir, allowsPublic, log })
    this.#moved = createMovedPrinters({
      printers: deps.printers,
      stateOf: deps.stateOf,
      probe: ({ connection_type }, connection) =>
        probePrinter({
          connection_type,
          connection,
          dataDir,
          log,
          timeoutMs: MOVED_PROBE_MS,
          signal: this.#stopping.signal,
        }),
      tell: (message) => {
        log.info('a printer has another address', { printer_id: message.printer_id, address: message.address })
        deps.send('printer_moved', message)
      },
      clock,
      log,
    })
    this.#discovery = createDiscovery({
      sockets: deps.sockets ?? (config.isDiscoveryOn ? farmSockets : noSockets),
      allowsPublic,
      dataDir,
      clock,
      log,
      onChange: () => this.announce(),
      onSighting: (sighting) => void this.#follow(sighting),
    })
  }

  start(): Promise<void> {
    return this.#discovery.start()
  }

  async stop(): Promise<void> {
    this.#stopping.abort(new Error('the hub stops'))
    this.#tests.stop()
    await this.#discovery.stop()
  }

  /** Tells the service all candidates; nothing while there never was any, unless a look has just ended. */
  announce(looked?: LookOutcome): void {
    const candidates = fitting([
      ...this.#discovery.candidates(),
      ...simulatedCandidates(this.#deps.config.virtualCount),
    ])
    if (candidates.length === 0 && !this.#hasAnnounced && !looked) return
    const isSent = this.#deps.send('discovered', { candidates, ...(looked && { looked }) })
    this.#hasAnnounced ||= isSent
  }

  /** Carries out a `discover` of the service. */
  async search({ address }: ServiceMessageBody<'discover'>): Promise<void> {
    const looked = await this.#discovery.search(address)
    if (looked) this.announce(looked)
  }

  /** Carries out a `test_connection` of the service. */
  async test(request: ServiceMessageBody<'test_connection'>): Promise<void> {
    this.#deps.send('connection_tested', await this.#tests.test(request))
  }

  async #follow(sighting: Sighting): Promise<void> {
    try {
      await this.#moved.consider(sighting)
    } catch (error) {
      if (this.#stopping.signal.aborted) return
      this.#deps.log.warn('a printer was not followed', { problem: describeError(error) })
    }
  }
}

/** As many as one frame takes. */
function fitting(candidates: Candidate[]): Candidate[] {
  let room = MAX_CANDIDATES_BYTES
  return candidates.slice(0, MAX_CANDIDATES).filter((candidate) => {
    room -= JSON.stringify(candidate).length
    return room > 0
  })
}
