import { createHash } from 'node:crypto'
import { type WebSocket, WebSocketServer } from 'ws'
import { type PrintPlan, type VirtualPrinter, VirtualPrinterError, type VirtualReport } from '../virtual-printer.ts'
import { updateEvery } from '../wire/update-timer.ts'
import { piecesOf, startWireServer, untilHeard, type WireAnswer, type WireRequest } from '../wire/wire-server.ts'
import { jobsOf, nameIn } from './sdcp-jobs.ts'

export interface SdcpSimulatorOptions {
  printer: VirtualPrinter
  /** Keys of reports that are sent as the hex of their bytes, as some firmware does. */
  hexKeys?: readonly string[]
  /** Address of the camera in its answer to the wish for video. */
  videoUrl?: string
  /** 0 takes any free one. */
  port?: number
  /** Plan that the printer would read out of an uploaded file. */
  planOf?: (fileName: string, content: Buffer) => PrintPlan
}

interface SdcpSimulator {
  readonly port: number
  /** Pieces of files that were received, with where each began. */
  readonly pieces: readonly { fileName: string; offset: number; bytes: number }[]
  /** Shows these numbers as `CurrentStatus` instead of what the machine does; undefined ends that. */
  pretendStatus(numbers: readonly number[] | undefined): void
  /** Shows this number as `PrintInfo.Status` instead of what the machine does; undefined ends that. */
  pretendPrintStatus(number: number | undefined): void
  /** Answers whether the record of jobs is told; older firmware refuses the question. */
  setHistoryTold(isTold: boolean): void
  /** The names of a job that is started stand beside the end of the one before, as long as this is on. */
  setEndsLinger(doLinger: boolean): void
  /** Accepts the next piece of a file and forgets it, so that the one after does not fit. */
  losePiece(): void
  /** Tears every open connection. */
  cut(): void
  /** Sends this text to every client. */
  sendRaw(text: string): void
  close(): Promise<void>
}

/** The printer serves no more than about so many at once. */
const mostClients = 4
const updateIntervalMs = 250
const mainboardId = '3f1c0a5be21d'
const defaultPlan: PrintPlan = { printTimeSeconds: 600, layerCount: 50, nozzleTemp: 215, bedTemp: 60 }

type Fields = Record<string, unknown>

interface Incoming {
  fileName: string
  pieces: Buffer[]
  received: number
}

/**
 * An Elegoo Centauri Carbon: SDCP V3 over a WebSocket, uploads in pieces over HTTP on the same port. While a file arrives
 * `CurrentStatus` is a list with that first; `PrintInfo` keeps the end of the last job until the next, without its names
 * (seen on firmware 1.1.29). Those are in its record of jobs, which no power cut wipes out.
 */
export async function startSdcpSimulator(options: SdcpSimulatorOptions): Promise<SdcpSimulator> {
  const { printer, hexKeys = [], videoUrl, port = 0, planOf = () => defaultPlan } = options
  const plans = new Map<string, PrintPlan>()
  const clients = new Map<WebSocket, { sent: string }>()
  const incoming = new Map<string, Incoming>()
  const pieces: { fileName: string; offset: number; bytes: number }[] = []
  let pretended: readonly number[] | undefined
  let pretendedPrint: number | undefined
  let isPieceLost = false
  let isHistoryTold = true
  let doEndsLinger = false
  let shownEnd: VirtualReport | undefined

  const statusText = () => {
    const report = printer.report()
    const shown = shownEnd ?? report
    const own = machineStatus(shown)
    const CurrentStatus = pretended ?? (incoming.size > 0 ? [2, own] : [own])
    const fields = statusFields(report, plans)
    const PrintInfo = { ...fields.PrintInfo, Status: pretendedPrint ?? printStatus(shown) }
    const Status = withHexKeys({ CurrentStatus, ...fields, PrintInfo }, hexKeys)
    const message = { Status, MainboardID: mainboardId, Topic: `sdcp/status/${mainboardId}` }
    return JSON.stringify({ ...message, TimeStamp: 1_760_000_000 })
  }
  const attributesText = () => {
    const Attributes = { Name: 'Centauri Carbon', MachineName: 'Centauri Carbon', ProtocolVersion: 'V3.0.0' }
    const { firmware } = printer.report()
    return JSON.stringify({
      Attributes: { ...Attributes, MainboardID: mainboardId, FirmwareVersion: `V${firmware}` },
      MainboardID: mainboardId,
      Topic: `sdcp/attributes/${mainboardId}`,
    })
  }

  const begin = async (data: Fields, signal: AbortSignal) => {
    const name = nameIn(data.Filename)
    const plan = plans.get(name)
    if (!plan) throw new VirtualPrinterError('NO_SUCH_FILE', name)
    const before = printer.report()
    await printer.startPrint(name, plan, signal)
    if (doEndsLinger) shownEnd = before
  }

  /** What an answer holds beside its `Ack`, where it holds more. */
  const commands: Record<number, (data: Fields, signal: AbortSignal, client: WebSocket) => unknown> = {
    0: (_data, _signal, client) => void client.send(statusText()),
    1: (_data, _signal, client) => void client.send(attributesText()),
    128: begin,
    258: async (data, signal) => {
      if (data.Url !== '/local') return { FileList: [] }
      const files = await printer.listFiles(signal)
      return { FileList: files.map(({ fileName, sizeBytes }) => fileEntry(fileName, sizeBytes, plans.get(fileName))) }
    },
    320: () => {
      if (!isHistoryTold) throw new VirtualPrinterError('REFUSED', 'no such command')
      return { HistoryData: jobsOf(printer).map(({ TaskId }) => TaskId) }
    },
    321: (data) => {
      const wanted = new Set(Array.isArray(data.Id) ? data.Id : [])
      return { HistoryDetailList: jobsOf(printer).filter(({ TaskId }) => wanted.has(TaskId)) }
    },
    // A wish for reports at an interval: they come by themselves.
    512: (_data, _signal, client) => void client.send(statusText()),
    129: (_data, signal) => printer.pause(signal),
    130: (_data, signal) => printer.stop(signal),
    131: (_data, signal) => printer.resume(signal),
    255: (data) => void incoming.delete(String(data.Uuid)),
    259: async (data, signal) => {
      for (const path of data.FileList as string[]) {
        const name = nameIn(path)
        plans.delete(name)
        await printer.deleteFile(name, signal)
      }
    },
    403: async (data, signal) => {
      const targets = { nozzle: data.TempTargetNozzle, bed: data.TempTargetHotbed, chamber: data.TempTargetBox }
      const set = Object.fromEntries(Object.entries(targets).filter(([, target]) => target !== undefined))
      if (Object.keys(set).length > 0) await printer.setTargets(set as Record<string, number>, signal)
      const light = data.LightStatus as { SecondLight: boolean | number } | undefined
      if (light) await printer.setLight(Number(light.SecondLight) !== 0, signal)
    },
  }

  const onText = async (client: WebSocket, text: string, signal: AbortSignal) => {
    await untilHeard(printer, signal)
    if (text === 'ping') return client.send('pong')
    const { Data, Id } = JSON.parse(text) as { Id: string; Data: Fields }
    const { Cmd, RequestID, MainboardID } = Data
    if (MainboardID !== '' && MainboardID !== mainboardId) return
    const told = await answerOf(() => commands[Number(Cmd)]?.((Data.Data ?? {}) as Fields, signal, client))
    const more = Cmd === 386 && videoUrl !== undefined ? { VideoUrl: videoUrl } : {}
    const answer = { Cmd, Data: { ...told, ...more }, RequestID, MainboardID: mainboardId, TimeStamp: 1_760_000_000 }
    client.send(JSON.stringify({ Id, Data: answer, Topic: `sdcp/response/${mainboardId}` }))
  }

  const upload = async (request: WireRequest): Promise<WireAnswer> => {
    if (request.url.pathname !== '/uploadFile/upload' || request.method !== 'POST') return { status: 404 }
    const form = await new Response(new Uint8Array(request.body), {
      headers: { 'content-type': request.headers['content-type'] ?? '' },
    }).formData()
    const file = form.get('File')
    const uuid = String(form.get('Uuid'))
    if (!(file instanceof File)) return complaint(-4)
    const piece = Buffer.from(await file.arrayBuffer())
    const offset = Number(form.get('Offset'))
    const started = incoming.get(uuid) ?? { fileName: file.name, pieces: [], received: 0 }
    if (offset !== started.received || piece.length > 1024 * 1024) return complaint(-1)
    incoming.set(uuid, started)
    if (isPieceLost) {
      isPieceLost = false
      return accepted
    }
    started.pieces.push(piece)
    started.received += piece.length
    pieces.push({ fileName: file.name, offset, bytes: piece.length })
    if (started.received < Number(form.get('TotalSize'))) return accepted
    incoming.delete(uuid)
    const content = Buffer.concat(started.pieces)
    if (createHash('md5').update(content).digest('hex') !== form.get('S-File-MD5')) return complaint(-2)
    try {
      await printer.upload(file.name, content.length, piecesOf(content), request.signal)
    } catch (error) {
      if (!(error instanceof VirtualPrinterError)) throw error
      return complaint(error.code === 'UPLOAD_BROKEN' ? -2 : -3)
    }
    plans.set(file.name, planOf(file.name, content))
    return accepted
  }

  const wire = await startWireServer(printer, port, upload)
  const gateway = new WebSocketServer({ server: wire.http, path: '/websocket' })
  gateway.on('connection', (client) => {
    if (clients.size >= mostClients) return client.close(1013, 'too many client')
    const gone = new AbortController()
    clients.set(client, { sent: '' })
    // It says at once who it is; clients learn from this what to call it.
    untilHeard(printer, gone.signal).then(
      () => client.send(attributesText()),
      () => undefined,
    )
    let order = Promise.resolve()
    client.on('error', () => client.terminate())
    client.on('close', () => {
      clients.delete(client)
      gone.abort(new Error('the client has gone'))
    })
    client.on('message', (data) => {
      order = order.then(() => onText(client, data.toString(), gone.signal)).catch(() => undefined)
    })
  })

  const endUpdates = updateEvery(printer, updateIntervalMs, () => {
    const text = statusText()
    for (const [client, known] of clients) {
      if (known.sent === text) continue
      known.sent = text
      client.send(text)
    }
  })

  return {
    port: wire.port,
    pieces,
    pretendStatus(numbers) {
      pretended = numbers
    },
    pretendPrintStatus(number) {
      pretendedPrint = number
    },
    setHistoryTold(isTold) {
      isHistoryTold = isTold
    },
    setEndsLinger(doLinger) {
      doEndsLinger = doLinger
      if (!doLinger) shownEnd = undefined
    },
    losePiece() {
      isPieceLost = true
    },
    cut: wire.cut,
    sendRaw(text) {
      for (const client of clients.keys()) client.send(text)
    },
    async close() {
      endUpdates()
      gateway.close()
      await wire.close()
    },
  }
}

const accepted: WireAnswer = { status: 200, body: { code: '000000', messages: null, data: {}, success: true } }

const complaint = (message: number): WireAnswer => ({
  status: 200,
  body: { code: '111111', messages: [{ field: 'common_field', message }], data: null, success: false },
})

const acks: Record<VirtualPrinterError['code'], number> = {
  BUSY: 1,
  WRONG_STATE: 1,
  NO_SUCH_FILE: 2,
  UPLOAD_BROKEN: 4,
  STORAGE_FULL: 4,
  REFUSED: 1,
  NOT_SUPPORTED: 7,
}

async function answerOf(act: () => unknown): Promise<Fields> {
  try {
    return { Ack: 0, ...((await act()) as Fields | undefined) }
  } catch (error) {
    if (!(error instanceof VirtualPrinterError)) throw error
    return { Ack: acks[error.code] }
  }
}

function fileEntry(fileName: string, sizeBytes: number, plan: PrintPlan | undefined): Fields {
  return { name: `/local/${fileName}`, type: 1, FileSize: sizeBytes, TotalLayers: plan?.layerCount ?? 0, CreateTime: 0 }
}

function machineStatus(report: VirtualReport): number {
  if (report.activity === 'changing_filament') return 10
  return report.runId !== null && report.lastResult === null ? 1 : 0
}

function printStatus({ activity, lastResult, runId }: VirtualReport): number {
  if (lastResult === 'completed') return 9
  if (lastResult === 'cancelled') return 8
  if (lastResult === 'failed') return 14
  if (runId === null) return 0
  return activity === 'paused' ? 6 : activity === 'heating' ? 16 : 13
}

function statusFields(report: VirtualReport, plans: ReadonlyMap<string, PrintPlan>): Fields & { PrintInfo: Fields } {
  const { nozzle, bed, chamber } = report
  const totalSeconds = plans.get(report.fileName ?? '')?.printTimeSeconds ?? 600
  return {
    TempOfNozzle: nozzle.actual,
    TempTargetNozzle: nozzle.target,
    TempOfHotbed: bed.actual,
    TempTargetHotbed: bed.target,
    TempOfBox: chamber?.actual ?? 0,
    TempTargetBox: chamber?.target ?? 0,
    LightStatus: { SecondLight: report.lightOn ? 1 : 0, RgbLight: [0, 0, 0] },
    CurrentFanSpeed: { ModelFan: 0, AuxiliaryFan: 0, BoxFan: 0 },
    CurrenCoord: '0.00,0.00,0.00',
    PrintInfo: {
      Status: printStatus(report),
      CurrentLayer: report.layer,
      TotalLayer: report.totalLayers,
      CurrentTicks: totalSeconds - (report.remainingSeconds ?? 0),
      TotalTicks: totalSeconds,
      Progress: Math.floor(report.progress * 100),
      // What has ended goes by no name any more.
      Filename: report.lastResult === null ? (report.fileName ?? '') : '',
      TaskId: report.lastResult === null ? (report.runId ?? '') : '',
      ErrorNumber: report.activity === 'fault' ? 3 : 0,
      PrintSpeedPct: 100,
    },
  }
}

function withHexKeys(value: unknown, hexKeys: readonly string[]): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      hexKeys.includes(key) ? hexOf(key) : key,
      withHexKeys(member, hexKeys),
    ]),
  )
}

function hexOf(key: string): string {
  return [...Buffer.from(`${key}\0`)].map((byte) => byte.toString(16).toUpperCase().padStart(2, '0')).join(' ')
}
