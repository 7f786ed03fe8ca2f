import { createVirtualPrinter } from '@printyard/virtual-printers/create-virtual-printer'
import {
  type PrusaLinkSimulator,
  startPrusaLinkSimulator,
} from '@printyard/virtual-printers/prusalink/prusalink-simulator'
import type { VirtualPrinter } from '@printyard/virtual-printers/virtual-printer'
import type { SimulatedCamera } from '@printyard/virtual-printers/wire/camera-server'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createHub } from '../../hub.ts'
import { type Rig, sampleFile, startRig } from '../../test/conformance/driver-rig.ts'
import { createRecordedLog } from '../../test/quiet-log.ts'
import { buildConfig, makeDataDir } from '../../test/test-hub.ts'
import { buildPrinter, PRINTER, startTestService, type TestService } from '../../test/test-service.ts'

const plan = { printTimeSeconds: 600, layerCount: 50, nozzleTemp: 215, bedTemp: 60 }
const soon = () => AbortSignal.timeout(20_000)

interface Machine {
  printer: VirtualPrinter
  simulator: PrusaLinkSimulator
  settings: ReturnType<typeof buildPrinter>
  close(): Promise<void>
}

async function startMachine(camera?: Pick<SimulatedCamera, 'mode'>): Promise<Machine> {
  const printer = createVirtualPrinter({ id: 'prusalink', model: 'MK4S', slowFileStoreMs: 1_500 })
  await printer.powerOn()
  const simulator = await startPrusaLinkSimulator({ printer, password: 'Pass-word-1', ...(camera && { camera }) })
  const connection = { address: '127.0.0.1', port: simulator.port, password: 'Pass-word-1' }
  return {
    printer,
    simulator,
    settings: buildPrinter({ connection_type: 'prusalink', connection }),
    async close() {
      await simulator.close()
      await printer.powerOff()
    },
  }
}

/** A person prints something from begin to end. */
async function printByHand({ printer }: Machine, fileName = 'vase.gcode'): Promise<void> {
  printer.setSpeed(10_000)
  const { runId } = printer.startByHand(fileName, { ...plan, printTimeSeconds: 60 })
  await vi.waitFor(() => expect(printer.report()).toMatchObject({ runId, lastResult: 'completed' }), {
    timeout: 20_000,
  })
  printer.setSpeed(1)
}

describe('a print that the hub started', { timeout: 60_000 }, () => {
  let machine: Machine
  let service: TestService
  let dataDir: ReturnType<typeof makeDataDir>
  let stopHub: () => Promise<void>

  const runHub = async () => {
    const hub = createHub(buildConfig(service, { dataDir: dataDir.path }), {
      log: createRecordedLog(),
      timings: { telemetryMs: 50, firstRetryMs: 50, confirmTimeoutMs: 2_000 },
      waitFactor: 0.1,
    })
    await hub.start()
    stopHub = () => hub.stop()
  }

  beforeEach(async () => {
    machine = await startMachine()
    service = await startTestService()
    dataDir = makeDataDir()
    service.printers = [machine.settings]
    await runHub()
    await service.until(() => service.pictureOf(PRINTER).status === 'idle', 'the printer to be idle')
    const file = service.serve('cube.gcode', { content: Buffer.alloc(300_000, 'G1 X10 Y10 E1\n') })
    service.command('print', { attempt_id: 'att_1', file })
    await service.reachesPhase('att_1', 'confirmed')
    await stopHub()
  })
  afterEach(async () => {
    await stopHub()
    await service.stop()
    await machine.close()
    dataDir.remove()
  })

  test('is not done because another one is, which began and ended while the hub was away', async () => {
    await machine.printer.stop(soon())
    await printByHand(machine)
    await runHub()
    const lost = await service.until(
      () => service.reportsOf('att_1').find(({ outcome }) => outcome !== null),
      'what became of it',
    )
    expect(lost).toMatchObject({ outcome: 'unknown', reason_code: 'RESULT_LOST' })
    expect(service.pictureOf(PRINTER)).toMatchObject({ status: 'idle', last_result: null })
    expect(service.pictureOf(PRINTER).run_mark).toContain('119')
  })

  test('is done when it ended while the hub was away and nothing else was printed since', async () => {
    machine.printer.setSpeed(10_000)
    await vi.waitFor(() => expect(machine.printer.report().lastResult).toBe('completed'), { timeout: 20_000 })
    await runHub()
    expect(await service.reachesPhase('att_1', 'finished')).toMatchObject({ outcome: 'done' })
    expect(service.pictureOf(PRINTER).run_mark).toContain('118')
  })
})

describe('what the driver shows', { timeout: 60_000 }, () => {
  let machine: Machine
  let rig: Rig

  const begin = async (camera?: Pick<SimulatedCamera, 'mode'>) => {
    machine = await startMachine(camera)
    rig = await startRig(machine.settings)
    await rig.until(({ status }) => status === 'idle', 'the printer to be idle')
  }
  const print = async (fileName = 'cube-0001.gcode') => {
    await rig.driver.upload(rig.makeFile(fileName), soon())
    await rig.driver.startPrint(fileName, sampleFile, soon())
    return rig.until(({ run }) => run?.file_name === fileName, `the run of ${fileName}`)
  }
  afterEach(async () => {
    await rig.close()
    await machine.close()
  })

  test('the end of a print by hand out of sight is not the end of the run that was seen last', async () => {
    await begin()
    await print()
    machine.printer.setFaults(['lost_link'])
    await rig.until(({ status }) => status === 'offline', 'the silence', 25_000)
    // At its screen, which needs no link.
    machine.printer.restart({ remembers: false })
    await printByHand(machine)
    machine.printer.setFaults([])
    const back = await rig.until(({ status }) => status === 'idle', 'the return', 25_000)
    expect(back).toMatchObject({ run: null, last_result: null })
    expect(back.run_mark).toContain('119')
  })

  test('a print by hand during an upload changes the mark before the upload is over', async () => {
    await begin()
    await print()
    await rig.driver.run({ kind: 'stop', args: { attempt_id: null } }, soon())
    const before = (await rig.until(({ last_result }) => last_result !== null, 'the end')).run_mark
    expect(before).toBeTypeOf('string')
    expect(rig.driver.capabilities.remembersLastRun).toBe(true)
    machine.printer.setFaults(['slow_file_store'])
    const uploaded = rig.driver.upload(rig.makeFile('cube-0002.gcode'), soon())
    await printByHand(machine)
    await uploaded
    expect(rig.state).toMatchObject({ status: 'idle', last_result: null })
    expect(rig.state.run_mark).not.toBe(before)
  })

  test('on a Raspberry Pi, which cannot be asked afterwards, such a print is watched beside the upload', async () => {
    await begin({ mode: 'works' })
    machine.simulator.holdsUploads = true
    const uploaded = rig.driver.upload(rig.makeFile('cube-0002.gcode'), soon())
    await vi.waitFor(() => expect(machine.simulator.heldUploads).toBe(1), { timeout: 20_000 })
    machine.printer.startByHand('vase.gcode', plan)
    await rig.until(({ run }) => run?.file_name === 'vase.gcode', 'the print by hand')
    machine.simulator.holdsUploads = false
    await uploaded
    expect(rig.driver.capabilities.remembersLastRun).toBe(false)
  })

  test('a number that was left out says that something was printed unseen, even when it is seen late', async () => {
    await begin({ mode: 'works' })
    await print()
    machine.printer.setFaults(['lost_link'])
    await rig.until(({ status }) => status === 'offline', 'the silence', 25_000)
    machine.printer.restart({ remembers: false })
    await printByHand(machine)
    machine.printer.startByHand('another.gcode', plan)
    machine.printer.setFaults([])
    await rig.until(({ run }) => run?.job_id === '120', 'the print after it', 25_000)
    expect(rig.state.run_mark).toContain('120')
    expect(JSON.stringify(rig.log.lines)).toContain('no one watched')
  })

  test('the mark stays when its print ends, over power cuts and the closing of the screen', async () => {
    await begin()
    const { run_mark } = await print()
    machine.printer.setSpeed(10_000)
    const ended = await rig.until(({ last_result }) => last_result !== null, 'the end')
    expect(ended).toMatchObject({ run_mark, last_result: { result: 'completed' } })
    machine.simulator.screen.isClosed = true
    machine.simulator.cut()
    machine.printer.setSpeed(1)
    await machine.printer.setTargets({ bed: 41 }, soon())
    const later = await rig.until(({ target_bed_temp }) => target_bed_temp === 41, 'another look')
    expect(later).toMatchObject({ run_mark, last_result: { result: 'completed' } })
  })

  test('a file that the printer names by its short name is known by its own', async () => {
    await begin()
    machine.simulator.screen.hidesLongNames = true
    expect((await print('cube with a long name-0001.gcode')).run?.job_id).toBe('118')
  })

  test('a printer that asks for a person has paused only when it has paused', async () => {
    await begin()
    await print()
    const { screen } = machine.simulator
    screen.isAsking = true
    const asking = await rig.until(({ status_reason }) => status_reason !== null, 'the question')
    expect(asking).toMatchObject({ status: 'printing', run: { file_name: 'cube-0001.gcode' } })
    expect(asking.status_reason).toContain('needs a person')
    screen.isAsking = false
    screen.isPausing = true
    const pausing = await rig.until(({ status_reason }) => status_reason === 'pausing', 'the pause to begin')
    expect(pausing).toMatchObject({ status: 'printing', run: { file_name: 'cube-0001.gcode' } })
    screen.isPausing = false
    await rig.driver.run({ kind: 'pause', args: { attempt_id: null } }, soon())
    await rig.until(({ status }) => status === 'paused', 'the pause')
    screen.isAsking = true
    const paused = await rig.until(({ status_reason }) => status_reason !== null, 'the question in the pause')
    expect(paused.status).toBe('paused')
  })

  test('a start that is refused although it takes effect shows its run soon after', async () => {
    await begin()
    await rig.driver.upload(rig.makeFile('cube-0001.gcode'), soon())
    machine.simulator.refusesNextStart = true
    await expect(rig.driver.startPrint('cube-0001.gcode', sampleFile, soon())).rejects.toMatchObject({ code: 'BUSY' })
    await rig.until(({ run }) => run?.file_name === 'cube-0001.gcode', 'the run')
    expect(machine.printer.events.filter(({ kind }) => kind === 'started')).toHaveLength(1)
  })
})
