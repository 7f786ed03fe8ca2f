import { HappyHareChanger } from '@printyard/virtual-printers/moonraker/happy-hare'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { describeDriver } from '../../test/conformance/describe-driver.ts'
import { type Rig, sampleFile, startRig } from '../../test/conformance/driver-rig.ts'
import { type MoonrakerPeer, startMoonrakerPeer } from '../../test/moonraker-peer.ts'
import { buildPrinter } from '../../test/test-service.ts'

describeDriver('moonraker', () => startMoonrakerPeer())

describe('Klipper behind Moonraker', () => {
  let peer: MoonrakerPeer
  let rig: Rig
  const soon = () => AbortSignal.timeout(15_000)

  beforeEach(async () => {
    peer = await startMoonrakerPeer()
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

describe('a changer with Happy Hare', () => {
  const spools = [{ type: 'PLA', color: 'ff0000' }, { type: 'PETG', color: '00ff00' }, null]
  let changer: HappyHareChanger
  let peer: MoonrakerPeer
  let rig: Rig
  const soon = () => AbortSignal.timeout(15_000)
  const starts = () => peer.printer.events.filter(({ kind }) => kind === 'started').length
  const command = (...slots: number[]) => ({
    ...sampleFile,
    filament_map: slots.map((slot, filament) => ({ filament, slot })),
  })

  beforeEach(async () => {
    changer = new HappyHareChanger(spools)
    peer = await startMoonrakerPeer({ changer })
    rig = await startRig(buildPrinter({ connection_type: 'moonraker', connection: peer.connection }))
    await rig.until(({ status, slots }) => status === 'idle' && slots?.length === 3, 'the printer with its gates')
    await rig.driver.upload(rig.makeFile('cube-0001.gcode'), soon())
  })
  afterEach(async () => {
    await rig.close()
    await peer.close()
    await peer.printer.powerOff()
  })

  test('prints each tool from the gate that was chosen', async () => {
    expect(rig.driver.capabilities.filamentMap).toBe('optional')
    await rig.driver.startPrint('cube-0001.gcode', command(1, 0), soon())
    await rig.until(({ run }) => run !== null, 'the run')
    expect(changer.toolGates).toEqual([1, 0, 2])
  })

  test('keeps its own map without one in the command', async () => {
    await rig.driver.startPrint('cube-0001.gcode', sampleFile, soon())
    await rig.until(({ run }) => run !== null, 'the run')
    expect(changer.toolGates).toEqual([0, 1, 2])
  })

  test('that does not show the map which it was sent starts nothing', async () => {
    changer.ignoreMaps()
    const started = rig.driver.startPrint('cube-0001.gcode', command(1, 0), soon())
    await expect(started).rejects.toMatchObject({ code: 'NOT_MAPPED', message: expect.stringContaining('take over') })
    expect(starts()).toBe(0)
  })

  test('starts nothing from an empty gate', async () => {
    await expect(rig.driver.startPrint('cube-0001.gcode', command(2), soon())).rejects.toMatchObject({
      code: 'NOT_MAPPED',
    })
    expect(changer.toolGates).toEqual([0, 1, 2])
    expect(starts()).toBe(0)
  })
})
