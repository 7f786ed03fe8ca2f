import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createVirtualPrinter } from '@printyard/virtual-printers/create-virtual-printer'
import { startCc2Simulator } from '@printyard/virtual-printers/elegoo/cc2-simulator'
import { startSdcpSimulator } from '@printyard/virtual-printers/elegoo/sdcp-simulator'
import type { VirtualPrinter } from '@printyard/virtual-printers/virtual-printer'
import { startCameraServer } from '@printyard/virtual-printers/wire/camera-server'
import { expect, test } from 'vitest'
import { isPeerInstalled, runClientScript } from '../../test/python-peers.ts'

const script = fileURLToPath(new URL('../../test/pycentauri-print.py', import.meta.url))
const planOf = () => ({ printTimeSeconds: 300, layerCount: 50, nozzleTemp: 215, bedTemp: 60 })
const serial = 'F01AB2C3D4E5F6G'
const accessCode = 'Pass-word-1'
const fileBytes = 2_500_000

const models = {
  async cc1(printer: VirtualPrinter) {
    const { port, close } = await startSdcpSimulator({ printer, planOf })
    return { connection: { port, http_port: port }, close }
  },
  async cc2(printer: VirtualPrinter) {
    const { port, httpPort, close } = await startCc2Simulator({ printer, planOf, serial, accessCode })
    return { connection: { port, http_port: httpPort, serial, access_code: accessCode }, close }
  },
}

test.skipIf(!isPeerInstalled('pycentauri')).each(['cc1', 'cc2'] as const)(
  'pycentauri drives a simulated %s through a whole print',
  { timeout: 240_000 },
  async (model) => {
    const folder = mkdtempSync(join(tmpdir(), 'printyard-pycentauri-'))
    const file = join(folder, 'cube.gcode')
    writeFileSync(file, Buffer.alloc(fileBytes, 'G1 X10 Y10 E1\n'))
    const printer = createVirtualPrinter({ id: model, model: 'Centauri Carbon', speed: 60 })
    await printer.powerOn()
    const camera = await startCameraServer(printer)
    const { connection, close } = await models[model](printer)
    try {
      const args = [model, file, JSON.stringify({ ...connection, camera_port: camera.port })]
      const steps = JSON.parse(await runClientScript('pycentauri', script, args, 200_000))
      const cube = { file: 'cube.gcode' }
      expect(steps).toMatchObject({
        attributes: { firmware: expect.stringMatching(/\d/) },
        picture: 'ffd8ff',
        files: [['cube.gcode', fileBytes, 50]],
        printing: cube,
        paused: cube,
        resumed: cube,
        // The end shows without a name; whose it was is in the record of jobs, oldest first.
        printed: { file: '' },
        stopped: { file: '' },
        history: [
          ['cube.gcode', 1],
          ['cube.gcode', 2],
        ],
        'no files': 0,
      })
      const ofRuns = /^(started|paused|resumed|cancelled|completed)$/
      const kinds = printer.events.map(({ kind }) => kind).filter((kind) => ofRuns.test(kind))
      expect(kinds).toEqual(['started', 'paused', 'resumed', 'completed', 'started', 'cancelled'])
      expect(printer.report().lightOn).toBe(true)
    } finally {
      await close()
      await camera.close()
      await printer.powerOff()
      rmSync(folder, { recursive: true, force: true })
    }
  },
)
