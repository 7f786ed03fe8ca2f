import { wait } from '../../util/clock.ts'
import type { PrinterHttp } from '../wire/printer-http.ts'
import { memberOf, textIn } from '../wire/wire-values.ts'
import { HistoryWait } from './history-wait.ts'
import { type JsonRpcSocket, openJsonRpcSocket } from './json-rpc-socket.ts'
import { emptyPicture, fileNameOf, type MoonrakerPicture, mergeJob, mergeObjects } from './moonraker-picture.ts'
import {
  type Ask,
  identify,
  readFirmware,
  readHistory,
  readKlippyMessage,
  readObjectNames,
  subscribe,
} from './moonraker-questions.ts'
import { isKlippyReady } from './moonraker-state.ts'
import { watchKlipper } from './watch-klipper.ts'

export const QUESTION_TIMEOUT_MS = 10_000
const SILENCE_MS = 20_000
const STARTUP_POLL_MS = 2_000
/** Time that a run may go on before the history names it. Moonraker needs milliseconds for it, a busy one more. */
const HISTORY_MS = 5_000

interface MoonrakerConnectionOptions {
  printerId: string
  http: PrinterHttp
  headers: Record<string, string>
  apiKey: string | null
  /** See `DriverContext`. */
  waitFactor: number
  /** Called with each new picture in place. */
  onChange(): void
  /** A line that Klipper says while G-code runs. */
  onLine(line: string): void
  /** Ends the connection. */
  signal: AbortSignal
}

/** One connection to Moonraker, with what was reported on it; that stays readable after its end. */
export class MoonrakerConnection {
  readonly #options: MoonrakerConnectionOptions
  readonly #historyWait: HistoryWait
  #picture = emptyPicture()
  #objectNames: ReadonlySet<string> = new Set<string>()
  #socket: JsonRpcSocket | undefined
  /** Set while Klipper is asked for everything: what it says is worth nothing if it goes away meanwhile. */
  #reading: JsonRpcSocket | undefined
  #heardOfKlipperMs = performance.now()

  constructor(options: MoonrakerConnectionOptions) {
    this.#options = options
    this.#historyWait = new HistoryWait(HISTORY_MS * options.waitFactor, () =>
      this.#change({ ...this.#picture, historyWait: 'over' }),
    )
  }

  get picture(): MoonrakerPicture {
    return this.#picture
  }

  /** What the printer has, by its object list. */
  get objectNames(): ReadonlySet<string> {
    return this.#objectNames
  }

  /** Where commands go; undefined before Moonraker has let us in, and after the end. */
  get socket(): JsonRpcSocket | undefined {
    return this.#socket
  }

  get signal(): AbortSignal {
    return this.#options.signal
  }

  /** Opens the connection and keeps it to its end; rejects with what ended it. `isUp` is called once everything was read. */
  async keep(isUp: () => void): Promise<void> {
    const { http, headers, signal } = this.#options
    const opened = await openJsonRpcSocket({
      address: socketAddress(http.base),
      headers,
      onNotification: (method, params) => this.#onNotification(method, params),
      silenceMs: this.#silenceMs,
      signal,
    })
    const introduced = this.#introduce(opened).then(
      () => isUp(),
      (error: unknown) => {
        opened.close()
        throw error
      },
    )
    const silent = new AbortController()
    const watched = this.#watch(opened, AbortSignal.any([signal, silent.signal])).finally(() => opened.close())
    try {
      await Promise.all([introduced, opened.closed.then(() => silent.abort()), watched])
    } finally {
      this.#historyWait.end()
      this.#socket = undefined
      this.#reading = undefined
      silent.abort()
      opened.close()
    }
  }

  get #silenceMs(): number {
    return SILENCE_MS * this.#options.waitFactor
  }

  #watch(opened: JsonRpcSocket, signal: AbortSignal): Promise<void> {
    this.#recordKlipper()
    return watchKlipper({
      socket: opened,
      silenceMs: this.#silenceMs,
      heardAtMs: () => (this.#picture.klippy === 'ready' ? this.#heardOfKlipperMs : undefined),
      onHeard: () => this.#recordKlipper(),
      signal,
    })
  }

  #recordKlipper(): void {
    this.#heardOfKlipperMs = performance.now()
  }

  /** Says who we are, waits for Klipper and asks for everything; from then on changes arrive by themselves. */
  async #introduce(opened: JsonRpcSocket): Promise<void> {
    const ask: Ask = (method, params = {}) => opened.call(method, params, QUESTION_TIMEOUT_MS, this.signal)
    await identify(ask, this.#options)
    await this.#awaitKlipper(opened, ask)
    this.#reading = opened
    const firmware = await readFirmware(ask)
    this.#objectNames = await readObjectNames(ask)
    const objects = await subscribe(ask, this.#objectNames)
    const history = await readHistory(ask)
    this.#reading = undefined
    this.#socket = opened
    const beginning = { ...this.#picture, klippy: 'ready', klippyMessage: null, firmware, history }
    this.#change(mergeObjects(beginning, objects))
    this.#readMetadata(opened)
  }

  async #awaitKlipper(opened: JsonRpcSocket, ask: Ask): Promise<void> {
    for (;;) {
      const info = await ask('server.info')
      if (isKlippyReady(info)) return
      const klippy = textIn(memberOf(info, 'klippy_state')) ?? 'disconnected'
      this.#socket = opened
      this.#change({ ...this.#picture, klippy, klippyMessage: await readKlippyMessage(ask, klippy) })
      await Promise.race([wait(STARTUP_POLL_MS * this.#options.waitFactor, this.signal), opened.closed])
    }
  }

  /** What the running file says about itself; without it only the remaining time is less exact. */
  #readMetadata(from: JsonRpcSocket): void {
    const fileName = fileNameOf(this.#picture)
    if (fileName === null || this.#picture.metadata?.fileName === fileName) return
    this.#picture = { ...this.#picture, metadata: { fileName, facts: undefined } }
    from.call('server.files.metadata', { filename: fileName }, QUESTION_TIMEOUT_MS, this.signal).then(
      (facts) => this.#change({ ...this.#picture, metadata: { fileName, facts } }),
      () => undefined,
    )
  }

  #onNotification(method: string, params: unknown): void {
    switch (method) {
      case 'notify_status_update':
        this.#recordKlipper()
        this.#change(mergeObjects(this.#picture, memberOf(params, 0)))
        if (this.#socket) this.#readMetadata(this.#socket)
        return
      case 'notify_history_changed':
        this.#change(mergeJob(this.#picture, memberOf(params, 0, 'job')))
        return
      case 'notify_gcode_response': {
        const line = textIn(memberOf(params, 0), 1_000)
        if (line !== null) this.#options.onLine(line)
        return
      }
      case 'notify_klippy_shutdown':
        this.#loseKlipper('shutdown')
        return
      case 'notify_klippy_disconnected':
        this.#loseKlipper('disconnected')
        return
      case 'notify_klippy_ready':
        // Everything may have changed, its objects included: start over.
        this.#socket?.close()
    }
  }

  #loseKlipper(klippy: 'shutdown' | 'disconnected'): void {
    this.#reading?.close()
    this.#change({ ...this.#picture, klippy })
  }

  #change(next: MoonrakerPicture): void {
    this.#picture = this.#historyWait.follow(next)
    this.#options.onChange()
  }
}

function socketAddress(base: URL): URL {
  const address = new URL('websocket', base)
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:'
  return address
}
