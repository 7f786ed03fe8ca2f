import { createVirtualPrinter } from '@printyard/virtual-printers/create-virtual-printer'
import { startMoonrakerSimulator } from '@printyard/virtual-printers/moonraker/moonraker-simulator'
import { startCameraServer } from '@printyard/virtual-printers/wire/camera-server'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createHub } from '../../hub.ts'
import { createRecordedLog } from '../../testing/quiet-log.ts'
import { buildConfig, makeDataDir } from '../../testing/test-hub.ts'
import { buildPrinter, PRINTER, startTestService } from '../../testing/test-service.ts'
import { describeDriver } from '../conformance/describe-driver.ts'
import { orderedFile, type Rig, startRig } from '../conformance/driver-rig.ts'

const apiKey = '0123456789abcdef0123456789abcdef'

async function startPeer() {
  const printer = createVirtualPrinter({ id: 'moonraker', model: 'Voron 2.4', speed: 1 })
  await printer.powerOn()
  const camera = await startCameraServer(printer)
  const webcams = [
    { name: 'off', snapshot_url: '/off?action=snapshot', enabled: false },
    { name: 'front', snapshot_url: '/webcam/?action=snapshot', enabled: true },
  ]
  const simulator = await startMoonrakerSimulator({ printer, apiKey, webcams })
  const connection = { address: '127.0.0.1', port: simulator.port, camera_port: camera.port, api_key: apiKey }
  return {
    printer,
    simulator,
    camera,
    connection,
    wrongConnection: { ...connection, api_key: 'ffffffffffffffffffffffffffffffff' },
    cut: simulator.cut,
    sendNonsense() {
      const update = (params: unknown) => JSON.stringify({ jsonrpc: '2.0', method: 'notify_status_update', params })
      const texts = ['', '{', 'null', '[]', '{"id": 999, "result": 1}', update(null), update([5]), update([[1]])]
      for (const text of texts) simulator.sendRaw(text)
      simulator.sendRaw(update([{ extruder: { temperature: 'hot', target: null }, __proto__: { x: 1 }, toString: 5 }]))
      simulator.sendRaw('{"jsonrpc": "2.0", "method": "notify_history_changed", "params": [{"job": 7}]}')
    },
    async close() {
      await Promise.all([simulator.close(), camera.close()])
    },
  }
}

describeDriver('moonraker', startPeer)

describe('Klipper behind Moonraker', () => {
  let peer: Awaited<ReturnType<typeof startPeer>>
  let rig: Rig
  const soon = () => AbortSignal.timeout(15_000)

  beforeEach(async () => {
    peer = await startPeer()
    rig = await startRig(buildPrinter({ connection_type: 'moonraker', connection: peer.connection }))
    await rig.until(({ status }) => status === 'idle', 'the printer to be idle')
  })
  afterEach(async () => {
    await rig.close()
    await peer.close()
    await peer.printer.powerOff()
  })

  test('in shutdown is an error with its own words, and found again when it is back', async () => {
    peer.simulator.setKlippy('shutdown')
    const down = await rig.until(({ status }) => status === 'error', 'the shutdown')
    expect(down.problems).toMatchObject([{ reason: 'firmware_stopped' }])
    peer.simulator.setKlippy('ready')
    const back = await rig.until(({ status }) => status === 'idle', 'the return')
    expect(back.problems).toEqual([])
  })

  test('a connection made while Klipper is down waits for it', async () => {
    peer.simulator.setKlippy('disconnected')
    peer.cut()
    const waiting = await rig.until(
      ({ status, status_reason }) => status === 'offline' && /Klipper/.test(status_reason ?? ''),
      'the wait',
    )
    expect(waiting.problems).toEqual([{ reason: 'printer_not_connected', message: null }])
    peer.simulator.setKlippy('ready')
    await rig.until(({ status }) => status === 'idle', 'the return')
  })

  test('a temperature out of its range is refused with the range', async () => {
    await expect(rig.driver.run({ kind: 'heaters', args: { nozzle: 400 } }, soon())).rejects.toMatchObject({
      code: 'REFUSED',
      message: expect.stringContaining('out of range'),
    })
  })

  test('a command that Klipper does not know is refused although the answer is ok', async () => {
    const load = { kind: 'load_filament', args: { slot: null, temperature: null } } as const
    await rig.driver.run(load, soon())
    peer.simulator.forgetMacros()
    await expect(rig.driver.run(load, soon())).rejects.toMatchObject({
      code: 'REFUSED',
      message: expect.stringContaining('Unknown command'),
    })
  })

  test('a chamber that is only measured cannot be heated', async () => {
    await expect(rig.driver.run({ kind: 'heaters', args: { chamber: 50 } }, soon())).rejects.toMatchObject({
      code: 'NOT_SUPPORTED',
    })
  })
})

describe('a long G-code that pause and cancel have to wait for', () => {
  let peer: Awaited<ReturnType<typeof startPeer>>
  const soon = () => AbortSignal.timeout(30_000)
  const called = (method: string) => peer.simulator.calls.filter((call) => call === method)
  const settings = () => buildPrinter({ connection_type: 'moonraker', connection: peer.connection })

  beforeEach(async () => {
    peer = await startPeer()
  })
  afterEach(async () => {
    await peer.close()
    await peer.printer.powerOff()
  })

  test.each([
    ['pause', 'printer.print.pause', 'paused'],
    ['stop', 'printer.print.cancel', 'idle'],
  ] as const)('leaves %s without an answer, and what was asked once happens once', async (kind, method, status) => {
    const rig = await startRig(settings())
    try {
      await rig.until(({ status }) => status === 'idle', 'the printer to be idle')
      await rig.driver.upload(rig.makeFile('cube-0001.gcode'), soon())
      await rig.driver.startPrint('cube-0001.gcode', orderedFile, soon())
      await rig.until(({ status }) => status === 'printing', 'the run')
      peer.simulator.setLongGcode(true)
      const asked = rig.driver.run({ kind, args: { attempt_id: null } }, soon())
      await expect(asked).rejects.toMatchObject({ code: 'NO_ANSWER' })
      expect(rig.state.status).toBe('printing')
      peer.simulator.setLongGcode(false)
      await rig.until((state) => state.status === status, `the effect of ${kind}`)
      expect(called(method)).toHaveLength(1)
    } finally {
      await rig.close()
    }
  })

  test('keeps a hub from nothing: the effect decides, although the connection broke before the answer', async () => {
    const service = await startTestService()
    const dataDir = makeDataDir()
    service.printers = [settings()]
    const hub = createHub(buildConfig(service, { dataDir: dataDir.path }), {
      log: createRecordedLog(),
      timings: { telemetryMs: 50, firstRetryMs: 50, effectTimeoutMs: 50_000 },
    })
    try {
      await hub.start()
      const shows = (status: string) =>
        service.until(() => service.pictureOf(PRINTER).status === status, `the printer to be ${status}`, 30_000)
      await shows('idle')
      const file = service.serve('cube.gcode', { content: Buffer.alloc(300_000, 'G1 X10 Y10 E1\n') })
      service.command('print', { attempt_id: 'att_1', file })
      await service.reachesPhase('att_1', 'confirmed')
      peer.simulator.setLongGcode(true)
      const pause = service.command('pause', { attempt_id: 'att_1' })
      await vi.waitFor(() => expect(called('printer.print.pause')).toHaveLength(1), { timeout: 20_000 })
      peer.cut()
      await shows('offline')
      await shows('printing')
      peer.simulator.setLongGcode(false)
      expect(await service.resultOf(pause, 60_000)).toMatchObject({ ok: true })
      await shows('paused')
      expect(called('printer.print.pause')).toHaveLength(1)
      const kinds = peer.printer.events.map(({ kind }) => kind)
      expect(kinds.filter((kind) => kind === 'started' || kind === 'paused')).toEqual(['started', 'paused'])
    } finally {
      await hub.stop()
      await service.stop()
      dataDir.remove()
    }
  })
})
