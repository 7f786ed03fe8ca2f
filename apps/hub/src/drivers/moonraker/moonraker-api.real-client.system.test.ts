import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { VirtualPrinter } from '@printyard/virtual-printers/virtual-printer'
import { expect, test } from 'vitest'
import { startMoonrakerPeer } from '../../test/moonraker-peer.ts'
import { isPeerInstalled, runClientScript } from '../../test/python-peers.ts'
import { startRealMoonraker } from '../../test/real-moonraker.ts'

const script = fileURLToPath(new URL('../../test/moonraker-api-print.py', import.meta.url))
const CLIENT_MS = 150_000

interface Place {
  port: number
  apiKey: string
  printer: VirtualPrinter
}

/** What the client was answered at each step. */
type Steps = Record<string, unknown>

test.skipIf(!isPeerInstalled('moonraker-api'))(
  'moonraker-api drives a simulated Moonraker through prints by its key, and is answered as by Moonraker',
  { timeout: 400_000 },
  async () => {
    const [simulated, real] = await Promise.allSettled([atSimulator(), atRealOne()])
    if (real.status === 'rejected') throw real.reason
    if (simulated.status === 'rejected') throw simulated.reason
    expect(simulated.value).toMatchObject({
      klipper: 'ready',
      objects: ['print_stats', 'virtual_sdcard', 'webhooks'],
      'wrong key': 401,
      busy: { code: 400, message: 'SD busy' },
      paused: { print_stats: { state: 'paused', filename: 'whole.gcode' }, pause_resume: { is_paused: true } },
      'told history': [
        ['added', 'in_progress'],
        ['finished', 'cancelled'],
        ['added', 'in_progress'],
        ['finished', 'completed'],
      ],
      history: { count: 2, jobs: [{ status: 'completed' }, { status: 'cancelled' }] },
      job: 'completed',
      'no files': [],
    })
    if (!real.value) return
    expect(Object.keys(simulated.value)).toEqual(Object.keys(real.value))
    expect(shapeOf(simulated.value)).toEqual(shapeOf(real.value))
  },
)

/** What a client can rely on: the names and kinds of what is there, and the plain words. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf)
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !unsimulated.has(name))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, shapeOf(member)]),
  )
}

/** What depends on the machine that the real one runs on, or on what its program was told to load. */
const unsimulated = new Set(['components', 'failed_components', 'registered_directories', 'warnings', 'metadata'])

async function atSimulator(): Promise<Steps> {
  const peer = await startMoonrakerPeer()
  try {
    return await drive({ port: peer.simulator.port, apiKey: peer.connection.api_key, printer: peer.printer })
  } finally {
    await peer.close()
    await peer.printer.powerOff()
  }
}

async function atRealOne(): Promise<Steps | undefined> {
  if (!isPeerInstalled('moonraker')) return undefined
  const moonraker = await startRealMoonraker()
  try {
    const { printer, detach } = await moonraker.attachKlipper()
    try {
      return await drive({ port: moonraker.port, apiKey: moonraker.apiKey, printer })
    } finally {
      await detach()
    }
  } finally {
    await moonraker.close()
  }
}

/** The second print of the client is let through to its end quickly. */
async function drive({ port, apiKey, printer }: Place): Promise<Steps> {
  const folder = mkdtempSync(join(tmpdir(), 'printyard-moonraker-api-'))
  const file = join(folder, 'whole.gcode')
  writeFileSync(file, 'G1 X10 Y10 E1\n'.repeat(1_000))
  const stopWatching = printer.onReport(() => {
    if (printer.events.filter(({ kind }) => kind === 'started').length === 2) printer.setSpeed(300)
  })
  try {
    const args = ['127.0.0.1', String(port), apiKey, file]
    return JSON.parse(await runClientScript('moonraker-api', script, args, CLIENT_MS))
  } finally {
    stopWatching()
    rmSync(folder, { recursive: true, force: true })
  }
}
