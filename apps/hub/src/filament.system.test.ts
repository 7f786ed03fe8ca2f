import { afterEach, beforeEach, expect, test } from 'vitest'
import { createHub, type Hub } from './hub.ts'
import { startPeerOf } from './test/printer-peers.ts'
import { createRecordedLog } from './test/quiet-log.ts'
import { buildConfig, makeDataDir, quickTimings } from './test/test-hub.ts'
import { buildPrinter, PRINTER, startTestService, type TestService } from './test/test-service.ts'

let service: TestService
let hub: Hub | undefined
let dataDir: ReturnType<typeof makeDataDir>

beforeEach(async () => {
  service = await startTestService()
  dataDir = makeDataDir()
})
afterEach(async () => {
  await hub?.stop()
  hub = undefined
  await service.stop()
  dataDir.remove()
})

const families = [
  ['octoprint', { load_gcode: 'M701', unload_gcode: 'M702' }],
  ['moonraker', {}],
  ['creality', { load_gcode: 'LOAD_MATERIAL', unload_gcode: 'QUIT_MATERIAL' }],
  ['bambu', {}],
] as const

test.each(families)(
  '%s unloads and loads filament on request, whether or not its picture can show it',
  { timeout: 120_000 },
  async (family, more) => {
    const peer = await startPeerOf[family]()
    try {
      const connection = { ...peer.connection, ...more }
      service.printers = [buildPrinter({ connection_type: family, connection })]
      hub = createHub(buildConfig(service, { dataDir: dataDir.path }), {
        log: createRecordedLog(),
        timings: { ...quickTimings, effectTimeoutMs: 20_000 },
      })
      await hub.start()
      const isIdle = () =>
        service.until(() => service.pictureOf(PRINTER).status === 'idle', 'the printer to be idle', 60_000)
      await isIdle()
      for (const kind of ['unload_filament', 'load_filament'] as const) {
        // What the picture shows may be a moment older than the machine.
        await expect.poll(() => peer.printer.report().activity, { timeout: 60_000 }).toBe('idle')
        await isIdle()
        const args = { slot: null, temperature: null }
        expect(await service.resultOf(service.command(kind, args))).toMatchObject({ ok: true })
        peer.printer.setSpeed(200)
        const isLoaded = () => peer.printer.report().filament !== null
        await expect.poll(isLoaded, { timeout: 60_000 }).toBe(kind === 'load_filament')
      }
    } finally {
      await hub?.stop()
      hub = undefined
      await peer.close()
    }
  },
)
