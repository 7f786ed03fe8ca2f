import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createVirtualPrinter } from '@printyard/virtual-printers/create-virtual-printer'
import { startPrusaLinkSimulator } from '@printyard/virtual-printers/prusalink/prusalink-simulator'
import { expect, test } from 'vitest'
import { isPeerInstalled, runClientScript } from '../../test/python-peers.ts'

const script = join(import.meta.dirname, '../../test/pyprusalink-print.py')
const plan = { printTimeSeconds: 120, layerCount: 10, nozzleTemp: 30, bedTemp: 25 }
const gcode =
  'G28\n; filament used [g] = 3.25\n; filament_type = PLA\n; estimated printing time (normal mode) = 2m 0s\n'

test.skipIf(!isPeerInstalled('pyprusalink'))(
  'pyprusalink drives a simulated PrusaLink through a whole print, by digest and by key',
  { timeout: 120_000 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'printyard-pyprusalink-'))
    const file = join(folder, 'a-whole-print.gcode')
    writeFileSync(file, gcode)
    const printer = createVirtualPrinter({ id: 'prusalink', model: 'MK4S', speed: 60 })
    await printer.powerOn()
    const simulator = await startPrusaLinkSimulator({ printer, password: 'Pass-word-1', planOf: () => plan })
    try {
      const address = `http://127.0.0.1:${simulator.port}`
      const steps = JSON.parse(await runClientScript('pyprusalink', script, [address, 'Pass-word-1', file], 100_000))
      expect(steps).toMatchObject({
        stranger: 'InvalidAuth',
        version: { api: '2.0.0', text: 'PrusaLink', capabilities: { 'upload-by-put': true } },
        info: { serial: expect.any(String), nozzle_diameter: 0.4 },
        storage: [{ path: '/usb', type: 'USB', read_only: false, available: true }],
        idle: { printer: { state: 'IDLE' }, storage: { path: '/usb/' } },
        older: { telemetry: { material: 'PLA' }, state: { flags: { operational: true, printing: false } } },
        'no job': null,
        'no transfer': null,
        upload: 201,
        again: 409,
        overwritten: 201,
        'files by key': { type: 'FOLDER', children: [{ name: 'AWHOLE~1.GCO', display_name: 'a-whole-print.gcode' }] },
        start: 204,
        printing: { job: { id: 118 }, printer: { state: 'PRINTING' } },
        job: { id: 118, file: { name: 'AWHOLE~1.GCO', display_name: 'a-whole-print.gcode', size: gcode.length } },
        picture: 'PNG',
        download: true,
        metadata: { filament_type: 'PLA', filament_used_g: 3.25, estimated_printing_time_normal: 120 },
        'busy start': 'Conflict',
        'busy delete': 'Conflict',
        'wrong number': 'NotFound',
        paused: { job: { id: 118 }, printer: { state: 'PAUSED' } },
        'paused twice': 'Conflict',
        cancelled: { printer: { state: 'STOPPED' } },
        'job over': null,
        'print after upload': 201,
        second: 1,
        files: [],
      })
      const kinds = printer.events.map(({ kind }) => kind)
      expect(kinds.filter((kind) => /^(started|paused|resumed|cancelled|completed)$/.test(kind))).toEqual([
        'started',
        'paused',
        'resumed',
        'cancelled',
        'started',
        'completed',
      ])
    } finally {
      await simulator.close()
      await printer.powerOff()
      rmSync(folder, { recursive: true, force: true })
    }
  },
)
