import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createSecureContext, TLSSocket } from 'node:tls'
import { Aedes, type AuthenticateError } from 'aedes'
import { type PrintPlan, type VirtualPrinter, VirtualPrinterError, type VirtualReport } from '../virtual-printer.ts'
import type { SimulatedCamera } from '../wire/camera-server.ts'
import { untilHeard } from '../wire/wire-server.ts'
import { type BambuModelName, bambuModels, changedFields, fullReport, type Subtask } from './bambu-report.ts'
import { startCameraPort } from './camera-port.ts'
import { type FtpsQuirks, FtpsRefusal, startFtpsServer } from './ftps-server.ts'
import { makePrinterCertificate } from './printer-certificate.ts'

export interface BambuSimulatorOptions {
  printer: VirtualPrinter
  serial: string
  accessCode: string
  model: BambuModelName
  /** Left out: the filament hangs on the external spool. */
  hasAms?: boolean
  /** 0 takes any free one. */
  mqttPort?: number
  ftpsPort?: number
  cameraPort?: number
  /** Plan that the printer would read out of an uploaded file. */
  planOf?: (fileName: string, content: Buffer) => PrintPlan
}

/**
 * Way in which commands from the network are taken. `off` says so in `fun` and answers nothing of use; `refusing` has no such
 * field and answers with a reason; `silent` has none and answers without a result.
 */
type DeveloperMode = 'on' | 'off' | 'refusing' | 'silent'

interface BambuSimulator {
  readonly mqttPort: number
  readonly ftpsPort: number
  /** Camera of the smaller models; the others stream video at another port. */
  readonly camera: SimulatedCamera
  /** PEM; its common name is the serial. */
  readonly certificate: string
  /** Every request that arrived, oldest first, as it was sent. */
  readonly requests: readonly Request[]
  readonly ftps: FtpsQuirks
  readonly ftpsCommands: readonly string[]
  /** The most files that its file server stored or removed at a time; real ones stumble over the second. */
  readonly mostFilesAtOnce: number
  /** Tears every open connection. */
  cut(): void
  /** Sends these bytes as a report. */
  sendRaw(payload: Buffer): void
  /** Sends a report with these fields of `print`. */
  sendFields(fields: Record<string, unknown>, msg?: 0 | 1): void
  setDeveloperMode(mode: DeveloperMode): void
  /** Requests are carried out, and neither acknowledged nor answered. */
  setDeaf(isDeaf: boolean): void
  /** Requests are carried out and answered, but their arrival is acknowledged no more, as busy brokers forget to. */
  setForgetsAcknowledgements(forgets: boolean): void
  /** So many starts from now on find that the file just stored is not closed yet, and are refused for it. */
  refuseUnsettled(starts: number): void
  /** A start that is taken from now on is not to be seen until this is over: the last result is shown meanwhile. */
  setStartsHidden(areHidden: boolean): void
  /** The names of a job that is started stand beside the end of the one before, as long as this is on. */
  setEndsLinger(doLinger: boolean): void
  /** Answers whether jobs that are started at the screen get a number of their own, as those of the maker's cloud do. Default: yes. */
  setHandPrintsNumbered(areNumbered: boolean): void
  /** Fields that the firmware reports in place of its own until further notice. */
  override(fields: Record<string, unknown>): void
  /** The printer shows another certificate from now on, as after a change of its mainboard. */
  replaceCertificate(): Promise<void>
  close(): Promise<void>
}

interface Request {
  group: string
  command: string
  fields: Record<string, unknown>
}

const reportIntervalMs = 250
const defaultPlan: PrintPlan = { printTimeSeconds: 600, layerCount: 50, nozzleTemp: 215, bedTemp: 60 }
/** How the file server answers what the machine refuses; 553 for all else. */
const ftpsCodes: Partial<Record<VirtualPrinterError['code'], number>> = { UPLOAD_BROKEN: 426, STORAGE_FULL: 552 }
const verifyFailed = { result: 'failed', reason: 'mqtt message verify failed', err_code: 84_033_543 }
const notClosed = { result: 'failed', reason: 'The storage cannot be read.', err_code: 0x0500_c010 }
const busy = { result: 'failed', reason: 'The printer is busy.', err_code: 0x0500_4004 }

/**
 * A Bambu Lab printer on the local network: MQTT 3.1.1 over TLS and FTP over implicit TLS behind one certificate, in front of a
 * firmware that is a simulated printer. It reports as its family does, keeps its last result, takes a start while it still
 * shows the last one as finished, and hangs when it is told of a tray that it does not have.
 */
export async function startBambuSimulator(options: BambuSimulatorOptions): Promise<BambuSimulator> {
  const { printer, serial, accessCode, hasAms = false, planOf = () => defaultPlan } = options
  const model = bambuModels[options.model]
  const plans = new Map<string, PrintPlan>()
  /** By the simulated machine's own name of the run. */
  const subtasks = new Map<string, Subtask>()
  const requests: Request[] = []
  const sockets = new Set<Socket>()
  const certificate = await makePrinterCertificate(serial)
  let secureContext = createSecureContext(tlsOptions(certificate))
  let developerMode: DeveloperMode = 'on'
  let isDeaf = false
  let forgetsAcknowledgements = false
  let unsettledStarts = 0
  let areStartsHidden = false
  let shownInstead: VirtualReport | undefined
  let hung: Subtask | undefined
  let overrides: Record<string, unknown> = {}
  let sequence = 0
  let lastSent: Record<string, unknown> | undefined
  let foreignRuns = 0
  let areHandPrintsNumbered = true
  let doEndsLinger = false
  let lingeringEnd: VirtualReport | undefined

  const subtaskOf = (runId: string | null, fileName: string | null): Subtask | null => {
    if (runId === null || fileName === null) return null
    const known = subtasks.get(runId)
    if (known) return known
    // Started at the screen: the firmware makes up a number of its own.
    foreignRuns += 1
    const id = areHandPrintsNumbered ? String(700_000_000 + foreignRuns) : '0'
    const made = { id, name: fileName, file: fileName }
    subtasks.set(runId, made)
    return made
  }

  const fieldsNow = () => {
    const report = shownInstead ?? printer.report()
    const subtask = hung ?? subtaskOf(report.runId, report.fileName)
    const fun = developerMode === 'off' ? '3EC1BFFF9CFF' : model.sendsDeltas ? null : '3EC19FFF9CFF'
    const shown = { model, report: lingeringEnd ?? report, subtask, hasAms, fun, isHung: hung !== undefined }
    return { ...fullReport(shown), ...overrides }
  }

  const broker = await Aedes.createBroker({
    preConnect: (client, _packet, done) => {
      untilHeard(printer, untilGone(client.conn)).then(
        () => done(null, true),
        () => done(null, false),
      )
    },
    authenticate: (_client, user, password, done) => {
      if (user === 'bblp' && password?.toString() === accessCode) return done(null, true)
      // The code of "not authorized".
      done(Object.assign(new Error('not authorized'), { returnCode: 5 }) as AuthenticateError, false)
    },
    authorizeSubscribe: (_client, subscription, done) => {
      done(null, subscription.topic === `device/${serial}/report` ? subscription : null)
    },
    authorizePublish: (client, packet, done) => {
      if (packet.topic !== `device/${serial}/request`) return done(new Error('this topic is not yours'))
      // What is passed on as sent at most once is not acknowledged.
      if (forgetsAcknowledgements) packet.qos = 0
      // A printer acknowledges on the wire before it looks at what it was sent. Deaf, it does not even do that.
      if (!isDeaf) done()
      if (client) hear(Buffer.from(packet.payload), untilGone(client.conn))
    },
  })

  const publish = (payload: Buffer) => {
    broker.publish(
      { cmd: 'publish', topic: `device/${serial}/report`, payload, qos: 0, retain: false, dup: false },
      () => undefined,
    )
  }
  const send = (message: object) => publish(Buffer.from(JSON.stringify(message)))
  const sendFields = (fields: Record<string, unknown>, msg?: 0 | 1) => {
    sequence += 1
    const envelope = { command: 'push_status', sequence_id: String(sequence), ...(msg !== undefined && { msg }) }
    send({ print: { ...fields, ...envelope } })
  }
  const sendEverything = () => {
    lastSent = fieldsNow()
    sendFields(lastSent, 0)
  }

  const hear = (payload: Buffer, signal: AbortSignal) => {
    // One message may ask for several things, each under a group of its own.
    for (const [group, fields] of Object.entries(JSON.parse(payload.toString()) as object)) {
      if (typeof fields !== 'object' || fields === null) continue
      const request = { group, command: String(fields.command), fields: fields as Record<string, unknown> }
      requests.push(request)
      respond(request, signal).catch((error: unknown) => {
        if (!signal.aborted) throw error
      })
    }
  }

  const respond = async ({ group, command, fields }: Request, signal: AbortSignal) => {
    await untilHeard(printer, signal)
    const answerWith = (more: object) => {
      if (!isDeaf) send({ [group]: { command, sequence_id: fields.sequence_id, ...more } })
    }
    if (group === 'pushing') return sendEverything()
    if (group === 'info') {
      const module = [
        { name: 'ota', sw_ver: printer.report().firmware, sn: serial, product_name: model.productName },
        { name: 'mc', sw_ver: '00.00.30.57', sn: '' },
      ]
      return answerWith({ module })
    }
    if (group === 'upgrade' && command === 'get_history') return answerWith({ firmware_optional: [] })
    if (developerMode === 'refusing') return answerWith(verifyFailed)
    if (developerMode !== 'on') return answerWith({})
    answerWith(await carryOut(group, command, fields, signal).catch(refusalOf))
  }

  const carryOut = async (group: string, command: string, fields: Record<string, unknown>, signal: AbortSignal) => {
    const done = { result: 'success', reason: 'success' }
    switch (`${group}.${command}`) {
      case 'print.pause':
        await printer.pause(signal)
        return done
      case 'print.resume':
        await printer.resume(signal)
        return done
      case 'print.stop':
        hung = undefined
        await printer.stop(signal)
        return done
      case 'print.clean_print_error':
        // Closes the dialogue on the screen; where none is open there is nothing to close.
        if (!isActive(printer.report())) await printer.stop(signal).catch(() => undefined)
        return done
      case 'print.gcode_line':
        for (const line of String(fields.param).split('\n')) await runGcode(line, signal)
        return done
      case 'system.ledctrl':
        if (fields.led_node === 'chamber_light') await printer.setLight(fields.led_mode === 'on', signal)
        return done
      case 'print.ams_change_filament':
        await (fields.target === 255 ? printer.unloadFilament(signal) : printer.loadFilament(signal))
        return done
      case 'print.unload_filament':
        await printer.unloadFilament(signal)
        return done
      case 'print.project_file': {
        const name = String(fields.url).replace(/^ftp:\/\/\//, '')
        return begin(name, fields, signal)
      }
      case 'print.gcode_file':
        return begin(String(fields.param).replace(/^\//, ''), null, signal)
      default:
        return { result: 'failed', reason: 'unknown command' }
    }
  }

  const begin = async (fileName: string, project: Record<string, unknown> | null, signal: AbortSignal) => {
    const before = printer.report()
    if (isActive(before) || hung) return busy
    if (unsettledStarts > 0) {
      unsettledStarts -= 1
      return notClosed
    }
    // A job that is started from plain G-code keeps no number that its sender chose.
    const id = String(project?.subtask_id ?? '0')
    const name = String(project?.subtask_name ?? fileName.replace(/\.gcode(\.3mf)?$/, ''))
    const subtask = { id, name, file: fileName }
    const mapping = Array.isArray(project?.ams_mapping) ? project.ams_mapping : []
    if (mapping.some((tray) => !isTray(tray))) {
      hung = subtask
      return { result: 'success', reason: 'success' }
    }
    const { runId } = await printer.startPrint(fileName, plans.get(fileName) ?? defaultPlan, signal)
    subtasks.set(runId, subtask)
    if (areStartsHidden) shownInstead = before
    if (doEndsLinger) lingeringEnd = before
    return { result: 'success', reason: 'success' }
  }

  const isTray = (tray: unknown) => tray === -1 || (typeof tray === 'number' && hasAms && tray >= 0 && tray < 4)

  const runGcode = async (line: string, signal: AbortSignal) => {
    const target = Number(/ S(\d+)/.exec(line)?.[1])
    if (line.startsWith('M104 ')) await printer.setTargets({ nozzle: target }, signal)
    if (line.startsWith('M140 ')) await printer.setTargets({ bed: target }, signal)
    if (line.startsWith('M141 ')) await printer.setTargets({ chamber: target }, signal)
  }

  const server = createServer((raw) => {
    sockets.add(raw)
    raw.on('error', () => raw.destroy())
    raw.on('close', () => sockets.delete(raw))
    const secure = new TLSSocket(raw, { isServer: true, secureContext })
    secure.on('error', () => raw.destroy())
    broker.handle(secure)
  })
  await listen(server, options.mqttPort ?? 0)
  const camera = await startCameraPort(printer, accessCode, tlsOptions(certificate), options.cameraPort)

  const ftps = await startFtpsServer({
    ...certificate,
    user: 'bblp',
    password: accessCode,
    port: options.ftpsPort ?? 0,
    store: {
      async store(fileName, content, signal) {
        const parts: Uint8Array[] = []
        for await (const part of content) parts.push(part)
        const whole = Buffer.concat(parts)
        try {
          await printer.upload(fileName, whole.length, piecesOf(whole), signal)
        } catch (error) {
          if (!(error instanceof VirtualPrinterError)) throw error
          throw new FtpsRefusal(ftpsCodes[error.code] ?? 553, error.message)
        }
        plans.set(fileName, planOf(fileName, whole))
      },
      remove: (fileName, signal) => printer.deleteFile(fileName, signal),
      list: (signal) => printer.listFiles(signal),
      untilHeard: (signal) => untilHeard(printer, signal),
    },
  })

  let isAsking = false
  const timer = setInterval(() => {
    if (isAsking) return
    isAsking = true
    untilHeard(printer, AbortSignal.timeout(reportIntervalMs * 2))
      .then(() => {
        const now = fieldsNow()
        // The strength of the radio always changes a little: a printer that is well is never silent for long.
        if (model.sendsDeltas) sendFields({ ...changedFields(lastSent ?? {}, now), wifi_signal: '-54dBm' }, 1)
        else sendFields(now, 0)
        lastSent = now
      })
      .catch(() => undefined)
      .finally(() => {
        isAsking = false
      })
  }, reportIntervalMs)

  const cut = () => {
    for (const socket of sockets) socket.destroy()
    ftps.cut()
  }
  return {
    mqttPort: (server.address() as AddressInfo).port,
    ftpsPort: ftps.port,
    camera,
    certificate: certificate.cert,
    requests,
    ftps: ftps.quirks,
    ftpsCommands: ftps.commands,
    get mostFilesAtOnce() {
      return ftps.mostAtOnce
    },
    cut,
    sendRaw: publish,
    sendFields,
    setDeveloperMode(mode) {
      developerMode = mode
    },
    setDeaf(deaf) {
      isDeaf = deaf
    },
    setForgetsAcknowledgements(forgets) {
      forgetsAcknowledgements = forgets
    },
    refuseUnsettled(starts) {
      unsettledStarts = starts
    },
    setStartsHidden(areHidden) {
      areStartsHidden = areHidden
      if (!areHidden) shownInstead = undefined
    },
    setEndsLinger(doLinger) {
      doEndsLinger = doLinger
      if (!doLinger) lingeringEnd = undefined
    },
    setHandPrintsNumbered(areNumbered) {
      areHandPrintsNumbered = areNumbered
    },
    override(fields) {
      overrides = fields
    },
    async replaceCertificate() {
      secureContext = createSecureContext(tlsOptions(await makePrinterCertificate(serial)))
      cut()
    },
    async close() {
      clearInterval(timer)
      cut()
      await Promise.all([ftps.close(), camera.close()])
      await new Promise<void>((resolve) => broker.close(() => resolve()))
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

/** What the brokers of real printers offer. */
function tlsOptions({ key, cert }: { key: string; cert: string }) {
  return {
    key,
    cert,
    minVersion: 'TLSv1.2',
    maxVersion: 'TLSv1.2',
    ciphers: 'AES256-GCM-SHA384:AES128-GCM-SHA256',
  } as const
}

function isActive(report: VirtualReport): boolean {
  return report.lastResult === null && report.runId !== null
}

function refusalOf(error: unknown) {
  if (!(error instanceof VirtualPrinterError)) throw error
  return error.code === 'BUSY' ? busy : { result: 'FAILED', reason: error.message }
}

function untilGone(connection: { once(event: 'close', listener: () => void): unknown }): AbortSignal {
  const gone = new AbortController()
  connection.once('close', () => gone.abort(new Error('the client has gone')))
  return gone.signal
}

function listen(server: ReturnType<typeof createServer>, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
}

async function* piecesOf(content: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += 65_536) yield content.subarray(at, at + 65_536)
}
