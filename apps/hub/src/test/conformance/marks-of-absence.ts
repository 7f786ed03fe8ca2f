import type { PrinterSettings } from '@printyard/protocol/messages'
import { expect, vi } from 'vitest'
import { SHORTEST_PRINT_MS } from '../../fleet/run-mark.ts'
import { createHub } from '../../hub.ts'
import { createRecordedLog } from '../quiet-log.ts'
import { buildConfig, makeDataDir } from '../test-hub.ts'
import { PRINTER, startTestService } from '../test-service.ts'
import type { Peer } from './driver-rig.ts'

interface MarksOfAbsence {
  peer: Peer
  settings: PrinterSettings
  remembersLastRun: boolean
  /** A print can be started at the printer's own screen, and is shown by it. */
  hasForeignRuns: boolean
  patience: number
}

/**
 * What the hub says of a printer after it was away: for a moment in which nothing happened, the same as before; after a print
 * by hand that began and ended meanwhile, something else. A printer that forgets is in doubt after any longer time.
 */
export async function expectMarksOfAbsence({
  peer,
  settings,
  remembersLastRun,
  hasForeignRuns,
  patience,
}: MarksOfAbsence): Promise<void> {
  const service = await startTestService()
  const dataDir = makeDataDir()
  service.printers = [settings]
  let passedMs = 0
  /** Runs a hub until it has told the mark of the idle printer. */
  const visit = async () => {
    const hub = createHub(buildConfig(service, { dataDir: dataDir.path }), {
      log: createRecordedLog(),
      clock: () => Date.now() + passedMs,
      timings: { telemetryMs: 50, firstRetryMs: 50 },
    })
    service.received.length = 0
    try {
      await hub.start()
      const { run_mark, run_mark_reason } = await service.until(
        () => {
          const picture = service.pictureOf(PRINTER)
          return picture.status === 'idle' && typeof picture.run_mark === 'string' && picture
        },
        'the mark',
        20_000 * patience,
      )
      return { run_mark, run_mark_reason }
    } finally {
      await hub.stop()
    }
  }
  try {
    const before = await visit()
    expect(await visit()).toEqual(before)
    if (hasForeignRuns) {
      peer.printer.startByHand('vase.gcode', { printTimeSeconds: 600, layerCount: 50, nozzleTemp: 215, bedTemp: 60 })
      peer.printer.setSpeed(10_000)
      await vi.waitFor(() => expect(peer.printer.report().lastResult).toBe('completed'), { timeout: 20_000 * patience })
    }
    passedMs += 2 * SHORTEST_PRINT_MS
    const after = await visit()
    if (hasForeignRuns || !remembersLastRun) expect(after.run_mark).not.toBe(before.run_mark)
    else expect(after).toEqual(before)
    if (!remembersLastRun && !hasForeignRuns) expect(after.run_mark_reason).toContain('out of sight for ')
    expect(service.problems).toEqual([])
  } finally {
    await service.stop()
    dataDir.remove()
  }
}
