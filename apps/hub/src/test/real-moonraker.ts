import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createVirtualPrinter } from '@printyard/virtual-printers/create-virtual-printer'
import { type KlippySimulator, startKlippySimulator } from '@printyard/virtual-printers/moonraker/klippy-simulator'
import type { PrintPlan, VirtualPrinter } from '@printyard/virtual-printers/virtual-printer'
import { memberOf, textIn } from '../drivers/wire/wire-values.ts'
import { type PeerProcess, startPeer } from './python-peers.ts'

const ANSWER_MS = 30_000
const READY_MS = 60_000
const KLIPPER_POLL_MS = 50
const gcodes = 'gcodes'
const incoming = 'incoming'

/** Moonraker itself. What stands behind it is Klipper's simulator, made again for each test. */
export interface RealMoonraker extends PeerProcess {
  readonly apiKey: string
  /** Asks Moonraker as its web front ends do: what stands under `result`. */
  ask<T>(method: string, path: string): Promise<T>
  /** Where Moonraker keeps what is to be printed. */
  readonly gcodesFolder: string
  /** Where Moonraker writes a file down while it comes in. */
  readonly incomingFolder: string
  /** A new printer with a Klipper in front of it, once Moonraker has found it; history and files are none then. */
  attachKlipper(options?: { planOf?: (fileName: string) => PrintPlan }): Promise<AttachedKlipper>
}

export interface AttachedKlipper {
  printer: VirtualPrinter
  klippy: KlippySimulator
  /** Takes Klipper away and waits until Moonraker has noticed. */
  detach(): Promise<void>
}

export async function startRealMoonraker(): Promise<RealMoonraker> {
  let apiKey = ''
  const ask = async <T>(port: number, method: string, path: string): Promise<T> => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { 'x-api-key': apiKey },
      signal: AbortSignal.timeout(ANSWER_MS),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text.slice(0, 300)}`)
    return memberOf(JSON.parse(text), 'result') as T
  }
  const peer = await startPeer({
    name: 'moonraker',
    prepare(folder, port) {
      for (const name of ['config', 'misc', gcodes, incoming]) mkdirSync(join(folder, name), { recursive: true })
      writeFileSync(join(folder, 'config/moonraker.conf'), configuration(port, klipperSocket(folder)))
      // Moonraker would fetch it from the network.
      writeFileSync(join(folder, 'misc/usb.ids'), '')
    },
    args: (folder) => ['moonraker', '-d', folder],
    environment: (folder) => ({ TMPDIR: join(folder, incoming) }),
    async isReady(folder, port) {
      apiKey = await readApiKey(folder)
      await ask(port, 'GET', '/server/info')
      return true
    },
  })
  const untilKlipperIs = async (wanted: string) => {
    const deadline = performance.now() + READY_MS
    for (;;) {
      const { klippy_state } = await ask<{ klippy_state: string }>(peer.port, 'GET', '/server/info')
      if (klippy_state === wanted) return
      if (performance.now() > deadline) throw new Error(`to Moonraker Klipper is ${klippy_state}, not ${wanted}`)
      await pause(KLIPPER_POLL_MS)
    }
  }

  const gcodesFolder = join(peer.folder, gcodes)
  return {
    ...peer,
    get apiKey() {
      return apiKey
    },
    gcodesFolder,
    incomingFolder: join(peer.folder, incoming),
    ask: (method, path) => ask(peer.port, method, path),
    async attachKlipper({ planOf } = {}) {
      await ask(peer.port, 'DELETE', '/server/history/job?all=true')
      for (const name of readdirSync(gcodesFolder)) rmSync(join(gcodesFolder, name), { recursive: true, force: true })
      const printer = createVirtualPrinter({ id: 'moonraker', model: 'Voron 2.4', speed: 1 })
      await printer.powerOn()
      const klippy = await startKlippySimulator({
        printer,
        socketPath: klipperSocket(peer.folder),
        gcodesFolder,
        ...(planOf && { planOf }),
      })
      await untilKlipperIs('ready')
      return {
        printer,
        klippy,
        async detach() {
          await klippy.close()
          await untilKlipperIs('disconnected')
          await printer.powerOff()
        },
      }
    },
  }
}

function klipperSocket(folder: string): string {
  return join(folder, 'klippy.sock')
}

/** Asked over Moonraker's own socket, as the tools of its machine do: no browser and no login is needed. */
function readApiKey(folder: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(join(folder, 'comms/moonraker.sock'))
    let text = ''
    socket.setEncoding('utf8')
    socket.setTimeout(ANSWER_MS, () => socket.destroy(new Error('Moonraker does not tell its key')))
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('Moonraker hung up')))
    socket.on('data', (piece: string) => {
      text += piece
      for (const message of text.split('\u0003').slice(0, -1)) {
        const key = textIn(memberOf(JSON.parse(message), 'result'))
        if (key === null) continue
        resolve(key)
        socket.destroy()
      }
    })
    socket.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'access.get_api_key' })}\u0003`)
  })
}

/**
 * The address of the tests is not a trusted one, so the key is needed. Nothing here asks the network. What the files say
 * about their objects would take a minute for a large one. The webcams are named as the programs that install Moonraker name them: by a path at
 * the port of the web front end.
 */
function configuration(port: number, socketPath: string): string {
  return `
[server]
host: 127.0.0.1
port: ${port}
klippy_uds_address: ${socketPath}
[machine]
provider: none
validate_service: False
[authorization]
force_logins: False
trusted_clients:
    127.0.0.2/32
[file_manager]
enable_object_processing: False
[announcements]
dev_mode: True
[history]
[webcam off]
enabled: False
stream_url: /off/?action=stream
snapshot_url: /off/?action=snapshot
[webcam front]
stream_url: /webcam/?action=stream
snapshot_url: /webcam/?action=snapshot
`
}
