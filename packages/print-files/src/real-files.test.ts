import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { readPrintFile } from './read-print-file.ts'

const demoFile = (name: string) => fileURLToPath(new URL(`../../../apps/server/demo-files/${name}`, import.meta.url))
const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url))

test('PrusaSlicer: layers are counted by whole lines, in spite of the profile adding BEFORE_LAYER_CHANGE', async () => {
  const file = await readPrintFile(demoFile('shelf-bracket_mk4s_pla.gcode'))
  expect(file).toMatchObject({
    format: 'gcode',
    isSliced: true,
    slicer: 'PrusaSlicer',
    slicerVersion: '2.5.0',
    printerModel: 'MK4S',
    printProfile: '0.20mm STRUCTURAL @MK4S 0.4',
    layerCount: 100,
    layerHeightMm: 0.2,
    firstLayerHeightMm: 0.2,
    maxZMm: 20,
    nozzleDiametersMm: [0.4],
    nozzleTempC: [215],
    bedTempC: 60,
    estimated: [],
    warnings: [],
  })
  expect(file.filaments).toEqual([
    expect.objectContaining({ index: 0, type: 'PLA', color: '#1F6FEB', presetId: 'Generic PLA @MK4S', weightG: 7.17 }),
  ])
})

test('PrusaSlicer: the normal mode counts, not the silent one', async () => {
  const file = await readPrintFile(demoFile('cable-box_mk3s_petg.gcode'))
  expect(file.printTimeSeconds).toBe(48 * 60 + 54)
  expect(file.filaments[0]).toMatchObject({ type: 'PETG', color: '#FF8000', weightG: 8.84 })
})

test('PrusaSlicer: two tools give two filaments', async () => {
  const file = await readPrintFile(demoFile('door-sign_xl_two-colours.gcode'))
  expect(file.filaments.map(({ index, color, weightG }) => [index, color, weightG])).toEqual([
    [0, '#111111', 2.15],
    [1, '#F2C200', 4.08],
  ])
  expect(file.totalWeightG).toBe(6.23)
  expect(file.nozzleDiametersMm).toEqual([0.4, 0.4])
})

test('Cura: a complete header is taken as it stands', async () => {
  const file = await readPrintFile(demoFile('wall-hook_ender3.gcode'))
  expect(file).toMatchObject({
    slicer: 'Cura',
    slicerVersion: '4.13.0',
    printerModel: 'Creality Ender-3',
    layerCount: 36,
  })
  expect(file).toMatchObject({ layerHeightMm: 0.28, nozzleTempC: [215], bedTempC: 60, estimated: [] })
  expect(file.printTimeSeconds).toBeGreaterThan(600)
  expect(file.totalLengthMm).toBeGreaterThan(1000)
  expect(file.totalWeightG).toBeNull()
})

test("Cura: the engine's placeholders are not believed", async () => {
  const file = await readPrintFile(fixture('cura-engine-alone.gcode'))
  expect(file.printTimeSeconds).not.toBe(6666)
  expect(file.printTimeSeconds).toBeGreaterThan(600)
  expect(file.maxZMm).toBeLessThan(100)
  expect(file.estimated).toEqual(expect.arrayContaining(['printTimeSeconds', 'maxZMm', 'lengthMm', 'totalLengthMm']))
})

test('Slic3r: length and heights without time, type or layer marks', async () => {
  const file = await readPrintFile(fixture('slic3r-abs.gcode'))
  expect(file).toMatchObject({
    slicer: 'Slic3r',
    slicerVersion: '1.3.0',
    printTimeSeconds: null,
    totalWeightG: null,
    layerHeightMm: 0.3,
    firstLayerHeightMm: 0.35,
    maxZMm: 3.35,
    layerCount: 11,
    bedTempC: 100,
  })
  expect(file.filaments[0]!.type).toBeNull()
  expect(file.filaments[0]!.lengthMm).toBeGreaterThan(1000)
  expect(file.estimated).toContain('layerCount')
})

test('a plate of a .gcode.3mf keeps the place of its filament in the project', async () => {
  const file = await readPrintFile(demoFile('cable-clips_p1s_pla.gcode.3mf'))
  expect(file).toMatchObject({
    format: 'gcode-3mf',
    slicer: 'BambuStudio',
    printerModel: 'Bambu Lab P1S',
    layerCount: 50,
  })
  expect(file.plates).toHaveLength(1)
  expect(file.plates[0]).toMatchObject({ index: 1, name: 'Cable clips', gcodePath: 'Metadata/plate_1.gcode' })
  expect(file.filaments).toEqual([
    expect.objectContaining({ index: 1, type: 'PLA', color: '#2EA043', presetId: 'GFA00' }),
  ])
  expect(file.thumbnails).toEqual([expect.objectContaining({ width: 256, height: 256, mime: 'image/png' })])
  expect(file.warnings).toEqual([])
})

test('a .bgcode tells everything without its G-code being unpacked', async () => {
  const file = await readPrintFile(demoFile('shelf-brackets_core-one_pla.bgcode'))
  expect(file).toMatchObject({
    format: 'bgcode',
    slicer: 'PrusaSlicer',
    printerModel: 'COREONE',
    maxZMm: 20,
    layerCount: 100,
  })
  expect(file.estimated).toEqual(['layerCount'])
  expect(file.filaments).toEqual([expect.objectContaining({ type: 'PLA', color: '#8957E5', weightG: 14.33 })])
  expect(file.thumbnails.map(({ width, mime }) => [width, mime])).toEqual([
    [220, 'image/png'],
    [16, 'image/png'],
  ])
})
