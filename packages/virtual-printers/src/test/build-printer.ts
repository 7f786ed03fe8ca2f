import { createVirtualPrinter, type VirtualPrinterOptions } from '../create-virtual-printer.ts'
import { createManualClock, type ManualClock } from '../manual-clock.ts'
import type { PrintPlan, VirtualPrinter } from '../virtual-printer.ts'

/** A signal that never aborts. */
export const patient = new AbortController().signal

export function buildPlan(overrides: Partial<PrintPlan> = {}): PrintPlan {
  return { printTimeSeconds: 3_600, layerCount: 100, nozzleTemp: 215, bedTemp: 60, ...overrides }
}

/** A printer that is on, on a clock that the test moves: at speed 1, so that milliseconds are simulated ones. */
export async function buildPrinter(
  overrides: Partial<VirtualPrinterOptions> = {},
): Promise<{ printer: VirtualPrinter; clock: ManualClock }> {
  const clock = createManualClock()
  const printer = createVirtualPrinter({
    id: 'printer-1',
    model: 'MK4S',
    now: clock.now,
    schedule: clock.schedule,
    ...overrides,
  })
  await printer.powerOn()
  return { printer, clock }
}

export async function* bytesOf(sizeBytes: number, chunkBytes = 1_000): AsyncGenerator<Uint8Array> {
  for (let sent = 0; sent < sizeBytes; sent += chunkBytes) yield new Uint8Array(Math.min(chunkBytes, sizeBytes - sent))
}

export async function uploadFile(printer: VirtualPrinter, fileName = 'part.gcode', sizeBytes = 5_000): Promise<void> {
  await printer.upload(fileName, sizeBytes, bytesOf(sizeBytes), patient)
}

/** Uploads and starts; the run is heating afterwards. */
export async function startFile(
  printer: VirtualPrinter,
  plan: Partial<PrintPlan> = {},
  fileName = 'part.gcode',
): Promise<string> {
  await uploadFile(printer, fileName)
  const { runId } = await printer.startPrint(fileName, buildPlan(plan), patient)
  return runId
}

export function eventKinds(printer: VirtualPrinter): string[] {
  return printer.events.map(({ kind }) => kind)
}
