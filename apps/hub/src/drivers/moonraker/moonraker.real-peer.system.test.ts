import type { VirtualPrinter } from '@printyard/virtual-printers/virtual-printer'
import { startCameraServer } from '@printyard/virtual-printers/wire/camera-server'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { describeDriver } from '../../test/conformance/describe-driver.ts'
import { type Rig, sampleFile, startRig } from '../../test/conformance/driver-rig.ts'
import { isPeerInstalled } from '../../test/python-peers.ts'
import { type RealMoonraker, startRealMoonraker } from '../../test/real-moonraker.ts'
import { canMountDisks, mountSmallDisk } from '../../test/small-disk.ts'
import { startTcpRelay, type TcpRelay } from '../../test/tcp-relay.ts'
import { buildPrinter } from '../../test/test-service.ts'

/** Of a file of the tests less than a half. */
const SMALL_DISK = '64k'
/** Of a file of the tests about a half. */
const HALF_UPLOAD_BYTES = 100_000
const canFillDisks = canMountDisks()
const pace = { waitFactor: 0.3, patience: 4 }
const WAIT_MS = 80_000

describe.skipIf(!isPeerInstalled('moonraker'))('in front of Moonraker 0.10.0 with a simulated Klipper', () => {
  let moonraker: RealMoonraker

  beforeAll(async () => {
    moonraker = await startRealMoonraker()
  }, 400_000)
  afterAll(() => moonraker?.close())

  async function startPeer() {
    const { printer, klippy, detach } = await moonraker.attachKlipper()
    const relay = await startTcpRelay(moonraker.port)
    const camera = await startCameraServer(printer)
    const connection = {
      address: '127.0.0.1',
      port: relay.port,
      camera_port: camera.port,
      api_key: moonraker.apiKey,
    }
    const behind = behindMoonraker(printer, { moonraker, relay })
    return {
      printer: behind,
      camera,
      klippy,
      hangKlipper: (isHanging: boolean) => printer.setFaults(isHanging ? ['lost_link'] : []),
      abandonConnections: relay.abandon,
      connection,
      wrongConnection: { ...connection, api_key: 'ffffffffffffffffffffffffffffffff' },
      cut: relay.cut,
      async close() {
        behind.setFaults([])
        await Promise.all([relay.close(), camera.close()])
        await detach()
      },
    }
  }

  describeDriver('moonraker', startPeer, { slowStore: false, ...(canFillDisks ? {} : { fullStorage: false }) }, pace)

  describe('the moonraker driver there', { timeout: 300_000 }, () => {
    let peer: Awaited<ReturnType<typeof startPeer>>
    let rig: Rig
    const soon = () => AbortSignal.timeout(WAIT_MS)

    beforeEach(async () => {
      peer = await startPeer()
      const settings = buildPrinter({ connection_type: 'moonraker', connection: peer.connection })
      rig = await startRig(settings, pace.waitFactor, WAIT_MS)
      await rig.until(({ status }) => status === 'idle', 'the printer to be idle')
    }, 120_000)
    afterEach(async () => {
      await rig.close()
      await peer.close()
    }, 120_000)

    async function print(fileName = 'cube.gcode') {
      await rig.driver.upload(rig.makeFile(fileName), soon())
      await rig.driver.startPrint(fileName, sampleFile, soon())
      return rig.until(({ run }) => run?.file_name === fileName, `the run of ${fileName}`)
    }

    /** Cuts the connection and waits for the first picture of the next one. */
    async function reconnect() {
      const seen = rig.states.length
      peer.cut()
      await rig.until(() => rig.states.slice(seen).some(({ status }) => status === 'offline'), 'the break')
      return rig.until(({ status }) => status !== 'offline', 'the return')
    }

    test('a file that is removed is gone', async () => {
      const file = rig.makeFile('cube.gcode')
      await rig.driver.upload(file, soon())
      expect(await peer.printer.listFiles(soon())).toEqual([{ fileName: 'cube.gcode', sizeBytes: file.size_bytes }])
      await rig.driver.removeFile('cube.gcode', soon())
      expect(await peer.printer.listFiles(soon())).toEqual([])
      await rig.driver.removeFile('cube.gcode', soon())
    })

    test.skipIf(!canFillDisks)('a disk that is full before the file is whole is a named problem', async () => {
      const unmounts = [moonraker.incomingFolder, moonraker.gcodesFolder].map((path) =>
        mountSmallDisk(path, SMALL_DISK),
      )
      try {
        await expect(rig.driver.upload(rig.makeFile('cube.gcode'), soon())).rejects.toMatchObject({
          problem: { reason: 'storage_full' },
        })
      } finally {
        for (const unmount of unmounts) unmount?.()
      }
      await print()
    })

    test('the same file printed twice is two runs, each under one number from its first picture to its last', async () => {
      const first = await print()
      peer.printer.setSpeed(2_000)
      await rig.until(({ last_result }) => last_result !== null, 'the end')
      peer.printer.setSpeed(1)
      const seen = rig.states.length
      await rig.driver.startPrint('cube.gcode', sampleFile, soon())
      await rig.until(({ run }) => run !== null, 'the second run')
      peer.printer.setSpeed(2_000)
      await rig.until(({ run, last_result }) => run === null && last_result !== null, 'its end')
      const numbers = rig.states.slice(seen).flatMap(({ run }) => run?.job_id ?? [])
      expect(new Set(numbers).size).toBe(1)
      expect(numbers[0]).not.toBe(first.run?.job_id)
      expect(rig.state.last_result?.run.job_id).toBe(numbers[0])
    })

    test('idle, printing, paused and done are found again after the connection broke', async () => {
      expect(await reconnect()).toMatchObject({ status: 'idle', run: null, last_result: null })
      const { run } = await print()
      expect(await reconnect()).toMatchObject({ status: 'printing', run })
      await rig.driver.run({ kind: 'pause', args: { attempt_id: null } }, soon())
      await rig.until(({ status }) => status === 'paused', 'the pause')
      expect(await reconnect()).toMatchObject({ status: 'paused', run })
      await rig.driver.run({ kind: 'stop', args: { attempt_id: null } }, soon())
      await rig.until(({ last_result }) => last_result !== null, 'the end')
      expect(await reconnect()).toMatchObject({ status: 'idle', last_result: { result: 'cancelled', run } })
    })

    test('while one file prints, neither another one nor a new one of its name gets in', async () => {
      const { run } = await print('first.gcode')
      await rig.driver.upload(rig.makeFile('second.gcode'), soon())
      const second = rig.driver.startPrint('second.gcode', sampleFile, soon())
      await expect(second).rejects.toMatchObject({ code: 'BUSY' })
      const again = rig.driver.upload(rig.makeFile('first.gcode'), soon())
      await expect(again).rejects.toMatchObject({ code: 'BUSY' })
      expect(rig.state.run).toEqual(run)
    })

    test('a start of a file that is not there is refused with the words of Klipper', async () => {
      const start = rig.driver.startPrint('nowhere.gcode', sampleFile, soon())
      await expect(start).rejects.toMatchObject({ code: 'REFUSED', message: 'Unable to open file' })
    })

    test('a temperature out of its range is refused with the range, and a missing macro by its name', async () => {
      const heat = rig.driver.run({ kind: 'heaters', args: { nozzle: 400 } }, soon())
      await expect(heat).rejects.toMatchObject({ code: 'REFUSED', message: expect.stringContaining('out of range') })
      peer.klippy.forgetMacros()
      const load = rig.driver.run({ kind: 'load_filament', args: { slot: null, temperature: null } }, soon())
      await expect(load).rejects.toMatchObject({ code: 'REFUSED', message: expect.stringContaining('LOAD_FILAMENT') })
    })

    test('Klipper that shuts itself down during a print is an error with its words; restarted, the run has failed', async () => {
      const { run } = await print()
      peer.klippy.shutDown('Heater extruder not heating at expected rate')
      const state = await rig.until(({ status }) => status === 'error', 'the shutdown')
      expect(state).toMatchObject({ run: null, status_reason: expect.stringContaining('not heating') })
      await moonraker.ask('POST', '/printer/firmware_restart')
      const back = await rig.until(({ status }) => status === 'idle', 'the return')
      expect(back.run).toBeNull()
      expect(back.last_result?.run).toEqual(run)
    })

    test('history that says klippy_disconnect while it prints ends nothing: the run is the same, to its end', async () => {
      const { run } = await print()
      const seen = rig.states.length
      peer.klippy.dropClients()
      await rig.until(({ status }) => status === 'offline', 'the break')
      const { jobs } = await moonraker.ask<{ jobs: unknown[] }>('GET', '/server/history/list')
      expect(jobs).toMatchObject([{ job_id: run?.job_id, status: 'klippy_disconnect' }])
      expect((await rig.until(({ status }) => status === 'printing', 'the return')).run).toEqual(run)
      expect(rig.states.slice(seen).filter(({ last_result }) => last_result !== null)).toEqual([])
      const { run_mark } = rig.state
      peer.printer.setSpeed(2_000)
      const ended = await rig.until(({ last_result }) => last_result !== null, 'the end')
      expect(ended).toMatchObject({ status: 'idle', run_mark, last_result: { result: 'completed', run } })
    })

    test('Klipper that was restarted in the middle of a print has failed it', async () => {
      const { run } = await print()
      const seen = rig.states.length
      await peer.klippy.restart()
      const back = await rig.until(({ status }) => status === 'idle', 'the return')
      expect(back.last_result).toMatchObject({ result: 'failed', run })
      const between = rig.states.slice(seen).filter(({ status }) => status !== 'idle')
      expect(between.filter(({ last_result }) => last_result !== null)).toEqual([])
    })

    test('an error in the G-code of a print leaves an idle printer that says so, until a stop or the next print', async () => {
      peer.printer.setFaults(['print_failure'])
      await print('first.gcode')
      peer.printer.setSpeed(2_000)
      const failed = await rig.until(({ last_result }) => last_result !== null, 'the failure')
      expect(failed).toMatchObject({ status: 'idle', problems: [{ reason: 'print_error' }] })
      peer.printer.setFaults([])
      peer.printer.setSpeed(1)
      expect(await print('second.gcode')).toMatchObject({ status: 'printing', problems: [] })
      peer.printer.setFaults(['print_failure'])
      peer.printer.setSpeed(2_000)
      await rig.until(({ problems }) => problems?.length === 1, 'the second failure')
      await rig.driver.run({ kind: 'stop', args: { attempt_id: null } }, soon())
      await rig.until(({ problems }) => problems?.length === 0, 'the acknowledgement')
      expect(rig.state).toMatchObject({ status: 'idle', last_result: { result: 'failed' } })
    })

    test('a pause during heating is taken for later and happens once, and so does a stop', async () => {
      peer.klippy.setHeatingWaits(true)
      await print()
      const ask = (kind: 'pause' | 'stop') => rig.driver.run({ kind, args: { attempt_id: null } }, soon())
      expect(await ask('pause')).toEqual({ pending: 'will pause once heated' })
      expect(await ask('pause')).toEqual({ pending: 'will pause once heated' })
      await rig.until(({ status_reason }) => status_reason === 'will pause once heated', 'the reason')
      expect(rig.state.status).toBe('printing')
      peer.klippy.setHeatingWaits(false)
      await rig.until(({ status }) => status === 'paused', 'the pause')
      await rig.driver.run({ kind: 'resume', args: { attempt_id: null } }, soon())
      await rig.until(({ status }) => status === 'printing', 'the run again')
      peer.klippy.setHeatingWaits(true)
      expect(await ask('stop')).toEqual({ pending: 'will stop once heated' })
      peer.klippy.setHeatingWaits(false)
      await rig.until(({ last_result }) => last_result?.result === 'cancelled', 'the stop')
      const kinds = peer.printer.events.map(({ kind }) => kind)
      expect(kinds.filter((kind) => kind === 'paused' || kind === 'cancelled')).toEqual(['paused', 'cancelled'])
    })

    test('a print by hand that no one watched changes the mark of what was printed', async () => {
      const mark = rig.state.run_mark
      expect(mark).toEqual(expect.any(String))
      await rig.driver.upload(rig.makeFile('vase.gcode'), soon())
      await rig.driver.stop()
      await moonraker.ask('POST', '/printer/gcode/script?script=SDCARD_PRINT_FILE%20FILENAME=vase.gcode')
      peer.printer.setSpeed(2_000)
      const stateOfPrint = async () => {
        const { status } = await moonraker.ask<{ status: { print_stats: { state: string } } }>(
          'GET',
          '/printer/objects/query?print_stats',
        )
        return status.print_stats.state
      }
      await expect.poll(stateOfPrint, { timeout: WAIT_MS }).toBe('complete')
      const seen = rig.states.length
      await rig.driver.start(AbortSignal.timeout(120_000))
      await rig.until(() => rig.states.length > seen && rig.state.status === 'idle', 'the printer to be idle')
      expect(rig.state.run_mark).toEqual(expect.any(String))
      expect(rig.state.run_mark).not.toBe(mark)
      expect(rig.state.last_result).toMatchObject({ result: 'completed', run: { file_name: 'vase.gcode' } })
    })

    test('Klipper that hangs behind a Moonraker which answers is offline, and found again', async () => {
      const { run } = await print()
      peer.hangKlipper(true)
      await rig.until(({ status }) => status === 'offline', 'the silence')
      peer.hangKlipper(false)
      expect((await rig.until(({ status }) => status === 'printing', 'the return')).run).toEqual(run)
    })

    test('a connection that died unnoticed keeps no one out', async () => {
      peer.abandonConnections()
      expect(await reconnect()).toMatchObject({ status: 'idle' })
    })

    test('killed in the middle of a print and started again, it shows the same run under the same number', async () => {
      const { run } = await print()
      await moonraker.kill()
      await rig.until(({ status }) => status === 'offline', 'the silence')
      await moonraker.startAgain()
      expect((await rig.until(({ status }) => status === 'printing', 'the return')).run).toEqual(run)
    })
  })
})

/**
 * The machine with Moonraker in front of it: what goes wrong with the link goes wrong between driver and Moonraker, and files
 * are those that Moonraker has.
 */
function behindMoonraker(
  printer: VirtualPrinter,
  { moonraker, relay }: { moonraker: RealMoonraker; relay: TcpRelay },
): VirtualPrinter {
  const behind: VirtualPrinter = Object.create(printer)
  let unmount: (() => void) | undefined
  behind.setFaults = (faults) => {
    relay.setSilent(faults.includes('lost_link'))
    relay.cutAfterBytes(faults.includes('half_upload') ? HALF_UPLOAD_BYTES : undefined)
    if (faults.includes('storage_full')) unmount ??= mountSmallDisk(moonraker.gcodesFolder, SMALL_DISK)
    else {
      unmount?.()
      unmount = undefined
    }
    const elsewhere = ['lost_link', 'half_upload', 'storage_full']
    printer.setFaults(faults.filter((fault) => !elsewhere.includes(fault)))
  }
  behind.listFiles = async () => {
    const files = await moonraker.ask<{ path: string; size: number }[]>('GET', '/server/files/list?root=gcodes')
    return files.map(({ path, size }) => ({ fileName: path, sizeBytes: size }))
  }
  return behind
}
