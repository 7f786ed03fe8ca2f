import { createVirtualPrinter } from '@printyard/virtual-printers/create-virtual-printer'
import { type SdcpSimulatorOptions, startSdcpSimulator } from '@printyard/virtual-printers/elegoo/sdcp-simulator'
import { startCameraServer } from '@printyard/virtual-printers/wire/camera-server'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { describeDriver } from '../../test/conformance/describe-driver.ts'
import { describeRunTruth } from '../../test/conformance/describe-run-truth.ts'
import { type Rig, sampleFile, startRig } from '../../test/conformance/driver-rig.ts'
import { buildPrinter } from '../../test/test-service.ts'

async function startPeer(options: Partial<SdcpSimulatorOptions> = {}) {
  const printer = createVirtualPrinter({ id: 'sdcp', model: 'Centauri Carbon', speed: 1 })
  await printer.powerOn()
  const camera = await startCameraServer(printer)
  const videoUrl = `127.0.0.1:${camera.port}/video`
  const simulator = await startSdcpSimulator({ printer, videoUrl, ...options })
  return {
    printer,
    simulator,
    camera,
    connection: { address: '127.0.0.1', port: simulator.port } as Record<string, unknown>,
    wrongConnection: undefined,
    cut: simulator.cut,
    setEndsLinger: simulator.setEndsLinger,
    sendNonsense() {
      const texts = ['', '{', 'null', '[]', '7', 'pong', '{"Status": 5}', '{"Status": []}', '{"Attributes": null}']
      for (const text of texts) simulator.sendRaw(text)
      simulator.sendRaw('{"Status": {"TempOfNozzle": "hot", "__proto__": {"CurrentStatus": [7]}, "toString": 1}}')
      simulator.sendRaw('{"Data": {"RequestID": "x", "Data": {"Ack": 9}}}')
    },
    async close() {
      await Promise.all([simulator.close(), camera.close()])
    },
  }
}

describeDriver('elegoo', startPeer, { family: 'elegoo_cc' })
describeRunTruth('a Centauri Carbon', 'elegoo', startPeer)

describe('a Centauri Carbon', () => {
  let peer: Awaited<ReturnType<typeof startPeer>>
  let rig: Rig | undefined
  const soon = () => AbortSignal.timeout(15_000)
  const starts = () => peer.printer.events.filter(({ kind }) => kind === 'started').length

  async function become(options: Partial<SdcpSimulatorOptions> = {}, more: Record<string, unknown> = {}) {
    peer = await startPeer(options)
    const connection = { ...peer.connection, ...more }
    const running = await startRig(buildPrinter({ connection_type: 'elegoo', connection }))
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

  test('is understood when its protocol is named', async () => {
    const { state } = await become({}, { protocol: 'sdcp', mainboard_id: '3f1c0a5be21d' })
    expect(state.status).toBe('idle')
  })

  test('is found by an address with its port in it', async () => {
    peer = await startPeer()
    const connection = { address: `127.0.0.1:${peer.simulator.port}` }
    rig = await startRig(buildPrinter({ connection_type: 'elegoo', connection }))
    expect((await rig.until(({ status }) => status === 'idle', 'the printer')).status_reason).toBeNull()
  })

  test('that receives a file while it prints is printing, and while it levels its bed is busy', async () => {
    const { driver, makeFile, until } = await become()
    await driver.upload(makeFile('cube-0001.gcode'), soon())
    await driver.startPrint('cube-0001.gcode', sampleFile, soon())
    await until(({ run }) => run?.file_name === 'cube-0001.gcode', 'the run')
    peer.simulator.pretendStatus([2, 5])
    expect(await until(({ status }) => status === 'maintenance', 'the levelling')).toMatchObject({
      status_reason: 'it levels its bed',
    })
    peer.simulator.pretendStatus([2, 1])
    expect((await until(({ status }) => status === 'printing', 'the print')).run?.file_name).toBe('cube-0001.gcode')
  })

  test('is read with keys in hex', async () => {
    const { driver, makeFile, until } = await become({ hexKeys: ['TempOfNozzle', 'Filename', 'PrintInfo'] })
    await driver.upload(makeFile('cube-0001.gcode'), soon())
    await driver.startPrint('cube-0001.gcode', sampleFile, soon())
    const state = await until(({ run }) => run?.file_name === 'cube-0001.gcode', 'the run')
    expect(state.nozzle_temp).toBeGreaterThan(10)
  })

  test('is sent a file in pieces of a megabyte', async () => {
    const { driver, makeFile } = await become()
    await driver.upload(makeFile('cube-0001.gcode', 2_500_000), soon())
    expect(peer.simulator.pieces.map(({ offset, bytes }) => [offset, bytes])).toEqual([
      [0, 1_048_576],
      [1_048_576, 1_048_576],
      [2_097_152, 402_848],
    ])
    expect(await peer.printer.listFiles(soon())).toEqual([{ fileName: 'cube-0001.gcode', sizeBytes: 2_500_000 }])
  })

  test('that misses a piece of a file has it taken away, and the next try is whole', async () => {
    const { driver, makeFile } = await become()
    const file = makeFile('cube-0001.gcode', 2_500_000)
    peer.simulator.losePiece()
    await expect(driver.upload(file, soon())).rejects.toMatchObject({
      code: 'UPLOAD_BROKEN',
      message: 'the printer misses a piece of the file',
    })
    await driver.upload(file, soon())
    expect(await peer.printer.listFiles(soon())).toEqual([{ fileName: 'cube-0001.gcode', sizeBytes: 2_500_000 }])
  })

  test('refuses to heat a chamber that it cannot heat, and does not speak of files', async () => {
    const { driver } = await become()
    await expect(driver.run({ kind: 'heaters', args: { chamber: 40 } }, soon())).rejects.toMatchObject({
      code: 'REFUSED',
      message: 'the printer says no, with answer 7 to command 403',
    })
  })

  test('refuses a file that it does not have, in its own words', async () => {
    const { driver } = await become()
    await expect(driver.startPrint('nothing.gcode', sampleFile, soon())).rejects.toMatchObject({
      code: 'REFUSED',
      message: 'the printer does not find the file',
    })
    await driver.removeFile('nothing.gcode', soon())
    expect(starts()).toBe(0)
  })

  test('tells a run that was started at its screen from ours by its own name of the run', async () => {
    const { driver, makeFile, until } = await become()
    await driver.upload(makeFile('cube-0001.gcode'), soon())
    await driver.startPrint('cube-0001.gcode', sampleFile, soon())
    const ours = (await until(({ run }) => run !== null, 'our run')).run
    await driver.run({ kind: 'stop', args: { attempt_id: null } }, soon())
    await until(({ last_result }) => last_result?.result === 'cancelled', 'the end')
    const plan = { printTimeSeconds: 600, layerCount: 50, nozzleTemp: 215, bedTemp: 60 }
    peer.printer.startByHand('cube-0001.gcode', plan)
    const theirs = (await until(({ run }) => run !== null, 'their run')).run
    expect(theirs?.file_name).toBe(ours?.file_name)
    expect(theirs?.job_id).not.toBe(ours?.job_id)
  })

  test('tells the end of a run that no one watched from its record, and a print by hand after it by another mark', async () => {
    const { driver, makeFile, until, states } = await become()
    await driver.upload(makeFile('cube-0001.gcode'), soon())
    await driver.startPrint('cube-0001.gcode', sampleFile, soon())
    const ours = await until(({ run, run_mark }) => run !== null && typeof run_mark === 'string', 'our run')
    expect(driver.capabilities.remembersLastRun).toBe(true)
    await driver.stop()
    peer.printer.setSpeed(5_000)
    await expect.poll(() => peer.printer.report().lastResult).toBe('completed')
    states.length = 0
    await driver.start(soon())
    const ended = await until(({ last_result }) => last_result !== null && states.length > 0, 'the end in the record')
    expect(ended).toMatchObject({ status: 'idle', run_mark: ours.run_mark })
    expect(ended.last_result).toMatchObject({ result: 'completed', run: { job_id: ours.run?.job_id } })
    await driver.stop()
    peer.printer.startByHand('vase.gcode', { printTimeSeconds: 60, layerCount: 5, nozzleTemp: 0, bedTemp: 0 })
    await expect.poll(() => peer.printer.report().lastResult).toBe('completed')
    peer.printer.restart({ remembers: false })
    states.length = 0
    await driver.start(soon())
    const after = await until(({ run_mark }) => typeof run_mark === 'string' && states.length > 0, 'the mark')
    expect(after.run_mark).not.toBe(ours.run_mark)
    expect(after.last_result?.run.file_name).toBe('vase.gcode')
  })

  test('whose firmware tells no record is one that forgets its last run', async () => {
    peer = await startPeer()
    peer.simulator.setHistoryTold(false)
    const running = await startRig(buildPrinter({ connection_type: 'elegoo', connection: peer.connection }))
    rig = running
    await running.until(({ status, run_mark }) => status === 'idle' && run_mark !== null, 'the printer')
    expect(running.driver.capabilities.remembersLastRun).toBe(false)
    await running.driver.upload(running.makeFile('cube-0001.gcode'), soon())
    await running.driver.startPrint('cube-0001.gcode', sampleFile, soon())
    await running.until(({ run }) => run !== null, 'the run')
    peer.printer.setSpeed(5_000)
    await running.until(({ last_result }) => last_result?.result === 'completed', 'its end, seen as it came')
  })

  test('that pauses still prints until it has paused', async () => {
    const { driver, makeFile, until } = await become()
    await driver.upload(makeFile('cube-0001.gcode'), soon())
    await driver.startPrint('cube-0001.gcode', sampleFile, soon())
    await until(({ run }) => run !== null, 'the run')
    peer.simulator.pretendPrintStatus(5)
    await driver.run({ kind: 'pause', args: { attempt_id: null } }, soon())
    await driver.run({ kind: 'light', args: { on: true } }, soon())
    expect((await until(({ light_on }) => light_on === true, 'a later picture')).status).toBe('printing')
    peer.simulator.pretendPrintStatus(undefined)
    await until(({ status }) => status === 'paused', 'the pause')
  })
})
