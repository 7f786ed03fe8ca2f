import { setTimeout as pause } from 'node:timers/promises'
import { createVirtualPrinter } from '@printyard/virtual-printers/create-virtual-printer'
import { startPrusaLinkSimulator } from '@printyard/virtual-printers/prusalink/prusalink-simulator'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createHub, type Hub } from './hub.ts'
import { createRecordedLog } from './test/quiet-log.ts'
import { buildConfig, makeDataDir, quickTimings } from './test/test-hub.ts'
import { buildPrinter, startTestService, type TestService } from './test/test-service.ts'

const WAIT_FACTOR = 0.05
const IDLE_POLL_MS = 5_000

/** Larger than what the system takes of a connection without a reader. */
const fileOf = (service: TestService, name: string) =>
  service.serve(name, { content: Buffer.alloc(20 * 1024 * 1024, `G1 X10 Y10 E1 ;${name}\n`) })

async function startPeer(id: string) {
  const printer = createVirtualPrinter({ id, model: 'MK4S' })
  await printer.powerOn()
  const simulator = await startPrusaLinkSimulator({ printer, password: 'Pass-word-1' })
  const connection = { address: '127.0.0.1', port: simulator.port, password: 'Pass-word-1' }
  return { printer, simulator, settings: buildPrinter({ printer_id: id, connection_type: 'prusalink', connection }) }
}

describe('a printer that takes the connection and never reads the file', { timeout: 60_000 }, () => {
  let service: TestService
  let hub: Hub
  let dataDir: ReturnType<typeof makeDataDir>
  let hanging: Awaited<ReturnType<typeof startPeer>>
  let other: Awaited<ReturnType<typeof startPeer>>

  beforeEach(async () => {
    service = await startTestService()
    dataDir = makeDataDir()
    hanging = await startPeer('prn_hanging')
    other = await startPeer('prn_other')
    service.printers = [hanging.settings, other.settings]
    const timings = { ...quickTimings, confirmTimeoutMs: 20_000, handshakeMs: 1_000, readyTimeoutMs: 20_000 }
    hub = createHub(buildConfig(service, { dataDir: dataDir.path }), {
      log: createRecordedLog(),
      timings,
      waitFactor: WAIT_FACTOR,
    })
    await hub.start()
    for (const id of ['prn_hanging', 'prn_other']) {
      await service.until(() => service.pictureOf(id).status === 'idle', `${id} to be idle`)
    }
    hanging.simulator.holdsUploads = true
    const file = fileOf(service, 'hanging.gcode')
    service.command('print', { attempt_id: 'att_hanging', file }, { printer_id: 'prn_hanging' })
    await service.until(() => hanging.simulator.heldUploads === 1, 'the upload')
    // The next polls fall due, and wait behind the upload where the printer is asked one thing at a time.
    await pause(2 * IDLE_POLL_MS * WAIT_FACTOR)
  })
  afterEach(async () => {
    await hub.stop()
    await service.stop()
    for (const { simulator, printer } of [hanging, other]) {
      await simulator.close()
      await printer.powerOff()
    }
    dataDir.remove()
  })

  const printsOnTheOther = async () => {
    const file = fileOf(service, 'other.gcode')
    service.command('print', { attempt_id: 'att_other', file }, { printer_id: 'prn_other' })
    await service.reachesPhase('att_other', 'confirmed', 8_000)
  }

  test('holds no other printer, not even when its settings change or it is removed meanwhile', async () => {
    const { connection } = hanging.settings
    const changed = { ...hanging.settings, connection: { ...connection, username: 'maker' } }
    service.send('configure', { printers: [changed, other.settings] })
    await printsOnTheOther()
    expect(service.reportsOf('att_hanging').at(-1)).toMatchObject({ phase: 'transferring' })
    // The upload begins again over the new connection, and a printer that reads again gets its file.
    hanging.simulator.holdsUploads = false
    await service.reachesPhase('att_hanging', 'confirmed')
    expect(hanging.printer.events.filter(({ kind }) => kind === 'started')).toHaveLength(1)
  })

  test('is let go of by a cancel, which ends its connection and leaves no file', async () => {
    const cancelled = service.command('stop', { attempt_id: 'att_hanging' }, { printer_id: 'prn_hanging' })
    expect(await service.resultOf(cancelled, 8_000)).toMatchObject({ ok: true })
    expect(service.reportsOf('att_hanging').at(-1)).toMatchObject({ phase: 'finished', outcome: 'cancelled' })
    hanging.simulator.holdsUploads = false
    await expect.poll(() => hanging.simulator.openConnections, { timeout: 8_000 }).toBe(0)
    expect(await hanging.printer.listFiles(AbortSignal.timeout(5_000))).toEqual([])
    await printsOnTheOther()
  })

  test('goes without holding the others when it is removed', async () => {
    service.send('configure', { printers: [other.settings] })
    await printsOnTheOther()
    hanging.simulator.holdsUploads = false
    await expect.poll(() => hanging.simulator.openConnections, { timeout: 8_000 }).toBe(0)
    expect(await hanging.printer.listFiles(AbortSignal.timeout(5_000))).toEqual([])
  })
})
