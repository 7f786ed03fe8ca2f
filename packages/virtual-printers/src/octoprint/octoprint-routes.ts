import { type PrintPlan, type VirtualPrinter, VirtualPrinterError } from '../virtual-printer.ts'
import { piecesOf, type WireAnswer, type WireRequest } from '../wire/wire-server.ts'
import type { OctoPrintFiles } from './octoprint-files.ts'
import type { OctoPrintHost } from './octoprint-host.ts'
import { connectionOf, profileOf, temperaturesOf } from './octoprint-words.ts'

interface OctoPrintRoutesOptions {
  printer: VirtualPrinter
  files: OctoPrintFiles
  host: OctoPrintHost
  planOf(fileName: string, content: Buffer): PrintPlan
  webcam: object
  disk: { total: number; free(): number }
  login(): object
}

/** Answers a call below `/api`; undefined where OctoPrint has none. `base` is its own address, as links in answers have it. */
type OctoPrintRoute = (request: WireRequest, path: string, base: string) => Promise<WireAnswer | undefined>

type Body = Record<string, unknown>

/** The REST calls of OctoPrint that clients of printers use. */
export function createOctoPrintRoutes(options: OctoPrintRoutesOptions): OctoPrintRoute {
  const { printer, files, host, planOf, webcam, disk, login } = options

  return async (request, path, base) => {
    const { method } = request
    const [, area, ...rest] = path.split('/').slice(1)
    if (!path.startsWith('/api/')) return undefined
    switch (area) {
      case 'version':
        return ok({ api: '0.1', server: '1.11.8', text: 'OctoPrint 1.11.8' })
      case 'server':
        return ok({ version: '1.11.8', safemode: null })
      case 'settings':
        return ok({ webcam: { webcamEnabled: true, snapshotUrl: '', ...webcam } })
      case 'login':
        return ok(login())
      case 'currentuser':
        return ok({ name: 'hub', permissions: [], groups: ['users', 'admins'] })
      case 'connection':
        return method === 'GET' ? ok(connectionOf(host.state().text, host.line)) : connect(bodyOf(request))
      case 'printerprofiles':
        return profiles(rest[0], base)
      case 'job': {
        const { text, error } = host.state()
        return method === 'GET' ? ok({ ...host.job(), state: text, ...(error && { error }) }) : runJob(request)
      }
      case 'printer':
        return method === 'GET' ? readPrinter(rest[0], request.url) : commandPrinter(rest[0], request)
      case 'files':
        return answerFiles(request, rest, base)
      default:
        return undefined
    }
  }

  function connect({ command }: Body): WireAnswer {
    if (command === 'connect') host.connect()
    else if (command === 'disconnect') host.disconnect()
    else if (command !== 'fake_ack') return failure(400, 'Unknown command')
    return done
  }

  function profiles(id: string | undefined, base: string): WireAnswer | undefined {
    const profile = profileOf('Generic RepRap Printer', printer.report().chamber !== null, base)
    if (id === undefined) return ok({ profiles: { _default: profile } })
    return id === '_default' ? ok(profile) : undefined
  }

  async function runJob(request: WireRequest): Promise<WireAnswer> {
    const { command, action = 'toggle' } = bodyOf(request)
    if (host.line.kind !== 'open') return failure(409, 'Printer is not operational')
    if (command === 'start') await host.startSelected(request.signal)
    else if (command === 'cancel') await host.cancel(request.signal)
    else if (command === 'pause' && (action === 'pause' || action === 'resume' || action === 'toggle')) {
      await host.pause(action, request.signal)
    } else return failure(400, 'Unknown command')
    return done
  }

  function readPrinter(part: string | undefined, url: URL): WireAnswer | undefined {
    if (host.line.kind !== 'open') return failure(409, 'Printer is not operational')
    const { tool0, bed, chamber } = temperaturesOf(printer.report())
    switch (part) {
      case undefined: {
        const excluded = (url.searchParams.get('exclude') ?? '').split(',')
        const whole = {
          temperature: { tool0, bed, ...(chamber && { chamber }) },
          sd: { ready: true },
          state: host.state(),
        }
        return ok(Object.fromEntries(Object.entries(whole).filter(([name]) => !excluded.includes(name))))
      }
      case 'tool':
        return ok({ tool0 })
      case 'bed':
        return ok({ bed })
      case 'chamber':
        return chamber ? ok({ chamber }) : failure(409, 'Printer does not have a heated chamber')
      case 'sd':
        return ok({ ready: true })
      default:
        return undefined
    }
  }

  async function commandPrinter(part: string | undefined, request: WireRequest): Promise<WireAnswer | undefined> {
    const { signal } = request
    const body = bodyOf(request)
    if (host.line.kind !== 'open') return failure(409, 'Printer is not operational')
    if (part === 'command') return runGcode(body, signal)
    if (part === 'sd') return done
    if (part === 'printhead' || body.command === 'extrude') {
      return host.state().flags.printing ? failure(409, 'Printer is currently printing') : done
    }
    if (part === 'chamber' && printer.report().chamber === null) {
      return failure(409, 'Printer does not have a heated chamber')
    }
    if (part !== 'tool' && part !== 'bed' && part !== 'chamber') return undefined
    if (body.command !== 'target') return done
    const target = part === 'tool' ? (body.targets as { tool0?: unknown } | undefined)?.tool0 : body.target
    if (typeof target !== 'number') return failure(400, 'Invalid target')
    await printer.setTargets({ [part === 'tool' ? 'nozzle' : part]: target }, signal)
    return done
  }

  async function runGcode(body: Body, signal: AbortSignal): Promise<WireAnswer> {
    const commands = (Array.isArray(body.commands) ? body.commands : [body.command]).map(String)
    if (commands.includes('M112')) host.stopForEmergency()
    if (commands.some((line) => line.startsWith('M355'))) await printer.setLight(commands.includes('M355 S1'), signal)
    if (commands.includes('M701')) await printer.loadFilament(signal)
    if (commands.includes('M702')) await printer.unloadFilament(signal)
    return done
  }

  async function answerFiles(request: WireRequest, [origin, ...parts]: string[], base: string) {
    const { method, signal } = request
    const name = parts.join('/')
    if (name === '' && method === 'GET') {
      if (origin === 'sdcard') return ok({ files: [] })
      return ok({ files: files.list(base), free: disk.free(), total: disk.total })
    }
    if (origin !== 'local') return undefined
    if (name === '') return upload(request, base)
    if (!files.find(name)) return failure(404, 'File not found')
    if (method === 'GET') return ok(files.describe(name, base) ?? {})
    if (method === 'POST') return commandFile(name, bodyOf(request), signal)
    if (host.isPrinting(name)) return failure(409, 'Trying to delete file that is currently in use')
    await printer.deleteFile(name, signal)
    host.deselect(name)
    files.remove(name)
    return done
  }

  async function commandFile(name: string, body: Body, signal: AbortSignal): Promise<WireAnswer> {
    const { command, print, destination } = body
    if (command === 'select') await host.select(name, print === true || print === 'true', signal)
    else if (command === 'unselect') host.deselect(name)
    else if ((command === 'copy' || command === 'move') && typeof destination === 'string') {
      const size = files.find(name)?.size ?? 0
      await printer.upload(destination, size, piecesOf(Buffer.alloc(size)), signal)
      files.copy(name, destination)
      if (command === 'copy') return { status: 201, body: { name: destination, path: destination, origin: 'local' } }
      await printer.deleteFile(name, signal)
      host.deselect(name)
      files.remove(name)
      return { status: 201, body: { name: destination, path: destination, origin: 'local' } }
    } else return failure(400, 'Unknown command')
    return done
  }

  async function upload(request: WireRequest, base: string): Promise<WireAnswer> {
    const form = await new Response(new Uint8Array(request.body), {
      headers: { 'content-type': request.headers['content-type'] ?? '' },
    })
      .formData()
      .catch(() => undefined)
    const file = form?.get('file')
    if (!form || !(file instanceof File)) return failure(400, 'No file to upload and no folder to create')
    if (!/\.(gcode|gco|g)$/i.test(file.name)) return failure(415, 'File extension not allowed')
    if (host.isPrinting(file.name)) return failure(409, 'Trying to overwrite file that is currently in use')
    const content = Buffer.from(await file.arrayBuffer())
    if (content.length > disk.free()) throw new Error('its disk is full: it hangs up')
    await printer.upload(file.name, content.length, piecesOf(content), request.signal)
    files.put(file.name, content, planOf(file.name, content))
    const wantsPrint = form.get('print') === 'true'
    const isFree = host.state().flags.ready
    const effectivePrint = wantsPrint && isFree
    const effectiveSelect = isFree && (wantsPrint || form.get('select') === 'true')
    if (effectiveSelect) await host.select(file.name, effectivePrint, request.signal)
    const refs = {
      download: `${base}downloads/files/local/${file.name}`,
      resource: `${base}api/files/local/${file.name}`,
    }
    const stored = { name: file.name, origin: 'local', path: file.name, refs }
    return { status: 201, body: { done: true, effectivePrint, effectiveSelect, files: { local: stored } } }
  }
}

function bodyOf(request: WireRequest): Body {
  try {
    return JSON.parse(request.body.toString() || '{}') as Body
  } catch (error) {
    throw new VirtualPrinterError('UPLOAD_BROKEN', `Malformed JSON body in request: ${String(error)}`)
  }
}

const ok = (body: object): WireAnswer => ({ status: 200, body })
const done: WireAnswer = { status: 204 }
const failure = (status: number, error: string): WireAnswer => ({ status, body: { error } })
