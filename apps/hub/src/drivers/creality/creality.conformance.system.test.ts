import {
  type CrealitySimulatorOptions,
  startCrealitySimulator,
} from '@printyard/virtual-printers/creality/creality-simulator'
import { createVirtualPrinter } from '@printyard/virtual-printers/create-virtual-printer'
import { startCameraServer } from '@printyard/virtual-printers/wire/camera-server'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { describeDriver } from '../../test/conformance/describe-driver.ts'
import { describeRunTruth } from '../../test/conformance/describe-run-truth.ts'
import { type Rig, sampleFile, startRig } from '../../test/conformance/driver-rig.ts'
import { buildPrinter } from '../../test/test-service.ts'

async function startPeer(options: Partial<CrealitySimulatorOptions> = {}) {
  const printer = createVirtualPrinter({ id: 'creality', model: 'K1 Max', speed: 1 })
  await printer.powerOn()
  const camera = await startCameraServer(printer)
  const simulator = await startCrealitySimulator({ printer, ...options })
  return {
    printer,
    simulator,
    camera,
    connection: {
      address: '127.0.0.1',
      port: simulator.port,
      http_port: simulator.port,
      camera_port: camera.port,
    } as Record<string, unknown>,
    wrongConnection: undefined,
    cut: simulator.cut,
    setEndsLinger: simulator.setEndsLinger,
    sendNonsense() {
      const texts = ['', '{', 'null', '[]', '7', 'ok', '"state"', '{"err": 5, "boxsInfo": [1]}', '{"ModeCode": null}']
      for (const text of texts) simulator.sendRaw(text)
      simulator.sendRaw('{"nozzleTemp": "hot", "layer": -1, "printLeftTime": "NaN", "__proto__": {"state": 9}}')
    },
    async close() {
      await Promise.all([simulator.close(), camera.close()])
    },
  }
}

describeDriver('creality', startPeer, { fullStorage: false })
describeRunTruth('a printer of the K series', 'creality', startPeer)
describeRunTruth('a K1, which hangs up once it has started,', 'creality', () => startPeer({ closesAfterStart: true }))

const used = (index: number) => ({ index, type: 'PLA', colorHex: null })

describe('a printer of the K series', () => {
  let peer: Awaited<ReturnType<typeof startPeer>>
  let rig: Rig | undefined
  const soon = () => AbortSignal.timeout(15_000)
  const starts = () => peer.printer.events.filter(({ kind }) => kind === 'started').length

  async function become(options: Partial<CrealitySimulatorOptions> = {}, more: Record<string, unknown> = {}) {
    peer = await startPeer(options)
    const connection = { ...peer.connection, ...more }
    const running = await startRig(buildPrinter({ connection_type: 'creality', connection }))
    rig = running
    await running.until(({ status }) => status === 'idle', 'the printer to be idle')
    return running
  }

  beforeEach(() => {
    rig = undefined
  })
  afterEach(async () => {
    await rig?.close()
    await peer.close()
    await peer.printer.powerOff()
  })

  test('is answered each heartbeat', async () => {
    await become()
    await vi.waitFor(() => expect(peer.simulator.heartbeatsAnswered).toBeGreaterThan(1), { timeout: 20_000 })
  })

  test('prints nothing from a material box until a slot is chosen, and says which there are', async () => {
    const { driver, makeFile } = await become({ hasBox: true })
    await driver.upload(makeFile('cube-0001.gcode'), soon())
    await expect(driver.startPrint('cube-0001.gcode', sampleFile, soon())).rejects.toMatchObject({
      code: 'REFUSED',
      message: expect.stringMatching(/slot.*external, 1A, 1B/),
    })
    expect(peer.simulator.airPrints).toBe(0)
    expect(starts()).toBe(0)
  })

  test('prints from the slot that was chosen', async () => {
    const { driver, makeFile, until } = await become({ hasBox: true }, { slot: '1b' })
    await driver.upload(makeFile('cube-0001.gcode'), soon())
    await driver.startPrint('cube-0001.gcode', { ...sampleFile, filaments: [used(0)] }, soon())
    await until(({ run }) => run?.file_name === 'cube-0001.gcode', 'the run')
    expect(peer.simulator.lastSlots).toEqual([{ id: 'T1A', type: 'PETG', color: '#007a92c', boxId: 1, materialId: 1 }])
    expect(peer.simulator.airPrints).toBe(0)
  })

  test('prints each filament from the slot that was chosen, whatever slot its connection names', async () => {
    const { driver, makeFile, until } = await become({ hasBox: true }, { slot: '1a' })
    expect(driver.capabilities.filamentMap).toBe('needed')
    await driver.upload(makeFile('cube-0001.gcode'), soon())
    const filament_map = [
      { filament: 0, slot: 1 },
      { filament: 5, slot: 0 },
    ]
    await driver.startPrint('cube-0001.gcode', { ...sampleFile, filament_map }, soon())
    await until(({ run }) => run?.file_name === 'cube-0001.gcode', 'the run')
    expect(peer.simulator.lastSlots).toEqual([
      { id: 'T1A', type: 'PETG', color: '#007a92c', boxId: 1, materialId: 1 },
      { id: 'T2B', type: 'PLA', color: '#0ba552a', boxId: 1, materialId: 0 },
    ])
  })

  test.each([
    ['two filaments and one slot in its connection', { filaments: [used(0), used(1)] }],
    ['a file of which the filaments are not known', { filaments: null }],
    ['a filament without a slot', { filament_map: [{ filament: 0, slot: null }] }],
    [
      'a filament of the file that the command leaves out',
      { filament_map: [{ filament: 0, slot: 0 }], filaments: [used(1)] },
    ],
    ['an empty slot', { filament_map: [{ filament: 0, slot: 2 }] }],
    ['a slot that is not there', { filament_map: [{ filament: 0, slot: 9 }] }],
    [
      'the holder together with a box',
      {
        filament_map: [
          { filament: 0, slot: 254 },
          { filament: 1, slot: 0 },
        ],
      },
    ],
    [
      'two filaments from the holder',
      {
        filament_map: [
          { filament: 0, slot: 254 },
          { filament: 1, slot: 254 },
        ],
      },
    ],
  ])('prints nothing with %s', async (_, filaments) => {
    const { driver, makeFile } = await become({ hasBox: true }, { slot: '1b' })
    await driver.upload(makeFile('cube-0001.gcode'), soon())
    const started = driver.startPrint('cube-0001.gcode', { ...sampleFile, ...filaments }, soon())
    await expect(started).rejects.toMatchObject({ code: 'NOT_MAPPED' })
    expect(starts() + peer.simulator.airPrints).toBe(0)
  })

  test.each([
    ['1C', 'empty'],
    ['4D', 'no slot 4D'],
  ])('prints nothing from slot %s, which is not there or empty', async (slot, reason) => {
    const { driver, makeFile } = await become({ hasBox: true }, { slot })
    await driver.upload(makeFile('cube-0001.gcode'), soon())
    await expect(driver.startPrint('cube-0001.gcode', sampleFile, soon())).rejects.toThrow(reason)
    expect(starts() + peer.simulator.airPrints).toBe(0)
  })

  test('prints nothing while it is not known what the material box holds', async () => {
    const { driver, makeFile, until } = await become()
    await driver.upload(makeFile('cube-0001.gcode'), soon())
    peer.simulator.pretend({ cfsConnect: '1' })
    await driver.run({ kind: 'light', args: { on: true } }, soon())
    await until(({ light_on }) => light_on === true, 'the light')
    await expect(driver.startPrint('cube-0001.gcode', sampleFile, soon())).rejects.toThrow('has not said yet')
    expect(starts()).toBe(0)
  })

  test('that hangs up once it has started is found printing, and was asked once', async () => {
    const { driver, makeFile, until } = await become({ closesAfterStart: true })
    await driver.upload(makeFile('cube-0001.gcode'), soon())
    await expect(driver.startPrint('cube-0001.gcode', sampleFile, soon())).rejects.toMatchObject({ code: 'NO_ANSWER' })
    await until(({ run }) => run?.file_name === 'cube-0001.gcode', 'the run')
    expect(starts()).toBe(1)
  })

  test('shows a file with blanks under the name that we gave it', async () => {
    const { driver, makeFile, until } = await become()
    await driver.upload(makeFile('my big cube-0001.gcode'), soon())
    await driver.startPrint('my big cube-0001.gcode', sampleFile, soon())
    await until(({ run }) => run?.file_name === 'my big cube-0001.gcode', 'the run')
    expect(peer.printer.report().fileName).toBe('my_big_cube-0001.gcode')
    await driver.run({ kind: 'stop', args: { attempt_id: null } }, soon())
    await until(({ last_result }) => last_result?.run.file_name === 'my big cube-0001.gcode', 'the result')
    await driver.removeFile('my big cube-0001.gcode', soon())
    await vi.waitFor(async () => expect(await peer.printer.listFiles(soon())).toEqual([]), { timeout: 10_000 })
  })

  test('starts nothing while it tests itself, although it calls that processing', async () => {
    const { driver, makeFile, until } = await become()
    await driver.upload(makeFile('cube-0001.gcode'), soon())
    peer.simulator.pretend({ state: '0', withSelfTest: '40' })
    await until(({ status }) => status === 'maintenance', 'the self-test')
    await expect(driver.startPrint('cube-0001.gcode', sampleFile, soon())).rejects.toMatchObject({
      code: 'WRONG_STATE',
      message: 'it tests itself',
    })
    peer.simulator.pretend({})
    await until(({ status }) => status === 'idle', 'the end of the self-test')
    expect(starts()).toBe(0)
  })

  test('a temperature beyond its limit is refused with the limit, because it would be ignored', async () => {
    const { driver } = await become()
    await expect(driver.run({ kind: 'heaters', args: { nozzle: 350 } }, soon())).rejects.toMatchObject({
      code: 'REFUSED',
      message: 'the nozzle takes at most 300 °C, not 350',
    })
    await expect(driver.run({ kind: 'heaters', args: { chamber: 45 } }, soon())).rejects.toMatchObject({
      code: 'NOT_SUPPORTED',
    })
  })

  test('shows another spool in its material box without a new connection', async () => {
    const { until } = await become({ hasBox: true })
    await until(({ slots }) => slots?.[1]?.filament_type === 'PLA', 'the spool')
    peer.simulator.changeSpool(0, { type: 'ASA', color: '#0123456' })
    const { slots } = await until(({ slots }) => slots?.[1]?.filament_type === 'ASA', 'the other spool')
    expect(slots?.[1]).toMatchObject({ name: '1A', filament_color_hex: '#123456' })
  })

  test('loads filament by the G-code that its settings name', async () => {
    const { driver } = await become({}, { load_gcode: 'LOAD_MATERIAL' })
    expect(driver.capabilities.commands.has('load_filament')).toBe(true)
    expect(driver.capabilities.commands.has('unload_filament')).toBe(false)
    await driver.run({ kind: 'load_filament', args: { slot: null, temperature: null } }, soon())
    expect(peer.printer.report().activity).toBe('changing_filament')
  })
})
