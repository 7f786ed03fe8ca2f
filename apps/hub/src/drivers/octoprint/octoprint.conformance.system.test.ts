import { setTimeout as wait } from 'node:timers/promises'
import { createVirtualPrinter } from '@printyard/virtual-printers/create-virtual-printer'
import { startOctoPrintSimulator } from '@printyard/virtual-printers/octoprint/octoprint-simulator'
import { startCameraServer } from '@printyard/virtual-printers/wire/camera-server'
import { afterEach, describe, expect, test } from 'vitest'
import { createHub } from '../../hub.ts'
import { describeDriver } from '../../test/conformance/describe-driver.ts'
import { type Rig, sampleFile, startRig } from '../../test/conformance/driver-rig.ts'
import { createRecordedLog } from '../../test/quiet-log.ts'
import { buildConfig, makeDataDir } from '../../test/test-hub.ts'
import { buildPrinter, PRINTER, startTestService } from '../../test/test-service.ts'

const apiKey = '0123456789ABCDEF0123456789ABCDEF'

async function startPeer(basePath = '/', pausingMs = 100) {
  const printer = createVirtualPrinter({ id: 'octoprint', model: 'MK3S', speed: 1 })
  await printer.powerOn()
  const camera = await startCameraServer(printer)
  // As the host of OctoPrint sees it.
  const webcam = { snapshotUrl: `http://localhost:${camera.port}/?action=snapshot` }
  const simulator = await startOctoPrintSimulator({ printer, apiKey, webcam, basePath, pausingMs })
  const address = `http://127.0.0.1:${simulator.port}${basePath}`
  return {
    printer,
    simulator,
    camera,
    connection: { address, api_key: apiKey },
    wrongConnection: { address, api_key: 'FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF' },
    cut: simulator.cut,
    sendNonsense() {
      const texts = ['', '{', 'null', '[]', '{"current": 5}', '{"current": {"state": {"flags": []}}}', '\u0000']
      for (const text of texts) simulator.sendRaw(text)
      simulator.sendRaw('{"current": {"temps": [{"tool0": {"actual": "hot", "target": 1e99}}], "job": null}}')
      simulator.sendRaw('{"event": {"type": "constructor", "payload": {"path": "x"}}}')
    },
    async close() {
      await Promise.all([simulator.close(), camera.close()])
    },
  }
}

describeDriver('octoprint', () => startPeer(), { layers: false, light: false })

describe('OctoPrint', () => {
  let peer: Awaited<ReturnType<typeof startPeer>>
  let rig: Rig
  const soon = () => AbortSignal.timeout(15_000)
  const pause = () => rig.driver.run({ kind: 'pause', args: { attempt_id: null } }, soon())

  async function become(basePath?: string, { waitFactor = 0.1, pausingMs = 100 } = {}) {
    peer = await startPeer(basePath, pausingMs)
    rig = await startRig(buildPrinter({ connection_type: 'octoprint', connection: peer.connection }), waitFactor)
    await rig.until(({ status }) => status === 'idle', 'the printer to be idle')
  }

  async function print() {
    await rig.driver.upload(rig.makeFile('cube-0001.gcode'), soon())
    await rig.driver.startPrint('cube-0001.gcode', sampleFile, soon())
    const { run } = await rig.until((state) => state.run !== null, 'the run')
    return run
  }

  /** As a person does on OctoPrint's own pages. */
  async function press(path: string, body: object) {
    const { address } = peer.connection
    const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' }
    const answer = await fetch(`${address}${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      signal: soon(),
    })
    expect(answer.ok).toBe(true)
  }

  afterEach(async () => {
    await rig.close()
    await peer.close()
    await peer.printer.powerOff()
  })

  test('that is asked twice to pause does not go on', async () => {
    await become()
    await print()
    await pause()
    await rig.until(({ status }) => status === 'paused', 'the pause')
    await pause()
    expect(peer.printer.report().activity).toBe('paused')
    expect(peer.printer.events.map(({ kind }) => kind)).not.toContain('resumed')
  })

  test('that wants a new login is logged in to again, and its run is found', async () => {
    await become()
    await print()
    const { run } = rig.state
    const seen = rig.states.length
    peer.simulator.sendRaw('{"reauthRequired": {"reason": "logout"}}')
    await rig.until(() => rig.states.slice(seen).some(({ status }) => status === 'offline'), 'the end of the session')
    expect(await rig.until(({ status }) => status === 'printing', 'the run again')).toMatchObject({ run })
  })

  test('behind a path of a proxy is asked below that path, its push socket included', async () => {
    await become('/octoprint/')
    await print()
    await pause()
    await rig.until(({ status }) => status === 'paused', 'the pause')
    expect((await rig.driver.takeStill(soon())).length).toBeGreaterThan(100)
  })

  test('refuses a file whose name it does not take, in its own words', async () => {
    await become()
    await expect(rig.driver.upload(rig.makeFile('cube.bgcode'), soon())).rejects.toMatchObject({
      code: 'REFUSED',
      message: expect.stringContaining('extension'),
    })
  })

  test.each([
    ['an emergency stop', 'api/printer/command', { command: 'M112' }, 'error', /emergency stop M112/],
    ['a line that a person closes', 'api/connection', { command: 'disconnect' }, 'offline', /closed during the print/],
  ])(
    'ends the run of %s with its reason, and is in sight while it says nothing',
    async (_, path, body, status, reason) => {
      await become('/', { waitFactor: 0.02 })
      const run = await print()
      await press(path, body)
      const over = await rig.until(({ last_result }) => last_result !== null, 'the end')
      expect(over).toMatchObject({ status, run: null, last_result: { run, result: 'failed' } })
      expect(over.last_result?.reason).toMatch(reason)
      expect(over.run_mark).toBeNull()
      const said = rig.states.length
      // Three times as long as the silence after which OctoPrint is asked.
      await wait(1_000)
      expect(rig.states.slice(said).filter((state) => state.status !== status)).toEqual([])
      await press('api/connection', { command: 'connect' })
      const back = await rig.until((state) => state.status === 'idle', 'the return')
      expect(back.last_result).toEqual(over.last_result)
      expect(back.run_mark).toBeUndefined()
    },
  )

  test('is not paused before the printer has paused', async () => {
    await become('/', { pausingMs: 1_500 })
    await print()
    const said = rig.states.length
    await pause()
    await rig.until(({ status }) => status === 'paused', 'the pause')
    expect(peer.printer.report().activity).toBe('paused')
    expect(rig.states.slice(said).map(({ status }) => status)).toContain('printing')
  })

  test('that restarts in the middle of a print knows nothing of it, and no end is made up', async () => {
    await become()
    await print()
    peer.simulator.restart(500)
    await rig.until(({ status }) => status === 'offline', 'the restart')
    const back = await rig.until((state) => state.status === 'idle' && state.run_mark === undefined, 'the return')
    expect(back).toMatchObject({ run: null, last_result: null })
  })

  test('has on record how our print ended while no one was watching, over its own restart', async () => {
    await become()
    const run = await print()
    await rig.driver.stop()
    peer.printer.setSpeed(2_000)
    await expect.poll(() => peer.printer.report().lastResult, { timeout: 15_000 }).toBe('completed')
    peer.simulator.restart(500)
    await rig.driver.start(AbortSignal.timeout(60_000))
    const back = await rig.until(({ last_result }) => last_result !== null, 'the record')
    expect(back.last_result).toEqual({ run, result: 'completed', reason: null })
    // What a person prints from there on is not told as ours.
    peer.printer.setSpeed(1)
    peer.printer.startByHand('vase.gcode', { printTimeSeconds: 600, layerCount: 50, nozzleTemp: 215, bedTemp: 60 })
    await rig.until((state) => state.run?.file_name === 'vase.gcode', 'the print of a person')
    peer.simulator.restart(500)
    const since = rig.states.length
    await rig.until(() => rig.states.slice(since).some(({ status }) => status === 'offline'), 'the restart')
    expect((await rig.until(({ status }) => status !== 'offline', 'the return')).last_result).toBeNull()
  })
})

test('a print that ends while hub and OctoPrint are both down is settled by its record, and one without a record is not', async () => {
  const peer = await startPeer()
  const service = await startTestService()
  const dataDir = makeDataDir()
  service.printers = [buildPrinter({ connection_type: 'octoprint', connection: peer.connection })]
  const timings = { telemetryMs: 50, firstRetryMs: 50, confirmTimeoutMs: 2_000 }
  const startHub = async () => {
    const hub = createHub(buildConfig(service, { dataDir: dataDir.path }), { log: createRecordedLog(), timings })
    await hub.start()
    await service.until(() => service.pictureOf(PRINTER).status === 'idle', 'the printer to be idle', 20_000)
    return hub
  }
  const file = service.serve('cube.gcode', { content: Buffer.alloc(3_000, 'G1 X10 Y10 E1\n') })
  let hub = await startHub()
  try {
    service.command('print', { attempt_id: 'att_1', file })
    await service.reachesPhase('att_1', 'confirmed')
    await hub.stop()
    peer.printer.setSpeed(2_000)
    await expect.poll(() => peer.printer.report().lastResult, { timeout: 15_000 }).toBe('completed')
    peer.simulator.restart(0)
    peer.printer.setSpeed(1)
    hub = await startHub()
    expect(await service.reachesPhase('att_1', 'finished')).toMatchObject({ outcome: 'done' })
    peer.printer.takeOffPlate()

    service.command('print', { attempt_id: 'att_2', file })
    await service.reachesPhase('att_2', 'confirmed')
    await hub.stop()
    peer.simulator.restart(0)
    hub = await startHub()
    await service.until(() => service.reportsOf('att_2').at(-1)?.outcome === 'unknown', 'the question', 20_000)
    expect(service.reportsOf('att_2').at(-1)).toMatchObject({ phase: 'confirmed', reason_code: 'RESULT_LOST' })
  } finally {
    await hub.stop()
    await service.stop()
    dataDir.remove()
    await peer.close()
    await peer.printer.powerOff()
  }
}, 90_000)
