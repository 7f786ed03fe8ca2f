import type { AttemptReport } from '@printyard/protocol/attempt'
import type { HubMessageBody, HubMessageName, ServiceMessage } from '@printyard/protocol/messages'
import type { PrinterState } from '@printyard/protocol/printer-state'
import { readServiceFrame } from '@printyard/protocol/service-frames'
import { unknownPrinterState } from '@printyard/protocol/unknown-printer-state'
import { CONNECT_PATH, PROTOCOL_VERSION, SUBPROTOCOL } from '@printyard/protocol/version'
import { WebSocket } from 'ws'

type Command = ServiceMessage & { type: 'command' }

/** How a scripted hub answers a command; undefined is silence. */
type CommandScript = (
  command: Command,
) => { ok: boolean; code?: string; message?: string; pending?: boolean } | undefined

/**
 * A hub that does as it is told, on a real connection: for the service's side of the protocol, in cases that a real hub
 * with a virtual printer would not get into on demand.
 */
export interface TestHub {
  readonly received: ServiceMessage[]
  commands(): Command[]
  onCommand(script: CommandScript): void
  /** The picture that every `snapshot` is answered with from now on; undefined is silence, as at first. */
  showStill(still: Buffer | undefined): void
  telemetry(printerId: string, state: Partial<PrinterState>): void
  report(
    report: Pick<AttemptReport, 'attempt_id' | 'printer_id' | 'fence' | 'phase'> & Partial<AttemptReport>,
  ): Promise<void>
  send<N extends HubMessageName>(type: N, body: HubMessageBody<N>, id?: string): string
  waitFor<T extends ServiceMessage['type']>(
    type: T,
    matches?: (message: ServiceMessage & { type: T }) => boolean,
  ): Promise<ServiceMessage & { type: T }>
  close(): Promise<void>
}

const waitTimeoutMs = 20_000
let frames = 0

/** Connects with a token and says hello; resolves after the welcome. */
export async function connectTestHub(
  serviceUrl: string,
  token: string,
  journalPosition = 0,
  journalId?: string,
  capabilities?: string[],
  openAttempts: AttemptReport[] = [],
  more: Partial<HubMessageBody<'hello'>> = {},
  now: () => Date = () => new Date(),
  welcomeTimeoutMs = waitTimeoutMs,
): Promise<TestHub> {
  const socket = new WebSocket(`${serviceUrl.replace('http', 'ws')}${CONNECT_PATH}`, SUBPROTOCOL, {
    headers: { authorization: `Bearer ${token}` },
  })
  const received: ServiceMessage[] = []
  const watchers = new Set<() => void>()
  let script: CommandScript = () => ({ ok: true })
  let still: Buffer | undefined

  function send<N extends HubMessageName>(type: N, body: HubMessageBody<N>, id = `t${++frames}`): string {
    socket.send(JSON.stringify({ type, id, ts: now().toISOString(), ...body }))
    return id
  }

  socket.on('message', (data) => {
    const frame = readServiceFrame(String(data))
    if (frame.kind !== 'message') throw new Error(`the service sent ${JSON.stringify(frame)}: ${String(data)}`)
    const { message } = frame
    received.push(message)
    if (message.type === 'command') {
      const answer = script(message)
      if (answer) {
        send('result', {
          command_id: message.command_id,
          printer_id: message.printer_id,
          ok: answer.ok,
          code: (answer.code ?? null) as HubMessageBody<'result'>['code'],
          message: answer.message ?? null,
          ...(answer.pending && { pending: true }),
        })
      }
    }
    if (message.type === 'snapshot' && still) {
      const { request_id, printer_id } = message
      send('still', { request_id, printer_id, data: still.toString('base64'), is_last: true })
    }
    for (const watcher of [...watchers]) watcher()
  })

  function waitFor<T extends ServiceMessage['type']>(
    type: T,
    matches: (message: ServiceMessage & { type: T }) => boolean = () => true,
    timeoutMs = waitTimeoutMs,
  ): Promise<ServiceMessage & { type: T }> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        watchers.delete(look)
        reject(new Error(`no ${type} came; received: ${received.map((message) => message.type).join(', ')}`))
      }, timeoutMs)
      function look(): void {
        const found = received.find(
          (message) => message.type === type && matches(message as ServiceMessage & { type: T }),
        )
        if (!found) return
        clearTimeout(timer)
        watchers.delete(look)
        resolve(found as ServiceMessage & { type: T })
      }
      watchers.add(look)
      look()
    })
  }

  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  send('hello', {
    protocol_version: PROTOCOL_VERSION,
    agent_version: '1.0.0-test',
    hardware_version: 'test',
    journal_position: journalPosition,
    ...(journalId !== undefined && { journal_id: journalId }),
    ...(capabilities && { capabilities }),
    printers: [],
    open_attempts: openAttempts,
    ...more,
  })
  await waitFor('welcome', undefined, welcomeTimeoutMs)

  return {
    received,
    commands: () => received.filter((message): message is Command => message.type === 'command'),
    showStill(next) {
      still = next
    },
    onCommand(next) {
      script = next
    },
    telemetry(printerId, state) {
      const full = { ...unknownPrinterState(''), status_reason: null, ...state }
      send('telemetry', { printers: [{ printer_id: printerId, full: true, state: full }] })
    },
    async report(report) {
      const id = send('attempt', {
        report: {
          outcome: null,
          evidence: { kind: 'telemetry', run_id: null, detail: null },
          happened_at: now().toISOString(),
          reason_code: null,
          ...report,
        },
      })
      await waitFor('ack', (ack) => ack.ids.includes(id))
    },
    send,
    waitFor,
    async close() {
      if (socket.readyState === socket.CLOSED) return
      await new Promise((resolve) => {
        socket.once('close', resolve)
        socket.close()
      })
    },
  }
}
