import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createVirtualPrinter } from '@printyard/virtual-printers/create-virtual-printer'
import { startCameraServer } from '@printyard/virtual-printers/wire/camera-server'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Rig, sampleFile, startRig } from '../../test/conformance/driver-rig.ts'
import { isPeerInstalled } from '../../test/python-peers.ts'
import { gcodeForSeconds, type RealOctoPrint, startRealOctoPrint } from '../../test/real-octoprint.ts'
import { canMountDisks, mountSmallDisk } from '../../test/small-disk.ts'
import { buildPrinter } from '../../test/test-service.ts'

const WAIT_MS = 60_000
/** In error OctoPrint says nothing: three times as long as a driver of these tests listens before it asks. */
const SILENT_MS = 4_500
/** Of a file of the tests less than a half. */
const SMALL_DISK = '64k'
const canFillDisks = canMountDisks()
const soon = () => AbortSignal.timeout(WAIT_MS)

describe.skipIf(!isPeerInstalled('octoprint'))(
  'behind OctoPrint with its virtual printer',
  { timeout: 400_000 },
  () => {
    let octoPrint: RealOctoPrint
    let rig: Rig

    beforeAll(async () => {
      octoPrint = await startRealOctoPrint()
    }, 400_000)
    afterAll(() => octoPrint?.close())
    afterEach(async () => {
      await rig.close()
      // What a test that failed left running is none of the next one's business.
      await octoPrint.ask('POST', '/api/job', { command: 'cancel' }).catch(() => undefined)
    })

    async function connect(
      connection: Record<string, unknown> = octoPrint.connection,
      { waitFactor = 1 }: { waitFactor?: number } = {},
    ): Promise<void> {
      rig = await startRig(buildPrinter({ connection_type: 'octoprint', connection }), waitFactor)
    }
    const until: Rig['until'] = (matches, awaited) => rig.until(matches, awaited, WAIT_MS)

    async function becomeIdle(options?: { waitFactor?: number }): Promise<void> {
      await connect(octoPrint.connection, options)
      await until(({ status }) => status === 'idle', 'the printer to be idle')
    }

    function fileThatLasts(fileName: string, seconds: number) {
      const gcode = gcodeForSeconds(seconds)
      const file = rig.makeFile(fileName, gcode.length)
      writeFileSync(file.path, gcode)
      return file
    }

    async function print(fileName: string, seconds: number) {
      await rig.driver.upload(fileThatLasts(fileName, seconds), soon())
      await rig.driver.startPrint(fileName, sampleFile, soon())
      return until(({ run }) => run?.file_name === fileName, `the run of ${fileName}`)
    }

    async function stop(): Promise<void> {
      await rig.driver.run({ kind: 'stop', args: { attempt_id: null } }, soon())
      await until(({ status, run }) => status === 'idle' && run === null, 'the end')
    }

    const gcode = (command: string) => octoPrint.ask('POST', '/api/printer/command', { commands: [command] })
    const line = (command: string) => octoPrint.ask('POST', '/api/connection', { command })

    test('an idle printer shows its temperatures, and takes targets for its heaters', async () => {
      await becomeIdle()
      await until(({ nozzle_temp, bed_temp }) => nozzle_temp !== null && bed_temp !== null, 'the temperatures')
      await rig.driver.run({ kind: 'heaters', args: { nozzle: 150, bed: 50 } }, soon())
      const both = await until(
        ({ target_nozzle_temp, target_bed_temp }) => target_nozzle_temp === 150 && target_bed_temp === 50,
        'the targets',
      )
      expect(both.status).toBe('idle')
      await rig.driver.run({ kind: 'heaters', args: { nozzle: 0, bed: 0 } }, soon())
      await until(({ target_nozzle_temp }) => target_nozzle_temp === 0, 'the heater to be off')
    })

    test('a run is paused, resumed and stopped', async () => {
      await becomeIdle()
      const { run } = await print('paused.gcode', 600)
      await rig.driver.run({ kind: 'pause', args: { attempt_id: null } }, soon())
      expect((await until(({ status }) => status === 'paused', 'the pause')).run).toEqual(run)
      // OctoPrint says "Pausing" for as long as the moves last that the firmware has before it, here seconds.
      expect((await octoPrint.ask<{ state: string }>('GET', '/api/job')).state).toBe('Paused')
      await rig.driver.run({ kind: 'resume', args: { attempt_id: null } }, soon())
      await until(({ status }) => status === 'printing', 'the run again')
      await rig.driver.run({ kind: 'stop', args: { attempt_id: null } }, soon())
      const stopped = await until(({ last_result }) => last_result !== null, 'the end')
      expect(stopped).toMatchObject({ run: null, last_result: { result: 'cancelled', run } })
    })

    test('a pause asked while a print is starting is not forgotten, and a fault during the pause ends the run', async () => {
      await becomeIdle()
      const scripts = join(octoPrint.folder, 'scripts/gcode')
      mkdirSync(scripts, { recursive: true })
      writeFileSync(join(scripts, 'beforePrintStarted'), 'G4 S3\n')
      try {
        const { run } = await print('starting.gcode', 600)
        // OctoPrint itself would answer this with yes, and print on.
        await rig.driver.run({ kind: 'pause', args: { attempt_id: null } }, soon())
        await until(({ status }) => status === 'paused', 'the pause')
        // OctoPrint tells no end of a print that had paused, and puts none on record.
        await gcode('!!DEBUG:trigger_fatal_error_marlin')
        const over = await until(({ last_result }) => last_result !== null, 'the end')
        expect(over).toMatchObject({ status: 'error', last_result: { run, result: 'failed' } })
        expect(over.last_result?.reason).toMatch(/Thermal Runaway/)
        await line('connect')
        await until(({ status }) => status === 'idle', 'the return')
      } finally {
        rmSync(join(scripts, 'beforePrintStarted'))
      }
    })

    test('while one file prints, no other is started and the one that prints is not replaced', async () => {
      await becomeIdle()
      const { run } = await print('first.gcode', 600)
      await rig.driver.upload(rig.makeFile('second.gcode', 1_000), soon())
      await expect(rig.driver.startPrint('second.gcode', sampleFile, soon())).rejects.toMatchObject({
        code: 'WRONG_STATE',
      })
      await expect(rig.driver.upload(rig.makeFile('first.gcode', 1_000), soon())).rejects.toMatchObject({
        code: 'WRONG_STATE',
      })
      expect(rig.state.run).toEqual(run)
      await stop()
    })

    test('a print that a person began elsewhere is shown as a run of its own file', async () => {
      await becomeIdle()
      await rig.driver.upload(fileThatLasts('vase.gcode', 600), soon())
      await octoPrint.ask('POST', '/api/files/local/vase.gcode', { command: 'select', print: true })
      const state = await until(({ run }) => run !== null, 'the foreign run')
      expect(state).toMatchObject({ status: 'printing', run: { file_name: 'vase.gcode', attempt_id: null } })
      await stop()
    })

    test('the camera that its settings name gives a picture, and one that is switched off or unnamed says so', async () => {
      const printer = createVirtualPrinter({ id: 'camera', model: 'MK3S', speed: 1 })
      await printer.powerOn()
      const camera = await startCameraServer(printer)
      const setWebcam = (webcamEnabled: boolean, snapshot: string) =>
        octoPrint.ask('POST', '/api/settings', {
          webcam: { webcamEnabled },
          plugins: { classicwebcam: { snapshot } },
        })
      // As the host of OctoPrint sees it.
      const snapshot = `http://localhost:${camera.port}/?action=snapshot`
      try {
        await becomeIdle()
        await setWebcam(true, snapshot)
        const still = await rig.driver.takeStill(soon())
        expect(still.subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]))
        expect(camera.askedCount).toBe(1)
        camera.mode = 'refuses'
        await expect(rig.driver.takeStill(soon())).rejects.toMatchObject({ code: 'CAMERA_REFUSED' })
        await setWebcam(false, snapshot)
        await expect(rig.driver.takeStill(soon())).rejects.toMatchObject({ code: 'CAMERA_OFF' })
        await setWebcam(true, '')
        await expect(rig.driver.takeStill(soon())).rejects.toMatchObject({ code: 'NOT_SUPPORTED' })
        expect(camera.askedCount).toBe(2)
      } finally {
        await setWebcam(false, '')
        await camera.close()
        await printer.powerOff()
      }
    })

    test('a file of 100 MB arrives whole, and its sender hears how far it has come', async () => {
      await becomeIdle()
      const sent: number[] = []
      const onSent = (sentBytes: number) => void sent.push(sentBytes)
      await rig.driver.upload({ ...rig.makeFile('large.gcode', 100_000_000), onSent }, soon())
      expect(sent.length).toBeGreaterThan(10)
      expect(sent.at(-1)).toBe(100_000_000)
      const { size } = await octoPrint.ask<{ size: number }>('GET', '/api/files/local/large.gcode')
      expect(size).toBe(100_000_000)
      await rig.driver.removeFile('large.gcode', soon())
      await expect(octoPrint.ask('GET', '/api/files/local/large.gcode')).rejects.toThrow('404')
    })

    test.skipIf(!canFillDisks)('a full storage is a named problem, and the next file finds room again', async () => {
      await becomeIdle()
      // What comes in is written down there before it is put among the files; a printer has both on one disk.
      for (const folders of [['uploads'], ['uploads', 'incoming']]) {
        const unmounts = folders.map((name) => mountSmallDisk(join(octoPrint.folder, name), SMALL_DISK))
        try {
          const upload = rig.driver.upload(rig.makeFile('full.gcode'), soon())
          await expect(upload, folders.join(' and ')).rejects.toMatchObject({ problem: { reason: 'storage_full' } })
        } finally {
          for (const unmount of unmounts) unmount?.()
        }
      }
      await rig.driver.upload(rig.makeFile('full.gcode'), soon())
      await rig.driver.removeFile('full.gcode', soon())
    })

    test('a wrong key is told as such, to the state and to who asks', async () => {
      await connect({ ...octoPrint.connection, api_key: 'FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF' })
      const state = await until(({ status_reason }) => status_reason !== null, 'the refusal')
      expect(state).toMatchObject({ status: 'offline', status_reason: expect.stringContaining('credentials refused') })
      await expect(rig.driver.startPrint('whole.gcode', sampleFile, soon())).rejects.toMatchObject({
        code: 'UNREACHABLE',
      })
    })

    test('each file is printed to its end under one identity, and is not over before it runs although another is selected at 100 %', async () => {
      await becomeIdle()
      for (const fileName of ['left.gcode', 'next.gcode', 'last.gcode']) {
        const seen = rig.states.length
        const { run } = await print(fileName, 1)
        expect(run?.job_id).toMatch(/^\d+$/)
        const ended = await until(({ last_result }) => last_result?.run.file_name === fileName, 'the end')
        expect(ended).toMatchObject({ status: 'idle', run: null, last_result: { result: 'completed', run } })
        const said = rig.states.slice(seen)
        const isOf = (state: (typeof said)[number]) => state.last_result?.run.file_name === fileName
        expect(said.findIndex(isOf)).toBeGreaterThan(said.findIndex(({ run }) => run?.file_name === fileName))
      }
    })

    test.each([
      ['a fault of the firmware', () => gcode('!!DEBUG:trigger_fatal_error_marlin'), 'error', /Thermal Runaway/, true],
      ['an emergency stop', () => gcode('M112'), 'error', /emergency stop M112/, false],
      ['a serial line that broke', () => gcode('!!DEBUG:drop_connection'), 'error', /SerialTimeoutException/, false],
      ['a line that a person closes', () => line('disconnect'), 'offline', /was closed during the print/, false],
    ])(
      '%s ends the run with its words, and the silence after it is no lost connection',
      async (_, strike, status, words, isListened) => {
        // OctoPrint is asked after each 1.5 s without a word.
        await becomeIdle({ waitFactor: 0.1 })
        const run = await print('struck.gcode', 600).then((state) => state.run)
        await strike()
        const over = await until(({ last_result }) => last_result !== null, 'the end')
        expect(over).toMatchObject({ run: null, run_mark: null, last_result: { run, result: 'failed' } })
        expect(over.last_result?.reason).toMatch(words)
        await until((state) => state.status === status, 'the word of the line')
        const said = rig.states.length
        if (isListened) await pause(SILENT_MS)
        expect(rig.states.slice(said).filter((state) => state.status !== status)).toEqual([])
        await line('connect')
        const back = await until((state) => state.status === 'idle', 'the return')
        expect(back.last_result).toEqual(over.last_result)
      },
    )

    test('killed in the middle of a print and started again, it is offline, then idle without a result', async () => {
      await becomeIdle()
      await print('killed.gcode', 600)
      await octoPrint.kill()
      await until(({ status }) => status === 'offline', 'the silence')
      await octoPrint.startAgain()
      const back = await until(({ status }) => status === 'idle', 'the return')
      expect(back).toMatchObject({ run: null, last_result: null })
    })

    test('a print that ended while no one was watching is found in its record, after a restart of OctoPrint', async () => {
      await becomeIdle()
      const { run } = await print('unseen.gcode', 3)
      await rig.driver.stop()
      type File = { prints?: { success: number } }
      const record = () =>
        octoPrint.ask<File>('GET', '/api/files/local/unseen.gcode').then(({ prints }) => prints?.success)
      await expect.poll(record, { timeout: WAIT_MS }).toBe(1)
      await octoPrint.kill()
      await octoPrint.startAgain()
      await rig.driver.start(soon())
      const back = await until(({ last_result }) => last_result !== null, 'the record')
      expect(back).toMatchObject({ status: 'idle', run: null, last_result: { run, result: 'completed' } })
    })
  },
)
