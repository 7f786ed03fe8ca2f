import type { PrinterState } from '@printyard/protocol/printer-state'
import { createVirtualPrinter } from '@printyard/virtual-printers/create-virtual-printer'
import { startMoonrakerSimulator } from '@printyard/virtual-printers/moonraker/moonraker-simulator'
import type { VirtualPrinter } from '@printyard/virtual-printers/virtual-printer'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createHub, type Hub } from './hub.ts'
import { createRecordedLog } from './test/quiet-log.ts'
import { buildConfig, makeDataDir, quickTimings } from './test/test-hub.ts'
import { buildPrinter, PRINTER, startTestService, type TestService } from './test/test-service.ts'

const plan = { printTimeSeconds: 600, layerCount: 50, nozzleTemp: 215, bedTemp: 60 }
const content = Buffer.alloc(300_000, 'G1 X10\n')

let dataDir: ReturnType<typeof makeDataDir>
let service: TestService
let printer: VirtualPrinter
let simulator: Awaited<ReturnType<typeof startMoonrakerSimulator>>
let hub: Hub

/** A hub, and a printer that people stand at: both live on without the other. */
beforeEach(async () => {
  dataDir = makeDataDir()
  service = await startTestService()
  printer = createVirtualPrinter({ id: 'voron', model: 'Voron 2.4', speed: 1, slowFileStoreMs: 1_500 })
  await printer.powerOn()
  simulator = await startMoonrakerSimulator({ printer })
  const connection = { address: '127.0.0.1', port: simulator.port }
  service.printers = [buildPrinter({ connection_type: 'moonraker', connection })]
  hub = createHub(buildConfig(service, { dataDir: dataDir.path }), {
    log: createRecordedLog(),
    // Klipper is given some seconds to come back after its link broke.
    timings: { ...quickTimings, readyTimeoutMs: 15_000 },
  })
  await hub.start()
})
afterEach(async () => {
  await hub.stop()
  await simulator.close()
  await printer.powerOff()
  await service.stop()
  dataDir.remove()
  expect(service.problems).toEqual([])
})

const markWhen = (matches: (picture: Partial<PrinterState>) => boolean) =>
  service.until(() => {
    const picture = service.pictureOf(PRINTER)
    return matches(picture) && picture.run_mark
  }, 'the mark of the printer')
const isIdle = ({ status }: Partial<PrinterState>) => status === 'idle'
const kinds = () => printer.events.map(({ kind }) => kind)

/** A person prints at the printer and waits for the end. */
async function printByHand(fileName = 'vase.gcode'): Promise<void> {
  printer.startByHand(fileName, plan)
  printer.setSpeed(20_000)
  await vi.waitFor(() => expect(printer.report()).toMatchObject({ activity: 'idle', lastResult: 'completed' }), 10_000)
  printer.setSpeed(1)
}

function sendPrint(attempt_id: string, run_mark?: string | null): void {
  const file = service.serve('clip.gcode', { content })
  service.command('print', { attempt_id, file, ...(run_mark !== undefined && { run_mark }) })
}

const outcomeOf = async (attemptId: string) => {
  const { outcome, reason_code, evidence } = await service.reachesPhase(attemptId, 'finished')
  return { outcome, reason_code, detail: evidence.detail }
}

describe('a command that names what the plate was cleared with', () => {
  test('starts when that still holds, and its report says what stands for the plate from then on', async () => {
    const before = await markWhen(isIdle)
    sendPrint('att_000000000001', before)
    await service.reachesPhase('att_000000000001', 'confirmed')
    printer.setSpeed(20_000)
    const finished = await service.reachesPhase('att_000000000001', 'finished')
    expect(finished).toMatchObject({ outcome: 'done', run_mark: expect.stringContaining('clip-000000000001.gcode') })
    expect(await markWhen(isIdle)).toBe(finished.run_mark)
    expect(finished.run_mark).not.toBe(before)
  })

  test('is refused when something was printed since, before anything is brought to the printer', async () => {
    const before = await markWhen(isIdle)
    await printByHand()
    await markWhen((picture) => isIdle(picture) && picture.run_mark !== before)
    sendPrint('att_1', before)
    expect(await outcomeOf('att_1')).toEqual({
      outcome: 'not_started',
      reason_code: 'PLATE_CHANGED',
      detail: 'vase.gcode was printed since the plate was cleared',
    })
    expect(kinds()).not.toContain('uploaded')
  })

  test('is refused when a print by hand began and ended while its file was on the way to the printer', async () => {
    const before = await markWhen(isIdle)
    printer.setFaults(['slow_file_store'])
    sendPrint('att_1', before)
    await service.until(() => service.pictureOf(PRINTER).transfer, 'the upload')
    await printByHand()
    expect(await outcomeOf('att_1')).toMatchObject({ outcome: 'not_started', reason_code: 'PLATE_CHANGED' })
    expect(kinds().filter((kind) => kind === 'started')).toHaveLength(1)
  })

  test('is refused as busy while such a print still runs', async () => {
    const before = await markWhen(isIdle)
    printer.setFaults(['slow_file_store'])
    sendPrint('att_1', before)
    await service.until(() => service.pictureOf(PRINTER).transfer, 'the upload')
    printer.startByHand('vase.gcode', plan)
    expect(await outcomeOf('att_1')).toMatchObject({ outcome: 'not_started', reason_code: 'PRINTER_BUSY' })
    expect(kinds().filter((kind) => kind === 'started')).toHaveLength(1)
  })

  test('waits for a printer that is out of reach, and compares when it is back', async () => {
    const before = await markWhen(isIdle)
    printer.setFaults(['lost_link'])
    simulator.cut()
    await service.until(() => service.pictureOf(PRINTER).status === 'offline', 'the loss of the link')
    expect(service.pictureOf(PRINTER).run_mark).toBeNull()
    sendPrint('att_1', before)
    await printByHand()
    printer.setFaults([])
    expect(await outcomeOf('att_1')).toMatchObject({ outcome: 'not_started', reason_code: 'PLATE_CHANGED' })
    expect(kinds().filter((kind) => kind === 'started')).toHaveLength(1)
  })
})

test('a service of an older version names nothing, and its commands are carried out as ever', async () => {
  await printByHand()
  await markWhen(isIdle)
  sendPrint('att_1')
  await service.reachesPhase('att_1', 'confirmed')
})
