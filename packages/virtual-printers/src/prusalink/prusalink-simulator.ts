import { createHash, randomBytes } from 'node:crypto'
import { drawStill } from '../draw-still.ts'
import { type PrintPlan, type VirtualPrinter, VirtualPrinterError } from '../virtual-printer.ts'
import type { SimulatedCamera } from '../wire/camera-server.ts'
import { piecesOf, startWireServer, type WireAnswer, type WireRequest } from '../wire/wire-server.ts'
import { createDrive, describeFile, describeFolder, describeOlder } from './prusalink-drive.ts'
import {
  describeJob,
  describeOlderJob,
  describeOlderPrinter,
  describeStatus,
  isActive,
  type ScreenState,
} from './prusalink-words.ts'

interface PrusaLinkSimulatorOptions {
  printer: VirtualPrinter
  /** Password of the user `maker`; older firmware also takes it as a key. */
  password: string
  /** The number of the last print before all that the printer knows of, as its EEPROM keeps it. Default: 117. */
  lastJobId?: number
  /** PrusaLink on a Raspberry Pi, with this camera; left out: in the firmware of a Buddy board, which has none. */
  camera?: Pick<SimulatedCamera, 'mode'>
  /** 0 takes any free one. */
  port?: number
  /** Plan that the printer would read out of an uploaded file. */
  planOf?: (fileName: string, content: Buffer) => PrintPlan
}

export interface PrusaLinkSimulator {
  readonly port: number
  /** Bodies of uploads that arrived without a valid login: each is time lost on a slow board. */
  readonly wastedUploads: number
  /** The most requests that it had to serve at a time, and the connections that it holds now: a board has few of either. */
  readonly mostAtOnce: number
  readonly openConnections: number
  /** Tears every open connection. */
  cut(): void
  /**
   * The next status is this instead of the true one, and its job is `job` if that is given; resolves when it was asked for. The
   * status after it comes behind all that were given before.
   */
  answerOnce(status: unknown, job?: object): Promise<void>
  /** An upload that begins is taken and not read as long as this is set, as by a board that hangs. */
  holdsUploads: boolean
  /** What its screen does; a print that begins opens what was closed. */
  readonly screen: ScreenState
  /** The next order to print is answered with 409 although it takes effect. */
  refusesNextStart: boolean
  /** Uploads that were taken and not read. */
  readonly heldUploads: number
  /** All nonces given so far are stale from now on. */
  expireNonces(): void
  close(): Promise<void>
}

const realm = 'Printer API'
const user = 'maker'
const defaultPlan: PrintPlan = { printTimeSeconds: 600, layerCount: 50, nozzleTemp: 215, bedTemp: 60 }

/**
 * PrusaLink as the firmware of Buddy boards serves it: HTTP Digest, the v1 calls, one storage on USB, names shortened on the
 * drive, job numbers that grow, and 409 without more words when the printer does not want to.
 */
export async function startPrusaLinkSimulator(options: PrusaLinkSimulatorOptions): Promise<PrusaLinkSimulator> {
  const { printer, password, camera, port = 0, planOf = () => defaultPlan } = options
  const { lastJobId = 117 } = options
  const drive = createDrive()
  const screen: ScreenState = { isAsking: false, isPausing: false, isClosed: false, hidesLongNames: false }
  let closedAfter: number | undefined
  const answers: { status: unknown; job: object | undefined; heard(): void }[] = []
  /** The job of the status that was answered last, when that was not the true one. */
  let givenJob: object | undefined
  let nonces = new Set<string>()
  let wastedUploads = 0
  let holdsUploads = false
  let heldUploads = 0
  const held: (() => void)[] = []

  const answer = async (request: WireRequest): Promise<WireAnswer> => {
    const refusal = authenticate(request)
    if (refusal) {
      if (request.method === 'PUT' && request.body.length > 0) wastedUploads += 1
      return refusal
    }
    const path = decodeURIComponent(request.url.pathname)
    openScreen()
    try {
      if (camera && path === '/api/v1/cameras/snap') return await snap(camera, request.signal)
      const job = /^\/api\/v1\/job\/(\d+)(?:\/(\w+))?$/.exec(path)
      if (job) return await changeJob(Number(job[1]), job[2], request)
      const file = /^\/api\/v1\/files\/usb\/+(.+)$/.exec(path)?.[1]
      if (request.method === 'GET' || request.method === 'HEAD') {
        return file === undefined ? read(path) : readFile(file)
      }
      if (camera && path.startsWith('/api/printer/')) return await heat(path.slice('/api/printer/'.length), request)
      if (file !== undefined) return await changeFile(file, request)
    } catch (error) {
      if (!(error instanceof VirtualPrinterError)) throw error
      return failure(statuses[error.code] ?? 409, error.message)
    }
    return failure(404, 'Not found')
  }

  /** What a person closed stays closed until the next print. */
  const openScreen = () => {
    const number = newestJob()
    if (screen.isClosed && closedAfter === undefined) closedAfter = number
    if (closedAfter !== undefined && number > closedAfter) {
      screen.isClosed = false
      closedAfter = undefined
    }
  }

  /** Counts every print, no matter who began it, over power cuts too. */
  const newestJob = () => lastJobId + printer.events.filter(({ kind }) => kind === 'started').length

  const read = (path: string): WireAnswer => {
    const report = printer.report()
    const picture = /^\/thumb\/[sl]\/usb\/(.+)$/.exec(path)?.[1]
    const download = /^\/usb\/(.+)$/.exec(path)?.[1]
    if (picture !== undefined) {
      if (!drive.find(picture)) return failure(404, 'File not found')
      return { status: 200, headers: { 'content-type': 'image/png' }, body: onePixel }
    }
    if (download !== undefined) {
      const file = drive.find(download)
      if (!file) return failure(404, 'File not found')
      return { status: 200, headers: { 'content-type': 'text/x.gcode' }, body: file.content }
    }
    switch (path) {
      case '/api/version':
        return camera
          ? ok({
              api: '2.0.0',
              server: '0.7.0',
              firmware: '3.14.0',
              sdk: '0.8.0',
              text: 'PrusaLink 0.7.0',
              capabilities,
            })
          : ok({
              api: '2.0.0',
              server: '2.1.2',
              nozzle_diameter: 0.4,
              text: 'PrusaLink',
              hostname: 'prusa',
              capabilities,
            })
      case '/api/v1/info':
        return ok({
          name: 'Original Prusa MK4S',
          serial: '10589-3742441630000001',
          nozzle_diameter: 0.4,
          mmu: false,
          hostname: 'prusa',
          min_extrusion_temp: 170,
        })
      case '/api/v1/storage':
        return ok({
          storage_list: [{ path: '/usb', name: 'usb', type: 'USB', read_only: false, available: true }],
        })
      case '/api/v1/files/usb':
      case '/api/v1/files/usb/':
        return ok(describeFolder(drive.files()))
      case '/api/files':
        return ok(describeOlder(drive.files()))
      case '/api/v1/transfer':
        return { status: 204 }
      case '/api/printer':
        return ok(describeOlderPrinter(report, screen))
      case '/api/job':
        return ok(describeOlderJob(report, screen, drive))
      case '/api/v1/status':
        return ok(nextAnswer() ?? describeStatus(report, screen, newestJob()))
      case '/api/v1/job': {
        const job = givenJob ?? describeJob(report, screen, newestJob(), drive)
        return job ? ok(job) : { status: 204 }
      }
      default:
        return failure(404, 'Not found')
    }
  }

  const readFile = (name: string): WireAnswer => {
    const file = drive.find(name)
    if (!file) return failure(404, 'File not found')
    const report = printer.report()
    const isPrinted = isActive(report) && report.fileName === file.longName
    const headers = { 'read-only': '?0', 'currently-printed': isPrinted ? '?1' : '?0' }
    return { ...ok(describeFile(file)), headers }
  }

  const snap = async ({ mode }: Pick<SimulatedCamera, 'mode'>, signal: AbortSignal): Promise<WireAnswer> => {
    const headers = { 'content-type': 'image/jpeg' }
    switch (mode) {
      case 'refuses':
        return { status: 403 }
      case 'half_dead':
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
        return { status: 503 }
      case 'not_a_picture':
        return { status: 200, headers, body: 'no picture' }
      case 'oversize':
        return { status: 200, headers, body: Buffer.concat([drawStill(printer), Buffer.alloc(3_000_000)]) }
      case 'works':
        return { status: 200, headers, body: drawStill(printer) }
    }
  }

  const heat = async (part: string, { body, signal }: WireRequest): Promise<WireAnswer> => {
    const { target, targets } = JSON.parse(body.toString()) as { target?: number; targets?: { tool0?: number } }
    const wanted = part === 'tool' ? { nozzle: targets?.tool0 } : { bed: target }
    if (Object.values(wanted).some((value) => typeof value !== 'number')) return failure(400, 'Invalid target')
    await printer.setTargets(wanted as Record<string, number>, signal)
    return { status: 204 }
  }

  const nextAnswer = (): object | undefined => {
    const next = answers.shift()
    givenJob = next?.job
    next?.heard()
    return next?.status as object | undefined
  }

  const changeFile = async (name: string, { method, body, headers, signal }: WireRequest): Promise<WireAnswer> => {
    const known = drive.find(name)
    if (method === 'PUT') {
      if (known && headers.overwrite !== '?1') return failure(409, 'File already exists')
      const longName = known?.longName ?? name
      await printer.upload(longName, body.length, piecesOf(body), signal)
      const file = drive.put(longName, body, planOf(longName, body))
      // The file stays where it is when the print cannot begin.
      if (headers['print-after-upload'] === '?1') await start(file.longName, file.plan, signal)
      return { status: 201, body: describeFile(file) }
    }
    if (!known) return failure(404, 'File not found')
    const { longName, plan } = known
    if (method === 'DELETE') {
      const report = printer.report()
      if (isActive(report) && report.fileName === longName) return failure(409, 'File is being printed')
      await printer.deleteFile(longName, signal)
      drive.remove(known)
      return { status: 204 }
    }
    if (method !== 'POST') return failure(405, 'Method not allowed')
    await start(longName, plan, signal)
    return { status: 204 }
  }

  const start = async (longName: string, plan: PrintPlan, signal: AbortSignal) => {
    if (isActive(printer.report())) throw new VirtualPrinterError('BUSY', 'Printer is busy')
    await printer.startPrint(longName, plan, signal)
    if (!simulator.refusesNextStart) return
    simulator.refusesNextStart = false
    throw new VirtualPrinterError('BUSY', "Can't print right now")
  }

  /** The number is compared before anything else: the wrong one is not found, whatever is asked of it. */
  const changeJob = async (
    id: number,
    action: string | undefined,
    { method, signal }: WireRequest,
  ): Promise<WireAnswer> => {
    // PrusaLink on a Raspberry Pi looks at the method first.
    if (camera && method === 'GET') return failure(405, 'Method not allowed')
    if (id !== newestJob()) return failure(404, 'No such job')
    const report = printer.report()
    if (method === 'DELETE') await printer.stop(signal)
    else if (method !== 'PUT') return failure(405, 'Method not allowed')
    else if (action === 'pause' && isActive(report) && report.activity !== 'paused') await printer.pause(signal)
    else if (action === 'resume' && report.activity === 'paused') await printer.resume(signal)
    else return failure(action === 'pause' || action === 'resume' ? 409 : 400, 'The printer is in the wrong state')
    return { status: 204 }
  }

  /** The refusal of a request without a valid login; undefined when it is welcome. */
  const authenticate = ({ method, url, headers }: WireRequest): WireAnswer | undefined => {
    if (headers['x-api-key'] === password) return undefined
    const given = headers.authorization ?? ''
    const field = (name: string) => new RegExp(`\\b${name}="?([^",]*)"?`).exec(given)?.[1] ?? ''
    const secret = md5(`${user}:${realm}:${password}`)
    const asked = md5(`${method}:${field('uri')}`)
    const expected = md5(`${secret}:${field('nonce')}:${field('nc')}:${field('cnonce')}:auth:${asked}`)
    const isRight = field('response') === expected && field('uri') === url.pathname + url.search
    const isFresh = nonces.has(field('nonce'))
    if (given.startsWith('Digest ') && isRight && isFresh) return undefined
    // The same nonce as long as it is good, so that a wrong password can be told from a new challenge.
    const nonce = isFresh ? field('nonce') : randomBytes(16).toString('hex')
    nonces.add(nonce)
    const stale = isRight && !isFresh ? ', stale=true' : ''
    const challenge = `Digest realm="${realm}", qop="auth", algorithm=MD5, nonce="${nonce}"${stale}`
    return { ...failure(401, 'Unauthorized'), headers: { 'www-authenticate': challenge } }
  }

  const untilRead = ({ method }: { method?: string | undefined }) => {
    if (method !== 'PUT' || !holdsUploads) return undefined
    heldUploads += 1
    return new Promise<void>((resolve) => held.push(resolve))
  }
  const wire = await startWireServer(printer, port, answer, untilRead)
  const simulator: PrusaLinkSimulator = {
    screen,
    refusesNextStart: false,
    get holdsUploads() {
      return holdsUploads
    },
    set holdsUploads(holds) {
      holdsUploads = holds
      if (!holds) for (const release of held.splice(0)) release()
    },
    get heldUploads() {
      return heldUploads
    },
    port: wire.port,
    get wastedUploads() {
      return wastedUploads
    },
    get mostAtOnce() {
      return wire.mostAtOnce
    },
    get openConnections() {
      return wire.openConnections
    },
    cut: wire.cut,
    answerOnce: (status, job) => new Promise((heard) => answers.push({ status, job, heard })),
    expireNonces() {
      nonces = new Set()
    },
    close: wire.close,
  }
  return simulator
}

/** How the printer answers what the machine refuses; 409 for all else. */
const statuses: Partial<Record<VirtualPrinterError['code'], number>> = {
  NO_SUCH_FILE: 404,
  UPLOAD_BROKEN: 500,
  STORAGE_FULL: 507,
}

const capabilities = { 'upload-by-put': true }
/** A picture of a file, as PNG. */
const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGD4DwABBAEAX+XDSwAAAABJRU5ErkJggg==',
  'base64',
)
const md5 = (text: string) => createHash('md5').update(text).digest('hex')
const ok = (body: object): WireAnswer => ({ status: 200, body })
const failure = (status: number, text: string): WireAnswer => ({
  status,
  body: { code: '1', title: 'ERROR', text, url: '' },
})
