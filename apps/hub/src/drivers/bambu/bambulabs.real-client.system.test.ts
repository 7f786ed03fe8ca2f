import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { startBambuPeer } from '../../test/bambu-peer.ts'
import { isPeerInstalled, runClientScript } from '../../test/python-peers.ts'

const script = fileURLToPath(new URL('../../test/bambulabs-print.py', import.meta.url))
const fileBytes = 300_000

test.skipIf(!isPeerInstalled('bambulabs_api'))(
  'bambulabs_api drives a simulated P1S through a whole print',
  { timeout: 240_000 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'printyard-bambulabs-'))
    const file = join(folder, 'cube.gcode.3mf')
    writeFileSync(file, Buffer.alloc(fileBytes, 'PK'))
    const planOf = () => ({ printTimeSeconds: 300, layerCount: 50, nozzleTemp: 215, bedTemp: 60 })
    const { printer, connection, close } = await startBambuPeer({ planOf })
    printer.setSpeed(60)
    try {
      const steps = JSON.parse(
        await runClientScript('bambulabs_api', script, [file, JSON.stringify(connection)], 200_000),
      )
      const cube = { job: 'cube', file: 'cube.gcode.3mf' }
      expect(steps).toMatchObject({
        idle: { state: 'IDLE' },
        firmware: expect.stringMatching(/\d/),
        picture: 'ffd8ffe0',
        uploaded: expect.stringMatching(/^226/),
        files: [expect.stringContaining('cube.gcode.3mf')],
        printing: cube,
        paused: cube,
        resumed: cube,
        printed: { state: 'FINISH', ...cube },
        percentage: 100,
        stopped: { state: 'FAILED', ...cube },
        error: 0x0300_400c,
        deleted: expect.stringMatching(/^250/),
        'no files': [],
      })
      const ofRuns = /^(started|paused|resumed|cancelled|completed)$/
      const kinds = printer.events.map(({ kind }) => kind).filter((kind) => ofRuns.test(kind))
      expect(kinds).toEqual(['started', 'paused', 'resumed', 'completed', 'started', 'cancelled'])
    } finally {
      await close()
      rmSync(folder, { recursive: true, force: true })
    }
  },
)
