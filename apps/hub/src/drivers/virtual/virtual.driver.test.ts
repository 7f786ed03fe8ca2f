import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { FileToPrint } from '@printyard/protocol/commands'
import type { PrinterSettings } from '@printyard/protocol/messages'
import type { PrinterState } from '@printyard/protocol/printer-state'
import type { VirtualPrinter } from '@printyard/virtual-printers/virtual-printer'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createRecordedLog } from '../../test/quiet-log.ts'
import type { DriverContext, PrinterDriver } from '../driver.ts'
import { createVirtualDriver } from './virtual.driver.ts'

const settings: PrinterSettings = {
  printer_id: 'prt_1',
  name: 'P1',
  model: 'MK4S',
  connection_type: 'virtual',
  connection: {},
  nozzle_size: 0.4,
  limits: { nozzle: 290, bed: 120, chamber: 0 },
  filament_type: null,
  filament_color_hex: null,
}
const fileToPrint: FileToPrint = {
  file_version_id: 'ver_1',
  name: 'part.gcode',
  url_path: '/file',
  size_bytes: 6,
  sha256: '0'.repeat(64),
  format: 'gcode',
  archive_plate: null,
  print_time_seconds: 60,
  layer_count: 1,
  filament_type: 'PETG',
  nozzle_temp: 0,
  bed_temp: 0,
}
const quick = { printTimeSeconds: 1, layerCount: 1, nozzleTemp: 0, bedTemp: 0 }

let dataDir: string
let states: PrinterState[]
let drivers: PrinterDriver[]
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'virtual-driver-'))
  states = []
  drivers = []
})
afterEach(async () => {
  await Promise.all(drivers.map((driver) => driver.stop()))
  rmSync(dataDir, { recursive: true, force: true })
})

async function startDriver(
  connection: PrinterSettings['connection'],
  simulatedPrinters?: Map<string, VirtualPrinter>,
): Promise<PrinterDriver> {
  const context: DriverContext = {
    log: createRecordedLog(),
    clock: Date.now,
    dataDir,
    virtualSpeed: 1_000,
    waitFactor: 0.01,
    ...(simulatedPrinters && { simulatedPrinters }),
  }
  const driver = createVirtualDriver({ ...settings, connection }, context)
  drivers.push(driver)
  driver.onState((state) => states.push(state))
  await driver.start(new AbortController().signal)
  return driver
}

test('a forgetful printer says that it neither remembers its last run nor proves that one never began', async () => {
  expect((await startDriver({ remembers_last_run: false })).capabilities).toMatchObject({
    remembersLastRun: false,
    keepsRunIdentity: false,
  })
  expect((await startDriver({})).capabilities).toMatchObject({ remembersLastRun: true, keepsRunIdentity: true })
})

test('what a hand prints while the printer cannot be reached shows only once it can be again', async () => {
  const simulated = new Map<string, VirtualPrinter>()
  await startDriver({}, simulated)
  const printer = simulated.get('prt_1')
  printer?.setFaults(['lost_link'])
  printer?.startByHand('vase.gcode', quick)
  await expect.poll(() => states.at(-1)?.status).toBe('offline')
  expect(states.at(-1)).toMatchObject({ run: null, last_result: null })
  printer?.setFaults([])
  await expect.poll(() => states.at(-1)?.last_result?.run.file_name).toBe('vase.gcode')
})

test('a hub that stood still itself takes no printer for silent', async () => {
  await startDriver({})
  const before = states.length
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300)
  await wait(100)
  expect(states.slice(before).filter(({ status }) => status === 'offline')).toEqual([])
})

test('an upload to a printer that falls silent ends with its silence', async () => {
  const simulated = new Map<string, VirtualPrinter>()
  const driver = await startDriver({ upload_bytes_per_second: 1_000 }, simulated)
  const path = join(dataDir, 'part.gcode')
  writeFileSync(path, 'G1 X1\n'.repeat(20_000))
  const upload = driver.upload(
    { path, size_bytes: 120_000, file_name: 'part.gcode', onSent: () => undefined },
    new AbortController().signal,
  )
  simulated.get('prt_1')?.setFaults(['lost_link'])
  await expect(upload).rejects.toMatchObject({ code: 'UPLOAD_BROKEN' })
})

test('where hands reach simulated printers, the word of the service empties no plate', async () => {
  const simulated = new Map<string, VirtualPrinter>()
  const handled = await startDriver({}, simulated)
  const printer = simulated.get('prt_1')
  printer?.startByHand('vase.gcode', quick)
  await expect.poll(() => printer?.plate.length).toBe(1)
  handled.adopt({ ...settings, connection: { plate_cleared_at: '2026-01-01T00:00:00Z' } })
  expect(printer?.plate).toHaveLength(1)
  await handled.stop()
  expect(simulated.size).toBe(0)
  const alone = await startDriver({})
  alone.adopt({ ...settings, connection: { plate_cleared_at: '2026-01-02T00:00:00Z' } })
  await alone.stop()
  await startDriver({}, simulated)
  expect(simulated.get('prt_1')?.plate).toEqual([])
})

test('a printer with a changer tells its places, and prints only from one that was chosen', async () => {
  const slots = [{ type: 'PLA', color_hex: '#1f5fa8' }, null, { type: 'PETG', tool: 1 }]
  const driver = await startDriver({ slots })
  expect(driver.capabilities.filamentMap).toBe('needed')
  expect(states.at(-1)).toMatchObject({
    filament_type: 'PLA',
    slots: [
      {
        slot: 0,
        name: 'slot 1',
        filament_type: 'PLA',
        filament_color_hex: '#1F5FA8',
        is_empty: false,
        is_active: true,
      },
      { slot: 1, is_empty: true },
      { slot: 2, filament_type: 'PETG', tool: 1, is_active: false },
    ],
  })
  const { signal } = new AbortController()
  const path = join(dataDir, 'part.gcode')
  writeFileSync(path, 'G1 X1\n')
  const file = { ...fileToPrint, filaments: [{ index: 0, type: 'PETG', colorHex: null }] }
  await driver.upload({ path, size_bytes: 6, file_name: 'part.gcode', onSent: () => undefined }, signal)
  await expect(driver.startPrint('part.gcode', file, signal)).rejects.toMatchObject({ code: 'NOT_MAPPED' })
  const mapped = { ...file, filament_map: [{ filament: 0, slot: 2 }] }
  await driver.startPrint('part.gcode', mapped, signal)
  expect(states.at(-1)).toMatchObject({ filament_type: 'PETG', slots: [{}, {}, { is_active: true }] })
  const empty = { ...file, filament_map: [{ filament: 0, slot: 1 }] }
  await expect(driver.startPrint('part.gcode', empty, signal)).rejects.toMatchObject({ code: 'NOT_MAPPED' })
})
