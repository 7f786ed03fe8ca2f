import { expect, test } from 'vitest'
import { sampleFile } from '../../test/conformance/driver-rig.ts'
import { mapFilaments, mappingFor, refuseMapOfPlainGcode } from './ams-mapping.ts'
import type { Tray } from './bambu-filament.ts'

const tray = (number: number, type: string | null, colorHex: string | null = null): Tray => ({
  number,
  name: `tray ${number}`,
  presetId: null,
  tool: null,
  unit: number >= 128 ? number : number >> 2,
  slot: number >= 128 ? 0 : number & 3,
  type,
  colorHex,
  remainingPercent: null,
  isEmpty: false,
})
const hung = (type: string | null): Tray => ({ ...tray(254, type), unit: 255, slot: 0 })
const filament = (index: number, type: string | null, colorHex: string | null = null) => ({ index, type, colorHex })

test('one entry for each filament of the project, and −1 for those that the plate does not use', () => {
  const trays = [tray(0, 'PLA', '#FFFFFF'), tray(2, 'PETG', '#000000')]
  expect(mapFilaments([filament(2, 'PETG')], trays, [], null)).toEqual({
    use_ams: true,
    ams_mapping: [-1, -1, 2],
    ams_mapping2: [
      { ams_id: 255, slot_id: 255 },
      { ams_id: 255, slot_id: 255 },
      { ams_id: 0, slot_id: 2 },
    ],
  })
})

test('a printer without feeding units prints from the external spool', () => {
  expect(mapFilaments([filament(0, 'PLA')], [], [hung('PLA')], null)).toEqual({
    use_ams: false,
    ams_mapping: [-1],
    ams_mapping2: [{ ams_id: 255, slot_id: 0 }],
  })
})

test('of two nozzles each has a holder of its own: what hangs at the one is not looked for at the other', () => {
  const left = (type: string | null): Tray => ({ ...tray(254, type), unit: 254, slot: 0 })
  const right = (type: string | null): Tray => ({ ...tray(255, type), unit: 255, slot: 0 })
  const unitFor = (type: string, externals: Tray[], trays: Tray[] = []) =>
    mapFilaments([filament(0, type)], trays, externals, null).ams_mapping2[0]?.ams_id
  expect(unitFor('TPU', [left('TPU'), right('PLA')])).toBe(254)
  expect(unitFor('PLA', [left('TPU'), right('PLA')])).toBe(255)
  expect(unitFor('PLA', [left('TPU'), right('PLA')], [tray(0, 'ABS')])).toBe(255)
  expect(unitFor('PLA', [left(null), right(null)])).toBe(255)
  expect(mapFilaments([filament(0, 'TPU')], [], [left('TPU'), right(null)], null)).toMatchObject({
    use_ams: false,
    ams_mapping: [-1],
  })
  expect(() => unitFor('ABS', [left('TPU'), right('PLA')])).toThrow('no spool')
})

test('of spools of the type the nearest colour is taken, the one in use when they are alike', () => {
  const trays = [tray(0, 'PLA', '#FF0000'), tray(1, 'PLA', '#0000FF'), tray(2, 'PLA', '#0000FF')]
  expect(mapFilaments([filament(0, 'pla', '#1010F0')], trays, [], trays[2] ?? null).ams_mapping).toEqual([2])
})

test('a unit with one heated slot goes by its own number', () => {
  expect(mapFilaments([filament(0, 'ABS')], [tray(128, 'ABS')], [], null)).toMatchObject({
    ams_mapping: [128],
    ams_mapping2: [{ ams_id: 128, slot_id: 0 }],
  })
})

test('a spool that no one described is taken rather than none', () => {
  expect(mapFilaments([filament(0, 'PLA')], [tray(0, 'ABS'), tray(3, null)], [], null).ams_mapping).toEqual([3])
})

test('when no spool fits the print is refused: a number that does not exist would make the printer wait for ever', () => {
  const empty = { ...tray(1, 'PLA'), isEmpty: true }
  expect(() => mapFilaments([filament(0, 'PLA')], [tray(0, 'ABS'), empty], [], null)).toThrow('no spool')
  expect(() => mapFilaments([filament(0, 'PLA')], [tray(0, 'ABS')], [hung(null)], null)).toThrow('no spool')
})

test('a map in the command is sent as it is, whatever the colours say; an external spool is another thing than nothing', () => {
  const now = { trays: [tray(0, 'PLA', '#FFFFFF'), tray(5, 'PLA', '#000000')], externals: [hung('TPU')], current: null }
  const filament_map = [
    { filament: 0, slot: 5 },
    { filament: 2, slot: 254 },
  ]
  const filaments = [filament(0, 'PLA', '#FFFFFF'), filament(2, 'PETG')]
  expect(mappingFor({ ...sampleFile, filament_map, filaments }, now)).toEqual({
    use_ams: true,
    ams_mapping: [5, -1, -1],
    ams_mapping2: [
      { ams_id: 1, slot_id: 1 },
      { ams_id: 255, slot_id: 255 },
      { ams_id: 255, slot_id: 0 },
    ],
  })
  const unresolved = [{ filament: 0, slot: null }]
  const refused = expect.objectContaining({ code: 'NOT_MAPPED' })
  expect(() => mappingFor({ ...sampleFile, filament_map: unresolved }, now)).toThrow(refused)
  expect(() => refuseMapOfPlainGcode({ ...sampleFile, filament_map })).toThrow(refused)
})

test('the slots of the AMS Lite of an A2L are named without their unit', () => {
  const lite: Tray = { ...tray(66, 'PLA'), unit: 16, slot: 2 }
  const print = { ...sampleFile, filament_map: [{ filament: 0, slot: 66 }] }
  expect(mappingFor(print, { trays: [lite], externals: [], current: null })).toEqual({
    use_ams: true,
    ams_mapping: [2],
    ams_mapping2: [{ ams_id: 16, slot_id: 2 }],
  })
})
