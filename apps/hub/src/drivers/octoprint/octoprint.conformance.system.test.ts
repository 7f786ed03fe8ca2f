import { createVirtualPrinter } from '@printyard/virtual-printers/create-virtual-printer'
import { startOctoPrintSimulator } from '@printyard/virtual-printers/octoprint/octoprint-simulator'
import { startCameraServer } from '@printyard/virtual-printers/wire/camera-server'
import { afterEach, describe, expect, test } from 'vitest'
import { buildPrinter } from '../../testing/test-service.ts'
import { describeDriver } from '../conformance/describe-driver.ts'
import { orderedFile, type Rig, startRig } from '../conformance/driver-rig.ts'

const apiKey = '0123456789ABCDEF0123456789ABCDEF'

async function startPeer(basePath = '/') {
  const printer = createVirtualPrinter({ id: 'octoprint', model: 'MK3S', speed: 1 })
  await printer.powerOn()
  const camera = await startCameraServer(printer)
  // As the host of OctoPrint sees it.
  const webcam = { snapshotUrl: `http://localhost:${camera.port}/?action=snapshot` }
  const simulator = await startOctoPrintSimulator({ printer, apiKey, webcam, basePath })
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

  async function become(basePath?: string) {
    peer = await startPeer(basePath)
    rig = await startRig(buildPrinter({ connection_type: 'octoprint', connection: peer.connection }))
    await rig.until(({ status }) => status === 'idle', 'the printer to be idle')
  }

  async function print() {
    await rig.driver.upload(rig.makeFile('cube-0001.gcode'), soon())
    await rig.driver.startPrint('cube-0001.gcode', orderedFile, soon())
    await rig.until(({ run }) => run !== null, 'the run')
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
})
