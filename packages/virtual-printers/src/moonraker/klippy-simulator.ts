import { createReadStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import type { PrintPlan, VirtualPrinter } from '../virtual-printer.ts'
import { updateEvery } from '../wire/update-timer.ts'
import { untilHeard } from '../wire/wire-server.ts'
import { createGcodeTurns } from './gcode-turns.ts'
import { GcodeError, runKlipperGcode } from './klipper-gcode.ts'
import {
  changedObjects,
  isRunActive,
  type KlipperObjects,
  type KlipperState,
  klipperInfo,
  klipperObjects,
  pickObjects as pick,
  type WantedObjects as Wanted,
  wantedObjectsOf as wantedOf,
} from './klipper-objects.ts'
import { createPrintStats } from './print-stats.ts'

interface KlippySimulatorOptions {
  printer: VirtualPrinter
  /** Socket at which Moonraker looks for Klipper. */
  socketPath: string
  /** Folder in which Moonraker puts the files that are to be printed. */
  gcodesFolder: string
  /** Plan that the printer would read out of a file. */
  planOf?: (fileName: string) => PrintPlan
}

/** Klipper as Moonraker sees it. */
export interface KlippySimulator {
  /** Klipper stops itself, as for a heater that does not heat. */
  shutDown(message: string): void
  /** What `FIRMWARE_RESTART` does: the connection is lost, and Klipper comes back with nothing loaded and all well. */
  restart(): Promise<void>
  /** Klipper was too slow for a while and closes what it takes for a dead connection; the print goes on. */
  dropClients(): void
  /** See `GcodeTurns`. */
  setLongGcode(isRunning: boolean): void
  /** See `GcodeTurns`. */
  setHeatingWaits(waits: boolean): void
  /** A person edits the configuration: the macros for filament are gone. */
  forgetMacros(): void
  close(): Promise<void>
}

type Params = Record<string, unknown>
type Template = Record<string, unknown>

interface Client {
  socket: Socket
  gone: AbortSignal
  /** The newest subscription replaces the one before. */
  subscription: { wanted: Wanted; template: Template; sent: KlipperObjects } | undefined
  outputTemplate: Template | undefined
}

/** Klipper looks four times a second for what changed. */
const UPDATE_INTERVAL_MS = 250
/** A machine whose link is silent may keep Klipper waiting. */
const CARRY_OUT_MS = 30_000
const END = '\u0003'
const MAX_REQUEST_BYTES = 1024 * 1024
const defaultPlan: PrintPlan = { printTimeSeconds: 600, layerCount: 50, nozzleTemp: 215, bedTemp: 60 }
const macros = ['gcode_macro LOAD_FILAMENT', 'gcode_macro UNLOAD_FILAMENT']

/**
 * The host software of a simulated printer behind its API server: JSON over a unix socket, each message ended by 0x03, as
 * Klipper's documentation of its API server tells. It is what Moonraker itself can be put in front of.
 */
export async function startKlippySimulator(options: KlippySimulatorOptions): Promise<KlippySimulator> {
  const { printer, socketPath, gcodesFolder, planOf = () => defaultPlan } = options
  const clients = new Set<Client>()
  let state: KlipperState = 'ready'
  let stateMessage = 'Printer is ready'
  let hasMacros = true
  let plan = defaultPlan
  const stats = createPrintStats(printer)
  const turns = createGcodeTurns(printer)

  const requireReady = () => {
    if (state !== 'ready') throw new GcodeError(stateMessage)
  }

  const takeTurn = async () => {
    requireReady()
    await turns.take()
    requireReady()
  }

  const objectsOf = (): KlipperObjects => {
    const report = printer.report()
    const facts = {
      state,
      stateMessage,
      printTimeSeconds: plan.printTimeSeconds,
      totalSeconds: stats.totalSeconds(report),
      isReset: stats.isReset(report),
    }
    const config = { virtual_sdcard: { path: gcodesFolder } }
    return { ...klipperObjects(report, facts), configfile: { config, settings: config } }
  }

  const respond = (line: string) => {
    for (const client of clients) {
      if (client.outputTemplate) send(client, { ...client.outputTemplate, params: { response: line } })
    }
  }

  const runLine = async (line: string, signal: AbortSignal): Promise<void> => {
    if (line === 'RESTART' || line === 'FIRMWARE_RESTART') return restart()
    await takeTurn()
    const resetFile = () => stats.reset()
    await runKlipperGcode(line, { printer, respond, printFile, resetFile, hasMacros: () => hasMacros }, signal)
  }

  const printFile = async (fileName: string, signal: AbortSignal) => {
    if (isRunActive(printer.report())) throw new GcodeError('SD busy')
    const path = join(gcodesFolder, fileName)
    const facts = await stat(path).catch(() => undefined)
    if (!facts?.isFile()) throw new GcodeError('Unable to open file')
    // After an error in a file's G-code Klipper is ready for the next print.
    printer.acknowledgeFault()
    // Moonraker has stored the file; the machine reads it from there.
    await printer.upload(fileName, facts.size, createReadStream(path), signal)
    plan = planOf(fileName)
    await printer.startPrint(fileName, plan, signal)
  }

  /** What Klipper does when a command fails: everybody hears it, and the asker is refused. */
  const orComplaint = async (work: Promise<void>): Promise<Params> => {
    try {
      await work
      return {}
    } catch (error) {
      respond(`!! ${error instanceof Error ? error.message : String(error)}`)
      throw error
    }
  }

  const methods: Record<string, (params: Params, client: Client) => unknown> = {
    info: () => ({
      state,
      state_message: stateMessage,
      ...klipperInfo,
      software_version: printer.report().firmware,
    }),
    list_endpoints: () => ({ endpoints: Object.keys(methods) }),
    'objects/list': () => ({ objects: [...Object.keys(objectsOf()), ...macros] }),
    'objects/query': (params) => ({ eventtime: now(), status: pick(objectsOf(), wantedOf(params)) }),
    'objects/subscribe': (params, client) => {
      const wanted = wantedOf(params)
      const sent = pick(objectsOf(), wanted)
      client.subscription = { wanted, template: templateOf(params), sent }
      return { eventtime: now(), status: sent }
    },
    'gcode/help': () => ({ LOAD_FILAMENT: 'G-Code macro', UNLOAD_FILAMENT: 'G-Code macro' }),
    'gcode/subscribe_output': (params, client) => {
      client.outputTemplate = templateOf(params)
      return {}
    },
    'gcode/script': async ({ script }, { gone }) => {
      for (const line of String(script).split('\n')) await orComplaint(runLine(line.trim(), gone))
      return {}
    },
    'pause_resume/pause': () => orComplaint(pauseRun()),
    'pause_resume/resume': () => orComplaint(resumeRun()),
    'pause_resume/cancel': () => orComplaint(cancelRun()),
    register_remote_method: () => ({}),
    emergency_stop: () => {
      shutDown('Shutdown due to webhooks request')
      return {}
    },
  }

  const pauseRun = async () => {
    await takeTurn()
    const signal = AbortSignal.timeout(CARRY_OUT_MS)
    const report = printer.report()
    if (report.activity === 'paused') return respond('// Print already paused')
    if (isRunActive(report)) await printer.pause(signal)
    else respond('// action:paused')
  }

  const resumeRun = async () => {
    await takeTurn()
    const signal = AbortSignal.timeout(CARRY_OUT_MS)
    if (printer.report().activity === 'paused') await printer.resume(signal)
    else respond('// Print is not paused, resume aborted')
  }

  const cancelRun = async () => {
    await takeTurn()
    const signal = AbortSignal.timeout(CARRY_OUT_MS)
    if (isRunActive(printer.report())) await printer.stop(signal)
    else respond('// action:cancel')
  }

  const answer = async (client: Client, text: string) => {
    const { id, method, params = {} } = JSON.parse(text) as { id?: number; method: string; params?: Params }
    let reply: Params
    try {
      await untilHeard(printer, client.gone)
      const run = Object.hasOwn(methods, method) ? methods[method] : undefined
      if (!run) throw new GcodeError(`webhooks: No registered callback for path '${method}'`)
      reply = { id, result: await run(params, client) }
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      reply = { id, error: { error: 'WebRequestError', message } }
    }
    if (id !== undefined) send(client, reply)
  }

  const server = createServer((socket) => {
    const gone = new AbortController()
    const client: Client = { socket, gone: gone.signal, subscription: undefined, outputTemplate: undefined }
    clients.add(client)
    let unread = ''
    socket.setEncoding('utf8')
    socket.on('error', () => socket.destroy())
    socket.on('close', () => {
      clients.delete(client)
      gone.abort(new Error('the asker has gone'))
    })
    socket.on('data', (piece: string) => {
      const messages = (unread + piece).split(END)
      unread = messages.pop() ?? ''
      if (unread.length > MAX_REQUEST_BYTES) return void socket.destroy()
      for (const message of messages) answer(client, message).catch(() => socket.destroy())
    })
  })

  const listen = () =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(socketPath, () => {
        server.off('error', reject)
        resolve()
      })
    })

  /** Klipper's own end removes its socket. */
  const hangUp = async () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    for (const { socket } of clients) socket.destroy()
    await closed
    await rm(socketPath, { force: true })
  }

  const shutDown = (message: string) => {
    state = 'shutdown'
    stateMessage = `${message}\nOnce the underlying issue is corrected, use the "FIRMWARE_RESTART" command`
    sendChanges()
  }

  const restart = async () => {
    await hangUp()
    if (isRunActive(printer.report()))
      await printer.stop(AbortSignal.timeout(UPDATE_INTERVAL_MS)).catch(() => undefined)
    stats.reset()
    state = 'ready'
    stateMessage = 'Printer is ready'
    await listen()
  }

  const sendChanges = () => {
    turns.look()
    const objects = objectsOf()
    for (const client of clients) {
      const { subscription } = client
      if (!subscription) continue
      const current = pick(objects, subscription.wanted)
      const changed = changedObjects(subscription.sent, current)
      subscription.sent = current
      if (Object.keys(changed).length === 0) continue
      send(client, { ...subscription.template, params: { eventtime: now(), status: changed } })
    }
  }

  await listen()
  const stopUpdates = updateEvery(printer, UPDATE_INTERVAL_MS, sendChanges)
  return {
    shutDown,
    restart,
    dropClients() {
      for (const { socket } of clients) socket.destroy()
    },
    setLongGcode: turns.setLongGcode,
    setHeatingWaits: turns.setHeatingWaits,
    forgetMacros() {
      hasMacros = false
    },
    async close() {
      stopUpdates()
      await hangUp()
    },
  }
}

function send({ socket }: Client, message: Params): void {
  if (!socket.destroyed) socket.write(JSON.stringify(message) + END)
}

const now = () => performance.now() / 1_000

function templateOf(params: Params): Template {
  const template = params.response_template
  return typeof template === 'object' && template !== null ? { ...template } : {}
}
