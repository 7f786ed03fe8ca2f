import { afterEach, describe, expect, test } from 'vitest'
import { createHub } from '../../hub.ts'
import { type Rig, startRig } from '../../test/conformance/driver-rig.ts'
import { startPeerOf } from '../../test/printer-peers.ts'
import { createRecordedLog } from '../../test/quiet-log.ts'
import { buildConfig, makeDataDir, quickTimings } from '../../test/test-hub.ts'
import { buildPrinter, PRINTER, startTestService } from '../../test/test-service.ts'

const soon = () => AbortSignal.timeout(20_000)
/** Of a file of the tests a half. */
const HALF_BYTES = 100_000

describe.each(['octoprint', 'moonraker'] as const)('%s, whose disk is full before a file is whole,', (type) => {
  const cleanUps: (() => Promise<void> | void)[] = []
  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
  })

  async function startPeer() {
    const peer = await startPeerOf[type]()
    cleanUps.push(peer.close)
    return { ...peer, settings: buildPrinter({ connection_type: type, connection: peer.connection }) }
  }

  async function connect() {
    const { simulator, settings } = await startPeer()
    const rig: Rig = await startRig(settings)
    cleanUps.push(rig.close)
    await rig.until(({ status }) => status === 'idle', 'the printer to be idle')
    return { simulator, rig, upload: () => rig.driver.upload(rig.makeFile('cube.gcode'), soon()) }
  }

  test('only hangs up, and is told to be full by what it has free', async () => {
    const { simulator, upload } = await connect()
    simulator.setFreeBytes(HALF_BYTES)
    await expect(upload()).rejects.toMatchObject({ problem: { reason: 'storage_full' } })
    simulator.setFreeBytes(HALF_BYTES * 10)
    await upload()
  })

  test('is not blamed for a line that breaks while there is room', async () => {
    const { simulator, rig } = await connect()
    const file = { ...rig.makeFile('cube.gcode', 2_000_000), onSent: () => simulator.cut() }
    await expect(rig.driver.upload(file, soon())).rejects.toMatchObject({ code: 'NO_ANSWER' })
  })

  test('is named as the reason of the attempt and as a problem of the printer, until a file finds room', async () => {
    const { simulator, settings } = await startPeer()
    const service = await startTestService()
    cleanUps.push(service.stop)
    const dataDir = makeDataDir()
    cleanUps.push(dataDir.remove)
    service.printers = [settings]
    const hub = createHub(buildConfig(service, { dataDir: dataDir.path }), {
      log: createRecordedLog(),
      timings: { ...quickTimings, readyTimeoutMs: 20_000 },
    })
    cleanUps.push(hub.stop)
    await hub.start()
    const problems = () => service.pictureOf(PRINTER).problems?.map(({ reason }) => reason)
    await service.until(() => service.pictureOf(PRINTER).status === 'idle', 'the printer to be idle')
    const file = service.serve('cube.gcode', { content: Buffer.alloc(HALF_BYTES * 2, 'G1 X10 Y10 E1\n') })
    simulator.setFreeBytes(HALF_BYTES)
    service.command('print', { attempt_id: 'att_full', file })
    const refused = await service.reachesPhase('att_full', 'finished')
    expect(refused).toMatchObject({ outcome: 'not_started', evidence: { detail: expect.stringMatching(/full|room/i) } })
    await service.until(() => problems()?.includes('storage_full'), 'the full storage among the problems')
    simulator.setFreeBytes(HALF_BYTES * 10)
    service.command('print', { attempt_id: 'att_room', file })
    await service.reachesPhase('att_room', 'starting')
    await service.until(() => problems()?.length === 0, 'the problem to be over')
  })
})
