import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createHub } from '../../hub.ts'
import { type Rig, sampleFile, startRig } from '../../test/conformance/driver-rig.ts'
import { type MoonrakerPeer, startMoonrakerPeer } from '../../test/moonraker-peer.ts'
import { createRecordedLog } from '../../test/quiet-log.ts'
import { buildConfig, makeDataDir } from '../../test/test-hub.ts'
import { buildPrinter, PRINTER, startTestService } from '../../test/test-service.ts'
import type { DeviceCommand } from '../driver.ts'

const plan = { printTimeSeconds: 600, layerCount: 50, nozzleTemp: 215, bedTemp: 60 }
const FAST = 2_000
const soon = () => AbortSignal.timeout(30_000)

let peer: MoonrakerPeer
const settings = () => buildPrinter({ connection_type: 'moonraker', connection: peer.connection })
const called = (method: string) => peer.simulator.calls.filter((call) => call === method)

beforeEach(async () => {
  peer = await startMoonrakerPeer()
})
afterEach(async () => {
  await peer.close()
  await peer.printer.powerOff()
})

describe('a print of ours', () => {
  let rig: Rig

  beforeEach(async () => {
    rig = await startRig(settings())
    await rig.until(({ status }) => status === 'idle', 'the printer to be idle')
  })
  afterEach(() => rig.close())

  async function print(fileName = 'cube-0001.gcode') {
    await rig.driver.upload(rig.makeFile(fileName), soon())
    await rig.driver.startPrint(fileName, sampleFile, soon())
    return rig.until(({ run }) => run?.file_name === fileName, `the run of ${fileName}`)
  }
  const run = (kind: 'pause' | 'resume' | 'stop') =>
    rig.driver.run({ kind, args: { attempt_id: null } } as DeviceCommand, soon())
  const isPending = (text: string) => ({ pending: expect.stringContaining(text) })

  test('is not over because the history says klippy_disconnect: it is the same run, and ends by print_stats', async () => {
    const { run: ours } = await print()
    const seen = rig.states.length
    peer.simulator.setKlippy('disconnected')
    await rig.until(({ status }) => status === 'offline', 'the break')
    peer.simulator.setKlippy('ready')
    const back = await rig.until(({ status }) => status === 'printing', 'the return')
    expect(back.run).toEqual(ours)
    expect(rig.states.slice(seen).filter(({ last_result }) => last_result !== null)).toEqual([])
    peer.printer.setSpeed(FAST)
    const ended = await rig.until(({ last_result }) => last_result !== null, 'the end')
    expect(ended.last_result).toMatchObject({ result: 'completed', run: ours })
  })

  test('has failed when Klipper restarted in the middle of it, and only once Klipper is ready', async () => {
    const { run: ours } = await print()
    const seen = rig.states.length
    await peer.simulator.restartKlipper()
    const back = await rig.until(({ status }) => status === 'idle', 'the return')
    expect(back).toMatchObject({ run: null, last_result: { result: 'failed', run: ours } })
    const between = rig.states.slice(seen).filter(({ status }) => status !== 'idle')
    expect(between.every(({ last_result }) => last_result === null)).toBe(true)
  })

  test('is the same run when Moonraker was killed and started again', async () => {
    const { run: ours } = await print()
    peer.simulator.restartMoonraker()
    await rig.until(({ status }) => status === 'offline', 'the break')
    expect((await rig.until(({ status }) => status === 'printing', 'the return')).run).toEqual(ours)
    peer.printer.setSpeed(FAST)
    expect(await rig.until(({ last_result }) => last_result !== null, 'the end')).toMatchObject({
      last_result: { result: 'completed', run: ours },
    })
  })

  test('that ended in an error leaves an idle printer with a problem, until the next print begins', async () => {
    peer.printer.setFaults(['print_failure'])
    await print()
    peer.printer.setSpeed(FAST)
    const failed = await rig.until(({ last_result }) => last_result !== null, 'the failure')
    expect(failed).toMatchObject({ status: 'idle', last_result: { result: 'failed', reason: expect.any(String) } })
    expect(failed.problems).toEqual([{ reason: 'print_error', message: failed.last_result?.reason }])
    peer.printer.setFaults([])
    peer.printer.setSpeed(1)
    expect(await print('cube-0002.gcode')).toMatchObject({ status: 'printing', problems: [] })
  })

  test('that ended in an error is acknowledged by a stop', async () => {
    peer.printer.setFaults(['print_failure'])
    const { run: ours } = await print()
    peer.printer.setSpeed(FAST)
    await rig.until(({ problems }) => problems?.length === 1, 'the failure')
    await run('stop')
    const calm = await rig.until(({ problems }) => problems?.length === 0, 'the acknowledgement')
    expect(calm).toMatchObject({ status: 'idle', last_result: { result: 'failed', run: ours } })
    expect(called('printer.print.cancel')).toEqual([])
  })

  test.each([
    ['pause', 'printer.print.pause', 'paused'],
    ['stop', 'printer.print.cancel', 'idle'],
  ] as const)('that heats up takes a %s for later, and is asked once', async (kind, method, status) => {
    peer.simulator.setHeatingWaits(true)
    await print()
    expect(await run(kind)).toEqual(isPending(`will ${kind} once heated`))
    await rig.until(({ status_reason }) => status_reason === `will ${kind} once heated`, 'the reason')
    expect(await run(kind)).toEqual(isPending(`will ${kind} once heated`))
    expect(rig.state.status).toBe('printing')
    peer.simulator.setHeatingWaits(false)
    const after = await rig.until((state) => state.status === status, `the effect of ${kind}`)
    expect(after.status_reason ?? '').not.toContain('once heated')
    expect(called(method)).toHaveLength(1)
  })

  test('that waits for a long command says so, and keeps it in mind over a broken connection', async () => {
    await print()
    peer.printer.setSpeed(1_000)
    await rig.until(({ progress }) => (progress ?? 0) > 0, 'the first line')
    peer.printer.setSpeed(1)
    peer.simulator.setLongGcode(true)
    expect(await run('pause')).toEqual(isPending('will pause once'))
    peer.cut()
    await rig.until(({ status }) => status === 'offline', 'the break')
    await rig.until(({ status_reason }) => /will pause once/.test(status_reason ?? ''), 'the reason again')
    await run('pause')
    peer.simulator.setLongGcode(false)
    await rig.until(({ status }) => status === 'paused', 'the pause')
    expect(called('printer.print.pause')).toHaveLength(1)
  })
})

describe('the mark of what was printed', () => {
  async function look<T>(at: (rig: Rig) => Promise<T>): Promise<T> {
    const rig = await startRig(settings())
    try {
      await rig.until(({ run_mark }) => typeof run_mark === 'string', 'the mark')
      return await at(rig)
    } finally {
      await rig.close()
    }
  }
  const markNow = () => look(async (rig) => rig.state.run_mark)

  test('is another one after a print by hand that began and ended unseen, and not because a print ends', async () => {
    const empty = await markNow()
    expect(await markNow()).toBe(empty)
    peer.printer.startByHand('vase.gcode', plan)
    const during = await look(async (rig) => {
      await rig.until(({ run }) => run !== null, 'the run')
      const mark = rig.state.run_mark
      const seen = rig.states.length
      peer.printer.setSpeed(FAST)
      await rig.until(({ last_result }) => last_result !== null, 'its end')
      expect(new Set(rig.states.slice(seen).map(({ run_mark }) => run_mark))).toEqual(new Set([mark]))
      return mark
    })
    expect(during).not.toBe(empty)
    peer.printer.takeOffPlate()
    peer.printer.startByHand('vase.gcode', plan)
    await vi.waitFor(() => expect(peer.printer.report().lastResult).toBe('completed'), { timeout: 20_000 })
    const after = await markNow()
    expect(after).not.toBe(during)
    peer.simulator.forgetHistory()
    expect(await markNow()).not.toBe(after)
  })

  test('is unknown until Klipper is ready and the history was read', async () => {
    peer.simulator.setKlippy('disconnected')
    const rig = await startRig(settings())
    try {
      await rig.until(({ status_reason }) => /Klipper/.test(status_reason ?? ''), 'the wait')
      peer.simulator.setKlippy('ready')
      await rig.until(({ status }) => status === 'idle', 'the printer to be idle')
      for (const { status, run_mark } of rig.states) {
        expect(status === 'idle' ? typeof run_mark : (run_mark ?? null)).toBe(status === 'idle' ? 'string' : null)
      }
      expect(rig.driver.capabilities.remembersLastRun).toBe(true)
    } finally {
      await rig.close()
    }
  })

  test('is left to the hub where Moonraker keeps no history: such a printer forgets', async () => {
    peer.simulator.removeHistory()
    const rig = await startRig(settings())
    try {
      await rig.until(({ status }) => status === 'idle', 'the printer to be idle')
      expect(rig.state).not.toHaveProperty('run_mark')
      expect(rig.driver.capabilities.remembersLastRun).toBe(false)
    } finally {
      await rig.close()
    }
  })

  test('shows a print that a foreign script starts', async () => {
    const rig = await startRig(settings())
    try {
      await rig.until(({ status }) => status === 'idle', 'the printer to be idle')
      const before = rig.state.run_mark
      await rig.driver.upload(rig.makeFile('vase.gcode'), soon())
      await peer.simulator.runByHand('SDCARD_PRINT_FILE FILENAME=vase.gcode')
      const { run, run_mark } = await rig.until(({ run }) => run !== null, 'the run')
      expect(run).toMatchObject({ file_name: 'vase.gcode', job_id: expect.any(String) })
      expect(run_mark).not.toBe(before)
    } finally {
      await rig.close()
    }
  })
})

test('a hub answers a pause and a stop during heating at once, and reports what became of them', async () => {
  const service = await startTestService()
  const dataDir = makeDataDir()
  service.printers = [settings()]
  const hub = createHub(buildConfig(service, { dataDir: dataDir.path }), {
    log: createRecordedLog(),
    timings: { telemetryMs: 50, firstRetryMs: 50 },
  })
  const shows = (status: string) =>
    service.until(() => service.pictureOf(PRINTER).status === status, `the printer to be ${status}`, 40_000)
  try {
    await hub.start()
    await shows('idle')
    peer.simulator.setHeatingWaits(true)
    const file = service.serve('cube.gcode', { content: Buffer.alloc(300_000, 'G1 X10 Y10 E1\n') })
    service.command('print', { attempt_id: 'att_1', file })
    await service.reachesPhase('att_1', 'confirmed')
    const pause = service.command('pause', { attempt_id: 'att_1' })
    const later = { ok: true, pending: true, message: expect.stringContaining('once heated') }
    expect(await service.resultOf(pause, 30_000)).toMatchObject(later)
    await service.until(() => service.pictureOf(PRINTER).status_reason === 'will pause once heated', 'the reason')
    expect(service.pictureOf(PRINTER).status).toBe('printing')
    const stop = service.command('stop', { attempt_id: 'att_1' })
    expect(await service.resultOf(stop, 30_000)).toMatchObject(later)
    expect(service.reportsOf('att_1').at(-1)?.phase).toBe('confirmed')
    peer.simulator.setHeatingWaits(false)
    expect(await service.reachesPhase('att_1', 'finished')).toMatchObject({ outcome: 'cancelled' })
    await shows('idle')
    expect([called('printer.print.pause'), called('printer.print.cancel')].map(({ length }) => length)).toEqual([1, 1])
  } finally {
    await hub.stop()
    await service.stop()
    dataDir.remove()
  }
})
