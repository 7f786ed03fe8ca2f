import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createVirtualPrinter } from '@printyard/virtual-printers/create-virtual-printer'
import { type Cc2SimulatorOptions, startCc2Simulator } from '@printyard/virtual-printers/elegoo/cc2-simulator'
import { startCameraServer } from '@printyard/virtual-printers/wire/camera-server'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { describeDriver } from '../../test/conformance/describe-driver.ts'
import { describeRunTruth } from '../../test/conformance/describe-run-truth.ts'
import { type Rig, sampleFile, startRig } from '../../test/conformance/driver-rig.ts'
import { buildPrinter } from '../../test/test-service.ts'

async function startPeer(options: Pick<Cc2SimulatorOptions, 'canvas'> = {}) {
  const printer = createVirtualPrinter({ id: 'cc2', model: 'Centauri Carbon', speed: 1 })
  await printer.powerOn()
  const accessCode = 'Pass-word-1'
  const simulator = await startCc2Simulator({ printer, serial: 'F01AB2C3D4E5F6G', accessCode, ...options })
  const camera = await startCameraServer(printer)
  const connection: Record<string, unknown> = {
    camera_port: camera.port,
    address: '127.0.0.1',
    port: simulator.port,
    http_port: simulator.httpPort,
    serial: 'F01AB2C3D4E5F6G',
    access_code: accessCode,
  }
  return {
    printer,
    simulator,
    camera,
    connection,
    wrongConnection: { ...connection, protocol: 'mqtt', access_code: 'Wrong-word-1' },
    cut: simulator.cut,
    setEndsLinger: simulator.setEndsLinger,
    sendNonsense() {
      const change = (result: unknown) => JSON.stringify({ id: 7, method: 6000, result })
      const texts = ['', '{', 'null', '[]', '7', '{"method": "6000"}', change(null), change([1]), change(5)]
      for (const text of texts) simulator.sendRaw(text)
      simulator.sendRaw('{"id": 8, "method": 6000, "result": {"__proto__": {"machine_status": 1}, "toString": 1}}')
      simulator.sendRaw(change({ extruder: { temperature: 'hot' }, print_status: { current_layer: -1 } }))
      simulator.sendRaw('{"method": 6008, "result": [1]}')
    },
    async close() {
      await Promise.all([simulator.close(), camera.close()])
    },
  }
}

describeDriver('elegoo', () => startPeer(), { fullStorage: false, family: 'elegoo_cc2' })
describeRunTruth('a Centauri Carbon 2', 'elegoo', () => startPeer())

describe('a broker that is none', () => {
  const connAck = Buffer.from([0x20, 2, 0, 0])

  test.each([
    ['never greets', () => undefined],
    ['greets and says no more', (socket: Socket) => socket.once('data', () => socket.write(connAck))],
    [
      'greets and hangs up on the first request',
      (socket: Socket) => socket.once('data', () => socket.write(connAck, () => socket.on('data', () => socket.end()))),
    ],
  ])('and %s keeps no driver from stopping', async (_name, treat) => {
    const sockets = new Set<Socket>()
    const server = createServer((socket) => {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
      treat(socket)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const connection = { address: '127.0.0.1', port, protocol: 'mqtt', serial: 'F01' }
    const rig = await startRig(buildPrinter({ connection_type: 'elegoo', connection }))
    await vi.waitFor(() => expect(sockets.size).toBeGreaterThan(0), { timeout: 10_000 })
    await rig.until(({ status }) => status === 'offline', 'that it is given up', 20_000)
    await rig.close()
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
    expect(rig.states.every(({ status }) => status === 'offline')).toBe(true)
  })
})

describe('a Centauri Carbon 2', () => {
  let peer: Awaited<ReturnType<typeof startPeer>>
  let rig: Rig | undefined
  const soon = () => AbortSignal.timeout(15_000)
  const starts = () => peer.printer.events.filter(({ kind }) => kind === 'started').length

  async function connect(more: Record<string, unknown> = {}) {
    const connection = { ...peer.connection, ...more }
    rig = await startRig(buildPrinter({ connection_type: 'elegoo', connection }))
    return rig
  }

  async function becomeIdle(more: Record<string, unknown> = {}) {
    const running = await connect(more)
    await running.until(({ status }) => status === 'idle', 'the printer to be idle')
    return running
  }

  beforeEach(async () => {
    rig = undefined
    peer = await startPeer()
  })
  afterEach(async () => {
    await rig?.close()
    await peer.close()
    await peer.printer.powerOff()
  })

  test('tells its serial number itself when the settings do not', async () => {
    const { state } = await becomeIdle({ protocol: 'mqtt', serial: undefined })
    expect(state.status).toBe('idle')
  })

  test('does not tell its serial number to a wrong access code', async () => {
    const { until } = await connect({ protocol: 'mqtt', serial: undefined, access_code: 'Wrong-word-1' })
    const state = await until(({ status_reason }) => status_reason !== null, 'the refusal')
    expect(state).toMatchObject({ status: 'offline', status_reason: 'credentials refused' })
  })

  test('that has too many clients is offline with that reason, and found when one of them goes', async () => {
    peer.simulator.setOtherClients(4)
    const { until } = await connect()
    const refused = await until(({ status_reason }) => /no connection left/.test(status_reason ?? ''), 'the refusal')
    expect(refused).toMatchObject({ status: 'offline', problems: [{ reason: 'too_many_connections', message: null }] })
    peer.simulator.setOtherClients(3)
    await until(({ status }) => status === 'idle', 'the printer')
  })

  test('that is not in LAN-only mode is offline with a hint at it', async () => {
    peer.simulator.setLanOnly(false)
    const { until } = await connect()
    await until(({ status_reason }) => /LAN-only mode/.test(status_reason ?? ''), 'the hint')
  })

  test('is asked for everything again when a change was lost', async () => {
    const { until } = await becomeIdle()
    await vi.waitFor(() => expect(peer.simulator.fullStatusCount).toBe(1), { timeout: 10_000 })
    await peer.printer.setTargets({ bed: 41 }, soon())
    await until(({ target_bed_temp }) => target_bed_temp === 41, 'a change that arrives')
    peer.simulator.loseChanges(1)
    await peer.printer.setLight(true, soon())
    await until(({ light_on }) => light_on === true, 'the light')
    await vi.waitFor(() => expect(peer.simulator.fullStatusCount).toBeGreaterThan(1), { timeout: 10_000 })
  })

  test('is sent a file in pieces over one connection', async () => {
    const { driver, makeFile } = await becomeIdle()
    const before = peer.simulator.httpConnectionCount
    await driver.upload(makeFile('cube-0001.gcode', 5_500_000), soon())
    expect(await peer.printer.listFiles(soon())).toEqual([{ fileName: 'cube-0001.gcode', sizeBytes: 5_500_000 }])
    expect(peer.simulator.httpConnectionCount - before).toBe(1)
  })

  test('that misses a piece of a file has it taken away, and the next try is whole', async () => {
    const { driver, makeFile } = await becomeIdle()
    const file = makeFile('cube-0001.gcode', 2_500_000)
    peer.simulator.losePiece()
    await expect(driver.upload(file, soon())).rejects.toMatchObject({
      code: 'UPLOAD_BROKEN',
      message: 'the printer misses a piece of the file',
    })
    await driver.upload(file, soon())
    expect(await peer.printer.listFiles(soon())).toEqual([{ fileName: 'cube-0001.gcode', sizeBytes: 2_500_000 }])
  })

  test('refuses what it cannot do in its own words', async () => {
    const { driver } = await becomeIdle()
    await expect(driver.startPrint('nothing.gcode', sampleFile, soon())).rejects.toMatchObject({
      code: 'REFUSED',
      message: 'the printer does not find the file',
    })
    await expect(driver.run({ kind: 'pause', args: { attempt_id: null } }, soon())).rejects.toMatchObject({
      code: 'WRONG_STATE',
      message: 'the printer is not printing',
    })
    await expect(driver.run({ kind: 'heaters', args: { chamber: 45 } }, soon())).rejects.toMatchObject({
      code: 'NOT_SUPPORTED',
    })
    await driver.removeFile('nothing.gcode', soon())
  })

  test('is never asked a second time to start by a connection that comes back', async () => {
    const { driver, makeFile, until } = await becomeIdle()
    await driver.upload(makeFile('cube-0001.gcode'), soon())
    peer.printer.setFaults(['lost_link'])
    const start = driver.startPrint('cube-0001.gcode', sampleFile, soon())
    start.catch(() => undefined)
    peer.cut()
    await expect(start).rejects.toMatchObject({ code: expect.stringMatching(/^(NO_ANSWER|UNREACHABLE)$/) })
    peer.printer.setFaults([])
    await until(({ status }) => status === 'offline', 'the loss')
    await until(({ status }) => status === 'idle', 'the printer again')
    await driver.run({ kind: 'light', args: { on: true } }, soon())
    expect(peer.simulator.asked.filter((method) => method === 1020)).toEqual([])
    expect(starts()).toBe(0)
  })

  describe('with a Canvas', () => {
    const spools = [{ type: 'PLA', color: '#ba552a' }, { type: 'PETG', color: '#007A92' }, null]
    const used = (index: number) => ({ index, type: null, colorHex: null })

    async function becomeReady(canvas: Cc2SimulatorOptions['canvas'] = spools) {
      await peer.close()
      await peer.printer.powerOff()
      peer = await startPeer({ canvas })
      const running = await becomeIdle()
      await running.until(({ slots }) => slots !== null && slots !== undefined, 'the trays')
      await running.driver.upload(running.makeFile('cube-0001.gcode'), soon())
      return running
    }

    test('tells of its trays, and of another spool without a new connection', async () => {
      const { state, driver, until } = await becomeReady()
      expect(state.slots).toEqual([
        expect.objectContaining({ slot: 0, filament_type: 'PLA', filament_color_hex: '#BA552A', is_active: true }),
        expect.objectContaining({ slot: 1, filament_type: 'PETG', is_external: false, is_empty: false }),
        expect.objectContaining({ slot: 2, filament_type: null, filament_color_hex: null, is_empty: true }),
      ])
      expect(driver.capabilities.filamentMap).toBe('needed')
      peer.simulator.changeSpool(2, { type: 'TPU', color: '#000000' })
      const changed = await until(({ slots }) => slots?.[2]?.filament_type === 'TPU', 'the other spool')
      expect(changed.slots).toHaveLength(3)
    })

    test('prints each tool from the tray that was chosen', async () => {
      const { driver, until } = await becomeReady()
      const filament_map = [
        { filament: 0, slot: 1 },
        { filament: 3, slot: 0 },
      ]
      await driver.startPrint('cube-0001.gcode', { ...sampleFile, filament_map }, soon())
      await until(({ run }) => run?.file_name === 'cube-0001.gcode', 'the run')
      expect(Object.fromEntries(peer.simulator.toolTrays)).toEqual({ 0: 1, 3: 0 })
    })

    test('prints one filament from the only spool without being told', async () => {
      const { driver, until } = await becomeReady([null, spools[1] ?? null])
      await driver.startPrint('cube-0001.gcode', { ...sampleFile, filaments: [used(2)] }, soon())
      await until(({ run }) => run?.file_name === 'cube-0001.gcode', 'the run')
      expect(Object.fromEntries(peer.simulator.toolTrays)).toEqual({ 2: 1 })
    })

    test.each([
      ['two spools and no map', { filaments: [used(0)] }],
      ['a file of which the filaments are not known', {}],
      ['a filament without a tray', { filament_map: [{ filament: 0, slot: null }] }],
      [
        'a filament of the file that the command leaves out',
        { filament_map: [{ filament: 0, slot: 0 }], filaments: [used(1)] },
      ],
      ['an empty tray', { filament_map: [{ filament: 0, slot: 2 }] }],
      ['a tray that it does not have', { filament_map: [{ filament: 0, slot: 7 }] }],
    ])('prints nothing with %s: it would print from any tray', async (_, filaments) => {
      const { driver } = await becomeReady()
      const started = driver.startPrint('cube-0001.gcode', { ...sampleFile, ...filaments }, soon())
      await expect(started).rejects.toMatchObject({ code: 'NOT_MAPPED' })
      expect(peer.simulator.asked).not.toContain(1020)
      expect(starts()).toBe(0)
    })

    test('prints nothing from a tray that was emptied since', async () => {
      const { driver } = await becomeReady()
      peer.simulator.changeSpool(1, null)
      const filament_map = [{ filament: 0, slot: 1 }]
      const started = driver.startPrint('cube-0001.gcode', { ...sampleFile, filament_map }, soon())
      await expect(started).rejects.toMatchObject({ code: 'NOT_MAPPED' })
      expect(starts()).toBe(0)
    })
  })
})
