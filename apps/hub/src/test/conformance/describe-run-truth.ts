import type { PrinterSettings } from '@printyard/protocol/messages'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DriverError } from '../../drivers/driver.ts'
import { buildPrinter } from '../test-service.ts'
import { type Peer, type Rig, sampleFile, startRig } from './driver-rig.ts'

/** A peer that can do what real printers have been seen to do around the ends of runs. */
interface TruthPeer extends Peer {
  /** The names of a job that is started stand beside the end of the one before, as long as this is on. */
  setEndsLinger(doLinger: boolean): void
}

const plan = { printTimeSeconds: 600, layerCount: 50, nozzleTemp: 215, bedTemp: 60 }

/** What became of a run, and whose it was: promises of the families whose simulator can put them to the test. */
export function describeRunTruth(
  name: string,
  type: PrinterSettings['connection_type'],
  startPeer: () => Promise<TruthPeer>,
): void {
  const soon = () => AbortSignal.timeout(15_000)

  describe(`what ${name} shows of its runs`, { timeout: 60_000 }, () => {
    let peer: TruthPeer
    let rig: Rig

    beforeEach(async () => {
      peer = await startPeer()
      await peer.printer.powerOn()
      rig = await startRig(buildPrinter({ connection_type: type, connection: peer.connection }))
      await rig.until(({ status }) => status === 'idle', 'the printer to be idle')
    })

    afterEach(async () => {
      await rig.close()
      await peer.close()
      await peer.printer.powerOff()
    })

    const starts = () => peer.printer.events.filter(({ kind }) => kind === 'started').length
    const resultsOf = (fileName: string) =>
      rig.states.flatMap(({ last_result }) => (last_result?.run.file_name === fileName ? last_result.result : []))

    /** Resolves after some more pictures of the printer. */
    async function look(): Promise<void> {
      for (let pictures = 0; pictures < 4; pictures += 1) {
        const seen = rig.states.length
        await peer.printer.setTargets({ bed: 30 + pictures }, soon())
        await rig.until(() => rig.states.length > seen, 'another picture')
      }
    }

    async function upload(fileName: string): Promise<void> {
      await rig.driver.upload(rig.makeFile(fileName), soon())
    }

    async function print(fileName: string): Promise<void> {
      await upload(fileName)
      await rig.driver.startPrint(fileName, sampleFile, soon()).catch((error: unknown) => {
        // Some hang up instead of answering.
        if (!(error instanceof DriverError && error.code === 'NO_ANSWER')) throw error
      })
      await rig.until(({ run }) => run?.file_name === fileName, `the run of ${fileName}`)
    }

    /** A person acknowledges what a printer complains of. */
    async function acknowledge(): Promise<void> {
      const { status } = await rig.until(({ status }) => status === 'error' || status === 'idle', 'what the run leaves')
      if (status === 'error') await rig.driver.run({ kind: 'stop', args: { attempt_id: null } }, soon())
      await rig.until(({ status }) => status === 'idle', 'the printer to be free')
    }

    async function printByHand(fileName: string): Promise<void> {
      peer.printer.startByHand(fileName, plan)
      await rig.until(({ run }) => run !== null, 'the print by hand')
      peer.printer.setSpeed(5_000)
      await rig.until(({ run }) => run === null, 'the print by hand to be over')
      await rig.until(({ status }) => status === 'idle', 'the printer to be idle again')
      peer.printer.setSpeed(1)
    }

    test('the end of a print by hand, still shown beside the name of ours, is not the end of ours', async () => {
      const seen = rig.states.length
      peer.printer.startByHand('vase.gcode', plan)
      await rig.until(({ run }) => run?.file_name === 'vase.gcode', 'the print by hand')
      expect(rig.states.slice(seen).every(({ run }) => run === null || run.file_name === 'vase.gcode')).toBe(true)
      peer.printer.setSpeed(5_000)
      await rig.until(({ last_result }) => last_result?.result === 'completed', 'its end')
      peer.printer.setSpeed(1)
      peer.setEndsLinger(true)
      await upload('cube-0001.gcode')
      await rig.driver.startPrint('cube-0001.gcode', sampleFile, soon()).catch(() => undefined)
      await rig.until(({ status }) => status === 'idle', 'the printer, also over a connection that it closed')
      await look()
      expect(resultsOf('cube-0001.gcode')).toEqual([])
      peer.setEndsLinger(false)
      await rig.until(({ run }) => run?.file_name === 'cube-0001.gcode', 'our run')
      peer.printer.setSpeed(5_000)
      await rig.until(({ last_result }) => last_result?.run.file_name === 'cube-0001.gcode', 'the end of our run')
      expect(new Set(resultsOf('cube-0001.gcode'))).toEqual(new Set(['completed']))
      expect(starts()).toBe(2)
    })

    test('a fault that a failed print leaves is acknowledged by a stop, and the next print runs and ends well', async () => {
      peer.printer.setFaults(['print_failure'])
      await print('cube-0001.gcode')
      peer.printer.setSpeed(2_000)
      await rig.until(({ last_result }) => last_result?.result === 'failed', 'the failure')
      peer.printer.setFaults([])
      peer.printer.setSpeed(1)
      await acknowledge()
      await print('cube-0002.gcode')
      peer.printer.setSpeed(5_000)
      await rig.until(({ last_result }) => last_result?.run.file_name === 'cube-0002.gcode', 'the end')
      expect(new Set(resultsOf('cube-0002.gcode'))).toEqual(new Set(['completed']))
    })

    test('a fault that no stop ends locks nothing once a person has acknowledged it', async () => {
      peer.printer.setFaults(['print_failure', 'lasting_error'])
      await print('cube-0001.gcode')
      peer.printer.setSpeed(2_000)
      await rig.until(({ status }) => status === 'error', 'the fault')
      await rig.driver.run({ kind: 'stop', args: { attempt_id: null } }, soon())
      expect((await rig.until(({ status }) => status === 'idle', 'the printer to be free')).last_result).toMatchObject({
        result: 'failed',
        run: { file_name: 'cube-0001.gcode' },
      })
      // What the machine itself refuses it still refuses, in its own words, until a person was there.
      peer.printer.takePrintOff()
      peer.printer.setFaults([])
      peer.printer.setSpeed(1)
      await print('cube-0002.gcode')
    })

    test.each([true, false])(
      'a print that a restart of the machine ends is never completed (%s: it remembers)',
      async (remembers) => {
        await print('cube-0001.gcode')
        peer.printer.restart({ remembers })
        await rig.until(({ run }) => run === null, 'the end of the run')
        await acknowledge()
        await look()
        expect(resultsOf('cube-0001.gcode')).not.toContain('completed')
        await print('cube-0002.gcode')
        expect(starts()).toBe(2)
      },
    )

    test('a start that is refused and takes effect anyway is seen as the run of its file', async () => {
      await upload('cube-0001.gcode')
      peer.printer.setFaults(['refusal_after_effect'])
      await rig.driver.startPrint('cube-0001.gcode', sampleFile, soon()).catch(() => undefined)
      peer.printer.setFaults([])
      expect(rig.state.run).toBeNull()
      peer.printer.setSpeed(10)
      await rig.until(({ run }) => run?.file_name === 'cube-0001.gcode', 'our run')
      expect(resultsOf('cube-0001.gcode')).toEqual([])
      expect(starts()).toBe(1)
    })

    test('our file, printed again by hand, never ends our run a second time in another way', async () => {
      await print('cube-0001.gcode')
      await rig.driver.run({ kind: 'stop', args: { attempt_id: null } }, soon())
      const ours = (await rig.until(({ last_result }) => last_result !== null, 'our end')).last_result
      expect(ours).toMatchObject({ result: 'cancelled', run: { file_name: 'cube-0001.gcode' } })
      await printByHand('cube-0001.gcode')
      const theirs = (await rig.until(({ last_result }) => last_result?.result === 'completed', 'their end'))
        .last_result
      const isTold = ours?.run.job_id !== null && theirs?.run.job_id !== null
      if (isTold) expect(theirs?.run.job_id).not.toBe(ours?.run.job_id)
    })
  })
}
