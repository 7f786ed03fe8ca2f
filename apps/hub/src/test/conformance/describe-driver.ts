import { setTimeout as pause } from 'node:timers/promises'
import { readProblem } from '@printyard/protocol/connection-problems'
import type { PrinterSettings } from '@printyard/protocol/messages'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { asStillError } from '../../drivers/camera/still-error.ts'
import { DriverError } from '../../drivers/driver.ts'
import { abilities, type Family, families, wishes } from '../../drivers/family-capabilities.ts'
import { createStillTaker } from '../../fleet/still-taker.ts'
import { createHub } from '../../hub.ts'
import { createRecordedLog } from '../quiet-log.ts'
import { buildConfig, makeDataDir } from '../test-hub.ts'
import { buildPrinter, PRINTER, startTestService } from '../test-service.ts'
import { type Peer, type Rig, type StartPeer, sampleFile, startRig } from './driver-rig.ts'
import { expectMarksOfAbsence } from './marks-of-absence.ts'

/** What a family cannot do, said aloud: a promise that is not tested is one that is not made. */
interface FamilyLimits {
  heaters?: false
  chamber?: false
  layers?: false
  /** The printer shows a run that was started at its own screen. */
  foreignRuns?: false
  light?: false
  /** The store of the peer can be made slow, so that an upload lasts. */
  slowStore?: false
  /** The printer says why it cannot store a file. */
  fullStorage?: false
  camera?: false
  /** Its name in the table of abilities, where the connection type has several. */
  family?: Family
}

/** How fast driver and tests are when the peer is a program of its own, with delays of its own. */
interface Pace {
  /** See `DriverContext`. */
  waitFactor: number
  /** Multiplies how long the tests wait. */
  patience: number
}

/** A test that is not there for a family that cannot do it. */
const testIf = (can: false | undefined) => (can === false ? () => undefined : test)

/** Rejects when something took too long. */
const rejectAfter = (ms: number) => pause(ms).then(() => Promise.reject(new Error(`not over after ${ms} ms`)))

const LARGE_BYTES = 100 * 1024 * 1024

/** The promises of `driver.ts`, kept by every family. The simulated machine's own log is the judge. */
export function describeDriver(
  type: PrinterSettings['connection_type'],
  startPeer: StartPeer,
  limits: FamilyLimits = {},
  { waitFactor, patience }: Pace = { waitFactor: 0.1, patience: 1 },
): void {
  const soon = () => AbortSignal.timeout(15_000 * patience)
  const silenceMs = 25_000 * patience

  describe(`the ${type} driver`, { timeout: 30_000 * patience }, () => {
    let peer: Peer
    let rig: Rig
    let isRunning = false

    beforeEach(async () => {
      peer = await startPeer()
      await peer.printer.powerOn()
    })

    afterEach(async () => {
      if (isRunning) await rig.close()
      isRunning = false
      await peer.close()
      await peer.printer.powerOff()
    })

    const settingsOf = (connection: Record<string, unknown>) => buildPrinter({ connection_type: type, connection })

    async function connect(connection = peer.connection): Promise<void> {
      rig = await startRig(settingsOf(connection), waitFactor, 20_000 * patience)
      isRunning = true
    }

    async function becomeIdle(): Promise<void> {
      await connect()
      await rig.until(({ status }) => status === 'idle', 'the printer to be idle')
    }

    async function print(fileName = 'cube-0001.gcode'): Promise<void> {
      await rig.driver.upload(rig.makeFile(fileName), soon())
      await rig.driver.startPrint(fileName, sampleFile, soon())
      await rig.until(({ run }) => run?.file_name === fileName, `the run of ${fileName}`)
    }

    const starts = () => peer.printer.events.filter(({ kind }) => kind === 'started').length

    test('shows an idle printer with its temperatures', async () => {
      await becomeIdle()
      const state = await rig.until(({ nozzle_temp }) => nozzle_temp !== null, 'a temperature')
      expect(state).toMatchObject({ status: 'idle', run: null, target_nozzle_temp: 0 })
      expect(state.bed_temp).toBeGreaterThan(10)
    })

    test('brings a file to the printer, starts it once, and shows the run and its end by identity', async () => {
      await becomeIdle()
      await print()
      expect(starts()).toBe(1)
      const running = await rig.until(({ progress }) => progress !== null, 'the progress')
      expect(running).toMatchObject({ status: 'printing', last_result: null })
      peer.printer.setSpeed(2_000)
      const ended = await rig.until(({ last_result }) => last_result !== null, 'the end')
      expect(ended).toMatchObject({
        status: 'idle',
        run: null,
        last_result: { result: 'completed', run: { file_name: running.run?.file_name, job_id: running.run?.job_id } },
      })
      expect(starts()).toBe(1)
    })

    test('a run that begins after a completed one is not over before it was seen running', async () => {
      await becomeIdle()
      await print()
      peer.printer.setSpeed(2_000)
      await rig.until(({ last_result }) => last_result !== null, 'the end of the first')
      peer.printer.setSpeed(1)
      const seen = rig.states.length
      await print('cube-0002.gcode')
      const said = rig.states.slice(seen)
      expect(said.filter(({ last_result }) => last_result?.run.file_name === 'cube-0002.gcode')).toEqual([])
      expect(starts()).toBe(2)
    })

    testIf(limits.layers)('counts layers while it prints', async () => {
      await becomeIdle()
      await print()
      peer.printer.setSpeed(50)
      const state = await rig.until(({ layer_num }) => (layer_num ?? 0) > 0, 'a layer')
      expect(state.total_layers).toBe(sampleFile.layer_count)
    })

    test('pauses, resumes and stops the run', async () => {
      await becomeIdle()
      await print()
      const { run } = rig.state
      await rig.driver.run({ kind: 'pause', args: { attempt_id: null } }, soon())
      const paused = await rig.until(({ status }) => status === 'paused', 'the pause')
      expect(paused.run).toEqual(run)
      await rig.driver.run({ kind: 'resume', args: { attempt_id: null } }, soon())
      await rig.until(({ status }) => status === 'printing', 'the run again')
      await rig.driver.run({ kind: 'stop', args: { attempt_id: null } }, soon())
      const stopped = await rig.until(({ last_result }) => last_result !== null, 'the end')
      expect(stopped).toMatchObject({ run: null, last_result: { result: 'cancelled', run } })
      const kinds = peer.printer.events.map(({ kind }) => kind)
      expect(kinds.filter((kind) => ['started', 'paused', 'resumed', 'cancelled'].includes(kind))).toEqual([
        'started',
        'paused',
        'resumed',
        'cancelled',
      ])
    })

    test('shows a print that fails, with a reason', async () => {
      await becomeIdle()
      peer.printer.setFaults(['print_failure'])
      await print()
      peer.printer.setSpeed(2_000)
      const failed = await rig.until(
        ({ status, last_result }) => status === 'error' || last_result?.result === 'failed',
        'the failure',
      )
      expect(failed.run).toBeNull()
      expect(failed.status_reason ?? failed.last_result?.reason).toMatch(/\w/)
    })

    test('shows filament that ran out as a pause', async () => {
      await becomeIdle()
      peer.printer.setFaults(['runout'])
      await print()
      peer.printer.setSpeed(500)
      expect(await rig.until(({ status }) => status === 'paused', 'the pause')).toMatchObject({ last_result: null })
    })

    test('starts nothing while another job runs, and says why', async () => {
      await becomeIdle()
      await print()
      await rig.driver.upload(rig.makeFile('cube-0002.gcode'), soon())
      const refused = rig.driver.startPrint('cube-0002.gcode', sampleFile, soon())
      await expect(refused).rejects.toBeInstanceOf(DriverError)
      expect(starts()).toBe(1)
      expect(rig.state.run?.file_name).toBe('cube-0001.gcode')
    })

    test('a start that the printer answers with yes and ignores shows no run', async () => {
      await becomeIdle()
      await rig.driver.upload(rig.makeFile('cube-0001.gcode'), soon())
      peer.printer.setFaults(['yes_without_effect'])
      await rig.driver.startPrint('cube-0001.gcode', sampleFile, soon()).catch((error: unknown) => {
        // A family whose answer already shows it says so; what it must not do is claim a run.
        expect(error).toBeInstanceOf(DriverError)
      })
      const seen = rig.states.length
      peer.printer.setFaults([])
      await peer.printer.setTargets({ bed: 41 }, soon())
      await rig.until(({ target_bed_temp }) => target_bed_temp === 41, 'another look')
      expect(rig.states.slice(seen).every(({ run }) => run === null)).toBe(true)
      expect(starts()).toBe(0)
    })

    test('starts nothing while a filament of the command has no slot', async () => {
      await becomeIdle()
      await rig.driver.upload(rig.makeFile('cube-0001.gcode'), soon())
      const print = { ...sampleFile, filament_map: [{ filament: 0, slot: null }] }
      await expect(rig.driver.startPrint('cube-0001.gcode', print, soon())).rejects.toMatchObject({
        code: 'NOT_MAPPED',
      })
      expect(starts()).toBe(0)
    })

    test('an upload that breaks off is told, and the next try replaces what it left', async () => {
      await becomeIdle()
      peer.printer.setFaults(['half_upload'])
      await expect(rig.driver.upload(rig.makeFile('cube-0001.gcode'), soon())).rejects.toMatchObject({
        code: expect.stringMatching(/^(UPLOAD_BROKEN|NO_ANSWER)$/),
      })
      peer.printer.setFaults([])
      await print()
      expect(starts()).toBe(1)
    })

    testIf(limits.slowStore)(
      'an upload that is given up ends soon, and the next one of that name is whole',
      async () => {
        await becomeIdle()
        peer.printer.setFaults(['slow_file_store'])
        const giveUp = new AbortController()
        const uploading = rig.driver.upload(rig.makeFile('cube-0001.gcode'), giveUp.signal)
        // By then the printer has all of it and takes its time.
        setTimeout(() => giveUp.abort(new Error('given up')), 500)
        await expect(Promise.race([uploading, rejectAfter(8_000 * patience)])).rejects.toThrow('given up')
        peer.printer.setFaults([])
        await print()
        expect(starts()).toBe(1)
      },
    )

    test('a file of 100 MiB arrives whole, and its sender hears how far it has come', {
      timeout: 240_000,
    }, async () => {
      await becomeIdle()
      const file = rig.makeFile('cube-0001.gcode', LARGE_BYTES)
      const sent: number[] = []
      const onSent = (sentBytes: number) => void sent.push(sentBytes)
      await rig.driver.upload({ ...file, onSent }, AbortSignal.timeout(200_000))
      expect(await peer.printer.listFiles(soon())).toEqual([{ fileName: file.file_name, sizeBytes: LARGE_BYTES }])
      expect(sent.length).toBeGreaterThan(10)
      expect(sent).toEqual(sent.toSorted((a, b) => a - b))
      expect(sent.at(-1)).toBe(LARGE_BYTES)
    })

    test.skipIf(limits.foreignRuns === false)(
      'shows a run that a person began at the printer as not ours',
      async () => {
        await becomeIdle()
        const plan = { printTimeSeconds: 600, layerCount: 50, nozzleTemp: 215, bedTemp: 60 }
        peer.printer.startByHand('vase.gcode', plan)
        const state = await rig.until(({ run }) => run !== null, 'the foreign run')
        expect(state).toMatchObject({ status: 'printing', run: { file_name: 'vase.gcode', attempt_id: null } })
      },
    )

    test('a print by hand that ended while the hub was away changes the mark of the printer', async () => {
      await becomeIdle()
      // Some printers have to be asked for their record first.
      await rig.until(({ run_mark }) => run_mark !== null, 'what it printed last')
      const { remembersLastRun } = rig.driver.capabilities
      await rig.close()
      isRunning = false
      await expectMarksOfAbsence({
        peer,
        settings: settingsOf(peer.connection),
        remembersLastRun,
        hasForeignRuns: limits.foreignRuns !== false,
        patience,
      })
    })

    testIf(limits.heaters)('sets heaters and shows their targets', async () => {
      await becomeIdle()
      await rig.driver.run({ kind: 'heaters', args: { nozzle: 150, bed: 50 } }, soon())
      await rig.until(
        ({ target_nozzle_temp, target_bed_temp }) => target_nozzle_temp === 150 && target_bed_temp === 50,
        'the targets',
      )
      await rig.driver.run({ kind: 'heaters', args: { nozzle: 0, bed: 0 } }, soon())
      await rig.until(({ target_nozzle_temp }) => target_nozzle_temp === 0, 'the heater to be off')
    })

    test('what the family cannot do is missing from its capabilities', async () => {
      await becomeIdle()
      const { commands } = rig.driver.capabilities
      expect(commands.has('heaters')).toBe(limits.heaters !== false)
      expect(commands.has('light')).toBe(limits.light !== false)
      expect(rig.driver.capabilities.camera).toBe(limits.camera !== false)
      for (const kind of ['print', 'pause', 'resume', 'stop'] as const) expect(commands.has(kind), kind).toBe(true)
    })

    testIf(limits.camera)('takes one picture for all who ask at once, and lets go of the camera', async () => {
      await becomeIdle()
      const { driver } = rig
      expect(driver.capabilities.camera).toBe(true)
      const stills = createStillTaker({ ask: (signal) => driver.takeStill(signal), timeoutMs: 20_000 })
      const [one, other] = await Promise.all([stills.take(), stills.take()])
      expect(one.subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]))
      expect(one.subarray(-2)).toEqual(Buffer.from([0xff, 0xd9]))
      expect(other).toBe(one)
      expect(peer.camera?.askedCount).toBe(1)
      await vi.waitFor(() => expect(peer.camera?.openCount).toBe(0), { timeout: 20_000 })
      await driver.takeStill(soon())
      expect(peer.camera?.askedCount).toBe(2)
    })

    testIf(limits.camera)('says why there is no picture, and lets go of the camera anyway', async () => {
      await becomeIdle()
      const { camera } = peer
      if (!camera) throw new Error('the peer has no camera')
      for (const [mode, code] of [
        ['half_dead', 'TIMEOUT'],
        ['not_a_picture', 'NOT_A_PICTURE'],
        ['oversize', 'TOO_LARGE'],
        ['refuses', 'CAMERA_REFUSED'],
      ] as const) {
        camera.mode = mode
        const limit = mode === 'half_dead' ? AbortSignal.timeout(1_000) : soon()
        const told = await rig.driver.takeStill(limit).catch(asStillError)
        expect(told, mode).toMatchObject({ code })
        await vi.waitFor(() => expect(camera.openCount, mode).toBe(0), { timeout: 20_000 })
      }
      await camera.close()
      const told = await rig.driver.takeStill(soon()).catch(asStillError)
      expect(told).toMatchObject({ code: 'CAMERA_UNREACHABLE' })
      expect(rig.state.status).toBe('idle')
    })

    test('does what the table of abilities says of its family, no more and no less', async () => {
      await becomeIdle()
      const family = limits.family ?? families.find((name) => name === type)
      if (!family) throw new Error(`the table of abilities has no ${type}`)
      const { commands, camera } = rig.driver.capabilities
      for (const wish of wishes) {
        const ability = abilities[family][wish]
        if (typeof ability === 'string') continue
        if (wish === 'firmware_version') {
          if (ability) await rig.until(({ firmware_version }) => firmware_version !== null, 'the firmware version')
        } else if (wish === 'slots') {
          if (ability) await rig.until(({ slots }) => slots !== undefined && slots !== null, 'the slots')
          else expect(rig.state.slots).toBeNull()
        } else if (wish === 'filament_map') expect(rig.driver.capabilities.filamentMap !== 'none').toBe(ability)
        else expect(wish === 'camera' ? camera : commands.has(wish), wish).toBe(ability)
      }
    })

    test('refused credentials are told as such, and nothing can be asked', async () => {
      if (!peer.wrongConnection) return expect(limits).toBeDefined()
      await connect(peer.wrongConnection)
      const state = await rig.until(({ status_reason }) => status_reason !== null, 'the refusal')
      expect(state).toMatchObject({ status: 'offline' })
      expect(state.status_reason).toContain('credentials refused')
      await expect(rig.driver.startPrint('cube-0001.gcode', sampleFile, soon())).rejects.toMatchObject({
        code: 'UNREACHABLE',
      })
      for (const secret of Object.values(peer.wrongConnection).filter((value) => String(value).length > 6)) {
        const said = JSON.stringify([rig.states, rig.log.lines])
        if (typeof secret === 'string' && !secret.startsWith('127.')) expect(said).not.toContain(secret)
      }
    })

    test('wrong credentials are a named problem with a remedy, and go away when fixed without restart', async () => {
      if (!peer.wrongConnection) return expect(limits).toBeDefined()
      const service = await startTestService()
      const dataDir = makeDataDir()
      service.printers = [settingsOf(peer.wrongConnection)]
      const hub = createHub(buildConfig(service, { dataDir: dataDir.path }), {
        log: createRecordedLog(),
        timings: { telemetryMs: 50, firstRetryMs: 50 },
      })
      try {
        await hub.start()
        const problems = () => service.pictureOf(PRINTER).problems ?? []
        await service.until(() => problems().length > 0, 'the problem', 30_000)
        expect(problems()).toMatchObject([{ reason: 'credentials_wrong' }])
        for (const problem of problems()) expect(readProblem(problem).remedy).toMatch(/access code, key or password/)
        service.send('configure', { printers: [settingsOf(peer.connection)] })
        await service.until(() => service.pictureOf(PRINTER).status === 'idle', 'the printer to be idle', 30_000)
        expect(problems()).toEqual([])
        expect(service.connectCount).toBe(1)
      } finally {
        await hub.stop()
        await service.stop()
        dataDir.remove()
      }
    })

    testIf(limits.fullStorage)('a full storage is a named problem of the printer', async () => {
      await becomeIdle()
      peer.printer.setFaults(['storage_full'])
      await expect(rig.driver.upload(rig.makeFile('cube-0001.gcode'), soon())).rejects.toMatchObject({
        problem: { reason: expect.stringMatching(/^storage_(full|faulty)$/), remedy: expect.stringMatching(/^[A-Z]/) },
      })
      peer.printer.setFaults([])
      await print()
      expect(starts()).toBe(1)
    })

    test('a printer that is well has no problem, and one that is out of reach has one', async () => {
      await becomeIdle()
      expect(rig.state.problems).toEqual([])
      peer.printer.setFaults(['lost_link'])
      const away = await rig.until(({ status }) => status === 'offline', 'the silence', 25_000)
      expect(away.problems).toMatchObject([{ reason: expect.stringMatching(/^(no_answer|unreachable|refused)$/) }])
      peer.printer.setFaults([])
      const back = await rig.until(({ status }) => status === 'idle', 'the return', 25_000)
      expect(back.problems).toEqual([])
    })

    test('finds its run again after the connection broke', async () => {
      await becomeIdle()
      await print()
      const { run } = rig.state
      const seen = rig.states.length
      peer.cut()
      await rig.until(() => rig.states.length > seen + 1 && rig.state.run !== null, 'the run again')
      expect(rig.state.run).toEqual(run)
      expect(starts()).toBe(1)
    })

    test('a printer that falls silent is offline, and its print is found ended on its return', async () => {
      await becomeIdle()
      await print()
      const { run } = rig.state
      peer.printer.setFaults(['lost_link'])
      await rig.until(({ status }) => status === 'offline', 'the silence', silenceMs)
      peer.printer.setSpeed(2_000)
      await vi.waitFor(() => expect(peer.printer.report().lastResult).toBe('completed'), { timeout: silenceMs })
      peer.printer.setFaults([])
      const back = await rig.until(({ status, run: now }) => status === 'idle' && now === null, 'the return', silenceMs)
      if (back.last_result) expect(back.last_result).toMatchObject({ result: 'completed', run })
      expect(starts()).toBe(1)
    })

    test('nonsense from the printer changes nothing', async () => {
      await becomeIdle()
      await print()
      await peer.sendNonsense?.()
      await rig.driver.run({ kind: 'pause', args: { attempt_id: null } }, soon())
      expect((await rig.until(({ status }) => status === 'paused', 'the pause')).run?.file_name).toBe('cube-0001.gcode')
    })

    test('a print that a hub is given goes from the file to its end by evidence', async () => {
      const service = await startTestService()
      const dataDir = makeDataDir()
      service.printers = [settingsOf(peer.connection)]
      const hub = createHub(buildConfig(service, { dataDir: dataDir.path }), {
        log: createRecordedLog(),
        timings: { telemetryMs: 50, firstRetryMs: 50, confirmTimeoutMs: 20_000 },
      })
      try {
        await hub.start()
        await service.until(() => service.pictureOf(PRINTER).status === 'idle', 'the printer to be idle')
        const file = service.serve('cube.gcode', { content: Buffer.alloc(300_000, 'G1 X10 Y10 E1\n') })
        service.command('print', { attempt_id: 'att_1', file })
        await service.reachesPhase('att_1', 'confirmed')
        await service.until(() => service.pictureOf(PRINTER).run?.attempt_id === 'att_1', 'our run in the telemetry')
        peer.printer.setSpeed(2_000)
        expect(await service.reachesPhase('att_1', 'finished')).toMatchObject({
          outcome: 'done',
          evidence: { kind: 'telemetry' },
        })
        expect(service.reportsOf('att_1').map(({ phase }) => phase)).toEqual([
          'transferring',
          'starting',
          'confirmed',
          'finished',
        ])
        // What stays behind fills the store, and one family prints it again after a power cut.
        await expect.poll(() => peer.printer.listFiles(soon()), { timeout: 20_000 * patience }).toEqual([])
        expect(service.problems).toEqual([])
      } finally {
        await hub.stop()
        await service.stop()
        dataDir.remove()
      }
      expect(starts()).toBe(1)
    })

    test('can be stopped and started again, and is quiet in between', async () => {
      await becomeIdle()
      await rig.driver.stop()
      const said = rig.states.length
      peer.printer.startByHand('vase.gcode', { printTimeSeconds: 600, layerCount: 50, nozzleTemp: 215, bedTemp: 60 })
      await peer.printer.setLight(true, soon())
      expect(rig.states.length).toBe(said)
      await rig.driver.start(AbortSignal.timeout(60_000))
      await rig.until(() => rig.states.length > said, 'a sign of life')
    })
  })
}
