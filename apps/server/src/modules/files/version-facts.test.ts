import { type PrintFile, unknownFacts, unknownFilament } from '@printyard/print-files/print-file'
import { expect, test } from 'vitest'
import { describeVersion, type FileReading } from './version-facts.ts'

function buildPrintFile(changes: Partial<PrintFile> = {}): PrintFile {
  return {
    ...unknownFacts(),
    format: 'gcode',
    isSliced: true,
    slicer: null,
    slicerVersion: null,
    plates: [],
    ...changes,
  }
}

const plateOf = (index: number, printTimeSeconds: number) => ({
  ...unknownFacts(),
  index,
  name: null,
  gcodePath: `Metadata/plate_${index}.gcode`,
  printTimeSeconds,
})

const read = (file: PrintFile, plate?: number) => describeVersion(file, plate) as FileReading

test('a file that says nothing gives nulls, never zeros', () => {
  const { facts, thumbnail } = read(buildPrintFile())
  expect(facts).toMatchObject({
    format: 'gcode',
    print_time_seconds: null,
    filament_weight_grams: null,
    filament_type: null,
    object_count: null,
    archive_plate: null,
  })
  expect(thumbnail).toBeNull()
})

test('lengths become metres, and filaments are named once each', () => {
  const { facts } = read(
    buildPrintFile({
      totalLengthMm: 2500,
      filaments: [
        { ...unknownFilament(1), type: 'PLA', color: '#FF0000' },
        { ...unknownFilament(2), type: 'PLA', color: '#00FF00' },
        { ...unknownFilament(3), type: 'PETG', color: '#00FF00' },
      ],
      nozzleTempC: [200, 215, 220, 250],
    }),
  )
  expect(facts).toMatchObject({
    filament_length_meters: 2.5,
    filament_type: 'PLA;PETG',
    filament_color: '#FF0000;#00FF00',
    nozzle_temp: 215,
  })
})

test('of several plates the first one is meant, or the one that is named', () => {
  const file = buildPrintFile({ format: 'gcode-3mf', plates: [plateOf(2, 100), plateOf(5, 700)] })
  expect(read(file).facts).toMatchObject({ archive_plate: 2, print_time_seconds: 100 })
  expect(read(file, 5).facts).toMatchObject({ archive_plate: 5, print_time_seconds: 700 })
  expect(describeVersion(file, 1)).toEqual({ plates: [2, 5] })
})

test('what PostgreSQL cannot store is left out of names and of the metadata', () => {
  const { facts, metadataJson } = read(
    buildPrintFile({
      printerModel: 'MK4\0S\ud800',
      printProfile: 'x'.repeat(1000),
      layerCount: 1e12,
      printTimeSeconds: Number.POSITIVE_INFINITY,
      objects: [{ id: '1', name: 'part' }],
      thumbnails: [{ width: 1, height: 1, mime: 'image/png', bytes: new Uint8Array(3) }],
    }),
  )
  expect(facts).toMatchObject({
    printer_model: 'MK4S\ufffd',
    print_profile: 'x'.repeat(200),
    layer_count: null,
    print_time_seconds: null,
    object_count: 1,
  })
  expect(JSON.parse(metadataJson)).toMatchObject({ printerModel: 'MK4S\ufffd' })
  expect(metadataJson).not.toMatch(/\\u0000|\\ud800|"objects"|"thumbnails"/)
})
