import { expect, test } from 'vitest'
import { buildPlan, buildPrinter, eventKinds, patient, startFile } from './test/build-printer.ts'

async function* pieces(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text, 'latin1')
}

async function print(texts: string[], faults: 'print_failure'[] = []) {
  const { printer, clock } = await buildPrinter({ faults })
  const sizeBytes = texts.join('').length
  await printer.upload('part.gcode', sizeBytes, pieces(...texts), patient)
  await printer.startPrint('part.gcode', buildPlan(), patient)
  clock.advance(3 * 3_600_000)
  return { printer, clock }
}

test.each([
  ['text', ['G28\n', '; ejection begin\nM140 S0\n; ejection end\n']],
  ['text that arrives in small pieces', ['G28\n; ejec', 'tion en', 'd', '\n']],
  ['a binary block with a checksum', ['G28\n', '; ejection end\n\x9c\x01\xff\x20']],
])('a print whose file ends with an ejection, as %s, leaves the plate empty', async (_what, texts) => {
  const { printer } = await print(texts)
  expect(eventKinds(printer).slice(-2)).toEqual(['completed', 'ejected'])
  await startFile(printer, {}, 'next.gcode')
  expect(eventKinds(printer)).not.toContain('started_on_occupied_plate')
  await printer.powerOff()
})

test('an ejection in the middle of a file is none', async () => {
  const { printer } = await print([`; ejection end\n${'G1 X1\n'.repeat(100)}`])
  expect(eventKinds(printer)).not.toContain('ejected')
  await printer.powerOff()
})

test('a print that fails before its end is not ejected', async () => {
  const { printer } = await print(['G28\n; ejection end\n'], ['print_failure'])
  expect(eventKinds(printer).at(-1)).toBe('failed')
  expect(eventKinds(printer)).not.toContain('ejected')
  await printer.powerOff()
})
