import { expect, test } from 'vitest'
import { createVirtualPrinter } from './create-virtual-printer.ts'
import { drawStill } from './draw-still.ts'
import { flatJpeg } from './flat-jpeg.ts'
import { buildPrinter, startFile } from './test/build-printer.ts'
import type { VirtualReport } from './virtual-printer.ts'

const report = () => createVirtualPrinter({ id: 'filmed', model: 'MK4S' }).report()
/** A printer that says this of itself, with these runs on its plate. */
const seen = (said: VirtualReport, ...runs: string[]) => ({
  report: () => said,
  plate: runs.map((runId) => ({ runId, fileName: 'part.gcode' })),
})

test('a still is a baseline JPEG of 640 × 480 pixels and a few kilobytes', () => {
  const still = drawStill(seen(report()))
  expect(still.subarray(0, 4)).toEqual(Buffer.from([0xff, 0xd8, 0xff, 0xe0]))
  expect(still.subarray(-2)).toEqual(Buffer.from([0xff, 0xd9]))
  const frame = still.indexOf(Buffer.from([0xff, 0xc0]))
  expect([still.readUInt16BE(frame + 5), still.readUInt16BE(frame + 7)]).toEqual([480, 640])
  expect(still.length).toBeLessThan(16_384)
})

test('a still shows how far the print is, its filament and what the printer does', () => {
  const now = report()
  const run = { ...now, runId: 'r1', activity: 'printing' as const, filament: { type: 'PLA', colorHex: '#D02040' } }
  const stills = [
    { ...run, progress: 0.2 },
    { ...run, progress: 0.5 },
    { ...run, progress: 0.5, activity: 'paused' as const },
    { ...run, progress: 0.5, filament: { type: 'PLA', colorHex: '#2040D0' } },
    { ...run, progress: 0.5, lightOn: !run.lightOn },
  ].map((shown) => drawStill(seen(shown, 'r1')).toString('base64'))
  expect(new Set(stills).size).toBe(stills.length)
})

test('a print that was taken off the plate is not seen there, although the printer still reports it as its last', async () => {
  const { printer, clock } = await buildPrinter()
  const empty = drawStill(printer)
  await startFile(printer, { printTimeSeconds: 60, nozzleTemp: 0, bedTemp: 0 })
  clock.advance(3_600_000)
  expect(printer.report().lastResult).toBe('completed')
  const done = drawStill(printer)
  expect(done.equals(empty)).toBe(false)
  printer.takeOffPlate()
  expect(printer.report().lastResult).toBe('completed')
  expect(drawStill(printer).equals(empty)).toBe(true)
  await printer.powerOff()
})

test('no marker stands among the data of a picture, whatever its colours', () => {
  const rows = Array.from({ length: 32 }, (_, y) =>
    Array.from({ length: 32 }, (_, x) => [(x * 37) % 256, (y * 91) % 256, (x * y * 13) % 256] as const),
  )
  const jpeg = flatJpeg(rows)
  const start = jpeg.indexOf(Buffer.from([0xff, 0xda])) + 12
  for (let at = start; at < jpeg.length - 2; at += 1) if (jpeg[at] === 0xff) expect(jpeg[at + 1], `byte ${at}`).toBe(0)
  expect(jpeg.length).toBeGreaterThan(1_000)
})
