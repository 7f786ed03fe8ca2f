import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FileToPrint } from '@printyard/protocol/commands'
import type { PrinterSettings } from '@printyard/protocol/messages'
import type { PrinterState } from '@printyard/protocol/printer-state'
import type { VirtualPrinter } from '@printyard/virtual-printers/virtual-printer'
import type { SimulatedCamera } from '@printyard/virtual-printers/wire/camera-server'
import { createDriver } from '../../drivers/create-driver.ts'
import type { PrinterDriver } from '../../drivers/driver.ts'
import { createWaiter } from '../../util/waiter.ts'
import { createRecordedLog, type RecordedLog } from '../quiet-log.ts'
import { whyImpossible } from './possible-state.ts'

/** A family's simulator in front of a simulated printer, or a real program: what a driver is tried on. */
export interface Peer {
  /** The machine behind the wire, for tests to act as people do and to judge by. */
  printer: VirtualPrinter
  connection: Record<string, unknown>
  /** A connection that the peer refuses; undefined where the family has no login. */
  wrongConnection: Record<string, unknown> | undefined
  /** What its driver takes pictures with; left out where the family has none, or where it serves them itself. */
  camera?: SimulatedCamera
  /** Tears every open connection. */
  cut(): void
  /** Sends what no driver expects, over the channel that it listens to; resolves when it was heard. */
  sendNonsense?(): void | Promise<void>
  close(): Promise<void>
}

export type StartPeer = () => Promise<Peer>

/** A driver that runs against a peer, with everything that it said. */
export interface Rig {
  driver: PrinterDriver
  states: PrinterState[]
  readonly state: PrinterState
  log: RecordedLog
  until(matches: (state: PrinterState) => boolean, awaited: string, timeoutMs?: number): Promise<PrinterState>
  /** A file on disk, as the hub's cache holds it. */
  makeFile(fileName: string, bytes?: number): { path: string; size_bytes: number; file_name: string }
  close(): Promise<void>
}

/** What a print of these tests says about itself. */
export const sampleFile: FileToPrint = {
  file_version_id: 'fv_1',
  name: 'cube.gcode',
  url_path: '/files/cube',
  size_bytes: 200_000,
  sha256: '0'.repeat(64),
  format: 'gcode',
  archive_plate: null,
  print_time_seconds: 600,
  layer_count: 50,
  filament_type: 'PLA',
  nozzle_temp: 215,
  bed_temp: 60,
}

/**
 * Starts a driver as the hub does; waits are a tenth of what they are in a farm, unless the peer is a program of its own.
 * `untilMs` is how long `until` waits when it is not told.
 */
export async function startRig(settings: PrinterSettings, waitFactor = 0.1, untilMs = 20_000): Promise<Rig> {
  const folder = mkdtempSync(join(tmpdir(), 'printyard-driver-'))
  const log = createRecordedLog()
  const driver = await createDriver(settings, {
    log,
    clock: Date.now,
    dataDir: folder,
    virtualSpeed: 1,
    waitFactor,
  })
  const states: PrinterState[] = []
  const waiter = createWaiter<PrinterState>()
  driver.onState((state) => {
    const why = whyImpossible(state)
    if (why !== null) throw new Error(`an impossible state (${why}): ${JSON.stringify(state)}`)
    states.push(state)
    waiter.show(state)
  })
  await driver.start(AbortSignal.timeout(120_000))
  return {
    driver,
    states,
    log,
    get state() {
      const last = states.at(-1)
      if (!last) throw new Error('the driver has said nothing yet')
      return last
    },
    until: (matches, awaited, timeoutMs = untilMs) => waiter.until(matches, { awaited, timeoutMs }),
    makeFile(fileName, bytes = 200_000) {
      const path = join(folder, fileName)
      writeFileSync(path, Buffer.alloc(bytes, 'G1 X10 Y10 E1\n'))
      return { path, size_bytes: bytes, file_name: fileName }
    },
    async close() {
      await driver.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
