import { createHash, randomBytes } from 'node:crypto'
import { drawStill } from '../draw-still.ts'
import { type PrintPlan, type VirtualPrinter, VirtualPrinterError, type VirtualReport } from '../virtual-printer.ts'
import type { SimulatedCamera } from '../wire/camera-server.ts'
import { startWireServer, type WireAnswer, type WireRequest } from '../wire/wire-server.ts'

export interface PrusaLinkSimulatorOptions {
  printer: VirtualPrinter
  password: string
  /** PrusaLink on a Raspberry Pi, with this camera; left out: in the firmware of a Buddy board, which has none. */
  camera?: Pick<SimulatedCamera, 'mode'>
  /** 0 takes any free one. */
  port?: number
  /** What the printer would read out of an uploaded file. */
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
  const plans = new Map<string, PrintPlan>()
  const numbers = new Map<string, number>()
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
    try {
      if (camera && path === '/api/v1/cameras/snap') return await snap(camera, request.signal)
      if (request.method === 'GET') return read(path)
      if (camera && path.startsWith('/api/printer/')) return await heat(path.slice('/api/printer/'.length), request)
      if (path.startsWith('/api/v1/files/usb/'))
        return await changeFile(path.slice('/api/v1/files/usb/'.length), request)
      const job = /^\/api\/v1\/job\/(\d+)(?:\/(pause|resume))?$/.exec(path)
      if (job) return await changeJob(Number(job[1]), job[2], request)
    } catch (error) {
      if (!(error instanceof VirtualPrinterError)) throw error
      return failure(statuses[error.code] ?? 409, error.message)
    }
    return failure(404, 'Not found')
  }

  const read = (path: string): WireAnswer => {
    switch (path) {
      case '/api/version':
        return camera
          ? ok({ api: '2.0.0', server: '0.7.0', firmware: '3.14.0', sdk: '0.8.0', text: 'PrusaLink 0.7.0' })
          : ok({ api: '2.0.0', server: '2.1.2', nozzle_diameter: 0.4, hostname: 'prusa', text: 'PrusaLink' })
      case '/api/v1/info':
        return ok({ name: 'Original Prusa MK4S', serial: '10589-3742441630000001', nozzle_diameter: 0.4 })
      case '/api/printer':
        return ok({ telemetry: { material: 'PLA' }, state: { flags: { link_state: 'IDLE' } } })
      case '/api/v1/status':
        return ok(nextAnswer() ?? statusOf())
      case '/api/v1/job': {
        if (givenJob) return ok(givenJob)
        const report = printer.report()
        if (report.fileName === null || !isActive(report)) return { status: 204 }
        const name = shortName(report.fileName)
        return ok({ id: numberOf(report), file: { name, display_name: report.fileName, path: '/usb' } })
      }
      default:
        return failure(404, 'Not found')
    }
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
        return { status: 200, headers, body: Buffer.concat([drawStill(printer.report()), Buffer.alloc(3_000_000)]) }
      case 'works':
        return { status: 200, headers, body: drawStill(printer.report()) }
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
    if (method === 'PUT') {
      if (plans.has(name) && headers.overwrite !== '?1') return failure(409, 'File already exists')
      await printer.upload(name, body.length, piecesOf(body), signal)
      plans.set(name, planOf(name, body))
      return { status: 201 }
    }
    const plan = plans.get(name)
    if (!plan) return failure(404, 'File not found')
    const report = printer.report()
    if (method === 'DELETE') {
      if (isActive(report) && report.fileName === name) return failure(409, 'File is being printed')
      await printer.deleteFile(name, signal)
      plans.delete(name)
      return { status: 204 }
    }
    if (isActive(report)) return failure(409, 'Printer is busy')
    await printer.startPrint(name, plan, signal)
    return { status: 204 }
  }

  const changeJob = async (
    id: number,
    action: string | undefined,
    { method, signal }: WireRequest,
  ): Promise<WireAnswer> => {
    const report = printer.report()
    if (!isActive(report) || numberOf(report) !== id) return failure(404, 'No such job')
    if (method === 'DELETE') await printer.stop(signal)
    else if (action === 'pause' && report.activity !== 'paused') await printer.pause(signal)
    else if (action === 'resume' && report.activity === 'paused') await printer.resume(signal)
    else return failure(409, 'The printer is in the wrong state')
    return { status: 204 }
  }

  const statusOf = () => {
    const report = printer.report()
    return {
      ...(isActive(report) && {
        job: {
          id: numberOf(report),
          progress: Math.round(report.progress * 100),
          time_printing: 0,
          ...(report.remainingSeconds !== null && { time_remaining: Math.round(report.remainingSeconds) }),
        },
      }),
      storage: { path: '/usb/', name: 'usb', read_only: false },
      printer: {
        state: stateOf(report),
        temp_nozzle: report.nozzle.actual,
        target_nozzle: report.nozzle.target,
        temp_bed: report.bed.actual,
        target_bed: report.bed.target,
        flow: 100,
        speed: 100,
      },
    }
  }

  const numberOf = (report: VirtualReport): number => {
    const run = report.runId ?? ''
    const known = numbers.get(run) ?? numbers.size + 1
    numbers.set(run, known)
    return known
  }

  /** The refusal of a request without a valid login; undefined when it is welcome. */
  const authenticate = ({ method, url, headers }: WireRequest): WireAnswer | undefined => {
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

const md5 = (text: string) => createHash('md5').update(text).digest('hex')
const ok = (body: object): WireAnswer => ({ status: 200, body })
const failure = (status: number, text: string): WireAnswer => ({
  status,
  body: { code: '1', title: 'ERROR', text, url: '' },
})

/** As the drive keeps it: eight letters, a dot and three. */
function shortName(name: string): string {
  return `${name.replace(/[^A-Za-z0-9]/g, '').slice(0, 6)}~1.GCO`.toUpperCase()
}

function isActive(report: VirtualReport): boolean {
  return report.lastResult === null && report.runId !== null
}

function stateOf(report: VirtualReport): string {
  if (report.activity === 'fault' || report.lastResult === 'failed') return 'ERROR'
  if (!isActive(report)) {
    if (report.activity === 'changing_filament') return 'BUSY'
    return { completed: 'FINISHED', cancelled: 'STOPPED' }[String(report.lastResult)] ?? 'IDLE'
  }
  if (report.activity !== 'paused') return 'PRINTING'
  // It ran out of filament, and its screen asks for more.
  return report.message?.match(/filament/i) ? 'ATTENTION' : 'PAUSED'
}

async function* piecesOf(content: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += 65_536) yield content.subarray(at, at + 65_536)
}
