import { describe, expect, test } from 'vitest'
import { defaultLimits, type Limits } from '../limits.ts'
import { readPrintFile } from '../read-print-file.ts'
import { buildGcode3mf } from '../test/build-gcode-3mf.ts'
import { buildZip, type ZipEntryOptions } from '../test/build-zip.ts'
import { drawPng } from '../test/draw-picture.ts'
import { refused } from '../test/refused.ts'
import { withTemporaryFile } from '../test/temporary-file.ts'

const read = (bytes: Buffer, limits?: Partial<Limits>) =>
  withTemporaryFile(bytes, (path) => readPrintFile(path, limits === undefined ? {} : { limits }))

const plateEntry = (bytes: string | Uint8Array, more: Partial<ZipEntryOptions> = {}): ZipEntryOptions => ({
  name: 'Metadata/plate_1.gcode',
  bytes,
  ...more,
})

const pla = { id: 1, type: 'PLA', color: '#FFFFFF', presetId: 'GFA00', usedM: 4.21, usedG: 12.76 }
const petg = { id: 3, type: 'PETG', color: '#1A1A1AFF', presetId: 'GFG99', usedM: 0.31, usedG: 0.95 }

describe('.gcode.3mf', () => {
  test('slice_info.config comes before the header of the G-code', async () => {
    const file = await read(
      buildGcode3mf({ plates: [{ predictionSeconds: 2910, weightG: 13.71, filaments: [pla, petg] }] }),
    )
    expect(file).toMatchObject({ printTimeSeconds: 2910, totalWeightG: 13.71, totalLengthMm: 4520, estimated: [] })
    expect(file.filaments.map(({ index, type, color }) => [index, type, color])).toEqual([
      [0, 'PLA', '#FFFFFF'],
      [2, 'PETG', '#1A1A1A'],
    ])
    expect(file.objects).toEqual([
      {
        id: '72',
        name: 'part',
        polygon: [
          [100, 100],
          [150, 100],
          [150, 150],
          [100, 150],
        ],
      },
    ])
  })

  test('the tool of a filament is the nozzle by its number at the printer, as the plate says before the project', async () => {
    const settings = { physical_extruder_map: ['1', '0'], filament_map: ['1', '1', '1'] }
    const filaments = [pla, petg]
    const tools = async (options: Parameters<typeof buildGcode3mf>[0]) =>
      (await read(buildGcode3mf(options))).filaments.map(({ tool }) => tool)
    expect(await tools({ plates: [{ filaments }], settings })).toEqual([1, 1])
    expect(await tools({ plates: [{ filaments, filamentMaps: '1 1 2' }], settings })).toEqual([1, 0])
    expect(await tools({ plates: [{ filaments, filamentMaps: '1 1 9' }], settings })).toEqual([1, 1])
    // With one extruder there is nothing to tell apart.
    const single = { physical_extruder_map: ['0'], filament_map: ['1', '1', '1'] }
    expect(await tools({ plates: [{ filaments }], settings: single })).toEqual([null, null])
  })

  test('without slice_info.config the header of the G-code speaks, then plate_N.json, then the settings', async () => {
    const entries = { 'Metadata/slice_info.config': null }
    const file = await read(buildGcode3mf({ plates: [{ filaments: [petg] }], entries }))
    expect(file).toMatchObject({
      printTimeSeconds: 900,
      layerCount: 2,
      printerModel: 'Bambu Lab P1S',
      bedType: 'textured_plate',
    })
    expect(file.filaments[0]).toMatchObject({ index: 2, color: '#1A1A1A' })
  })

  test('an archive with nothing but G-code is read', async () => {
    const file = await read(buildZip([plateEntry('; BambuStudio 01.07.00.00\n; total layer number: 9\nG28\n')]))
    expect(file).toMatchObject({ format: 'gcode-3mf', isSliced: true, slicer: 'BambuStudio', layerCount: 9 })
  })

  test('plate numbers may have gaps, and several plates share only what they agree on', async () => {
    const file = await read(
      buildGcode3mf({
        plates: [
          { index: 3, name: 'Lids & "hinges"', predictionSeconds: 600, filaments: [pla] },
          { index: 7, predictionSeconds: 1200, filaments: [petg] },
        ],
      }),
    )
    expect(
      file.plates.map(({ index, name, gcodePath, printTimeSeconds }) => [index, name, gcodePath, printTimeSeconds]),
    ).toEqual([
      [3, 'Lids & "hinges"', 'Metadata/plate_3.gcode', 600],
      [7, null, 'Metadata/plate_7.gcode', 1200],
    ])
    expect(file).toMatchObject({
      printTimeSeconds: null,
      filaments: [],
      printerModel: 'Bambu Lab P1S',
      layerHeightMm: 0.2,
    })
  })

  test('the pictures of a plate are found, and one that is none is left out', async () => {
    const thumbnail = drawPng(64, 48, [1, 2, 3])
    const entries = { 'Metadata/plate_1_small.png': 'GIF89a' }
    const file = await read(buildGcode3mf({ plates: [{ thumbnail }], entries }))
    expect(file.thumbnails.map(({ width, height }) => [width, height])).toEqual([[64, 48]])
    expect(file.warnings).toEqual([expect.stringContaining('Metadata/plate_1_small.png was left out')])
  })

  test('a G-code that does not match its MD5 is refused as damaged, whatever the case of the digits', async () => {
    const damaged = buildGcode3mf({ plates: [{ md5: '00112233445566778899aabbccddeeff' }] })
    expect(await refused(read(damaged))).toEqual({
      code: 'DAMAGED',
      message: 'Entry "Metadata/plate_1.gcode" does not match the MD5 in "Metadata/plate_1.gcode.md5".',
    })
    expect((await read(buildGcode3mf())).isSliced).toBe(true)
  })

  test('metadata that is not well-formed is passed over with a warning', async () => {
    const entries = { 'Metadata/slice_info.config': '<config><plate>', 'Metadata/project_settings.config': '[1,2' }
    const file = await read(buildGcode3mf({ entries }))
    expect(file.printTimeSeconds).toBe(900)
    expect(file.warnings).toHaveLength(2)
  })

  test('keys that would reach a prototype give nothing and change nothing', async () => {
    const entries = {
      'Metadata/project_settings.config':
        '{"__proto__":{"printer_model":"evil"},"constructor":["x"],"filament_type":["PLA"]}',
      'Metadata/plate_1.json': '{"__proto__":{"bed_type":"evil"}}',
    }
    const file = await read(buildGcode3mf({ entries }))
    expect(file.printerModel).toBe('C12')
    expect(file.bedType).toBeNull()
    expect(Object.hasOwn(Object.prototype, 'printer_model')).toBe(false)
  })

  test('warnings of the slicer are handed on', async () => {
    const xml =
      '<config><plate><metadata key="index" value="1"/><warning msg="bed_temperature_too_high" level="1" error_code="1000C001"/></plate></config>'
    const file = await read(buildGcode3mf({ entries: { 'Metadata/slice_info.config': xml } }))
    expect(file.warnings).toEqual(['The slicer warned: bed_temperature_too_high (1000C001).'])
  })
})

test('a weight that was computed stays marked as estimated, a weight of the slicer is not', async () => {
  const gcode = '; BambuStudio 01.07.00.00\n; total filament length [mm] : 1000.00\n; filament_type = PLA\nG28\n'
  const withoutWeight = await read(buildZip([plateEntry(gcode)]))
  expect(withoutWeight).toMatchObject({ totalWeightG: 2.98, estimated: ['weightG', 'totalWeightG'] })
  const filaments = [{ ...pla, usedG: 0 }]
  const withTotal = await read(
    buildGcode3mf({ plates: [{ weightG: 13, filaments }], settings: { filament_density: [] } }),
  )
  expect(withTotal).toMatchObject({ totalWeightG: 13, estimated: ['weightG'] })
})

describe('unsafe archives', () => {
  const bomb = Buffer.alloc(8 * 1024 * 1024, ';')

  test('an entry that unpacks to too many times its size is refused by the bytes counted', async () => {
    expect(await refused(read(buildZip([plateEntry(bomb)])))).toEqual({
      code: 'UNSAFE',
      message: 'Entry "Metadata/plate_1.gcode" unpacks to more than 200 times its size.',
    })
  })

  test('an entry that claims to be small is stopped where its claim ends', async () => {
    const lying = buildZip([plateEntry(bomb, { claimedBytes: 100 })])
    expect(await refused(read(lying, { maxRatio: 1e9 }))).toMatchObject({ code: 'DAMAGED' })
  })

  test('an entry that claims to be huge is damaged, and nothing is allocated for it', async () => {
    const lying = buildZip([plateEntry('G28\n', { claimedBytes: 0xfffffff0 })])
    expect(await refused(read(lying))).toEqual({
      code: 'DAMAGED',
      message: 'Entry "Metadata/plate_1.gcode" ends after 4 of 4294967280 bytes.',
    })
  })

  test('G-code, metadata and everything together have their limits', async () => {
    const archive = buildGcode3mf({
      plates: [{}, {}],
      entries: { 'Metadata/slice_info.config': `<config>${' '.repeat(5000)}</config>` },
    })
    expect(await refused(read(archive, { maxGcodeBytes: 100 }))).toMatchObject({ code: 'UNSAFE' })
    expect(await refused(read(archive, { maxEntryBytes: 4000 }))).toMatchObject({ code: 'UNSAFE' })
    expect(await refused(read(archive, { maxXmlBytes: 4000 }))).toMatchObject({ code: 'UNSAFE' })
    expect(await refused(read(archive, { maxJsonBytes: 100 }))).toMatchObject({ code: 'UNSAFE' })
    expect(await refused(read(archive, { maxUnpackedBytes: 6000 }))).toMatchObject({ code: 'UNSAFE' })
    expect(await refused(read(archive, { maxPlates: 1 }))).toMatchObject({ code: 'UNSAFE' })
    expect(await refused(read(archive, { maxEntries: 5 }))).toMatchObject({ code: 'UNSAFE' })
    expect((await read(archive)).plates).toHaveLength(2)
  })

  test.each(['../../etc/passwd', 'C:/evil.exe', '//etc/passwd', 'a/../../b', '..\\evil'])(
    'the name %s is refused',
    async (name) => {
      const archive = buildZip([plateEntry('G28\n'), { name, bytes: 'x' }])
      expect(await refused(read(archive))).toMatchObject({
        code: 'UNSAFE',
        message: expect.stringContaining(name.replace('\\', '/')),
      })
    },
  )

  test('an entry that stands in the archive twice is refused when it is needed', async () => {
    expect(await refused(read(buildZip([plateEntry('G28\n'), plateEntry('M112\n')])))).toMatchObject({ code: 'UNSAFE' })
    const case_ = [plateEntry('G28\n'), { name: 'METADATA/Plate_1.gcode', bytes: 'M112\n' }]
    expect(await refused(read(buildZip(case_)))).toMatchObject({ code: 'UNSAFE' })
    const harmless = [plateEntry('G28\n'), { name: 'x.txt', bytes: '1' }, { name: 'x.txt', bytes: '2' }]
    expect((await read(buildZip(harmless))).isSliced).toBe(true)
  })

  test.each([
    ['a document type', '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><config>&b;</config>'],
    ['endless nesting', `${'<a>'.repeat(500)}${'</a>'.repeat(500)}`],
    ['a hundred thousand attributes of one element', `<config ${'a="1" '.repeat(100_001)}/>`],
    ['a hundred thousand elements', `<config>${'<a/>'.repeat(100_001)}</config>`],
    ['a hundred thousand attributes and no end', `<config ${'a="1" '.repeat(100_001)}`],
  ])('XML with %s is refused', async (_what, xml) => {
    const archive = buildGcode3mf({ entries: { 'Metadata/slice_info.config': xml } })
    const startedAt = performance.now()
    expect(await refused(read(archive))).toMatchObject({ code: 'UNSAFE' })
    expect(performance.now() - startedAt).toBeLessThan(500)
  })

  test('a picture larger than allowed is left out before it is unpacked', async () => {
    const thumbnail = drawPng(64, 64, [1, 2, 3])
    const file = await read(buildGcode3mf({ plates: [{ thumbnail }] }), { maxThumbnailBytes: thumbnail.length - 1 })
    expect(file.thumbnails).toEqual([])
    expect(file.warnings).toEqual(['Thumbnail Metadata/plate_1.png was left out: it is too large.'])
  })

  test('a wrong checksum, an unknown packing and encryption are damage', async () => {
    expect(await refused(read(buildZip([plateEntry('G28\n', { claimedCrc32: 1 })])))).toMatchObject({
      code: 'DAMAGED',
      message: 'Entry "Metadata/plate_1.gcode" does not match its checksum.',
    })
    expect(await refused(read(buildZip([plateEntry('G28\n', { claimedMethod: 12 })])))).toMatchObject({
      code: 'DAMAGED',
    })
  })
})

describe('other archives', () => {
  test('.ufp holds its G-code and picture behind a leading slash', async () => {
    const thumbnail = drawPng(32, 32, [9, 9, 9])
    const file = await read(
      buildZip([
        {
          name: '/3D/model.gcode',
          bytes: ';START_OF_HEADER\n;GENERATOR.NAME:Cura_SteamEngine\n;PRINT.TIME:931\n;END_OF_HEADER\nG28\n',
        },
        { name: '/Metadata/thumbnail.png', bytes: thumbnail },
      ]),
    )
    expect(file).toMatchObject({ format: 'ufp', isSliced: true, slicer: 'Cura', printTimeSeconds: 931 })
    expect(file.thumbnails).toHaveLength(1)
  })

  test('a project that no one sliced is a model with a printer', async () => {
    const file = await read(buildGcode3mf({ plates: [] }))
    expect(file).toMatchObject({
      format: 'project-3mf',
      isSliced: false,
      slicer: 'BambuStudio',
      printerModel: 'Bambu Lab P1S',
    })
    expect(file.plates).toEqual([])
  })

  test('a PrusaSlicer project is told by its settings', async () => {
    const file = await read(
      buildZip([
        { name: '3D/3dmodel.model', bytes: '<model><metadata name="Application">PrusaSlicer-2.5.0</metadata></model>' },
        { name: 'Metadata/Slic3r_PE.config', bytes: '; printer_model = MK3S\n; layer_height = 0.15\n' },
      ]),
    )
    expect(file).toMatchObject({
      slicer: 'PrusaSlicer',
      slicerVersion: '2.5.0',
      printerModel: 'MK3S',
      layerHeightMm: 0.15,
    })
  })

  test('an archive of something else is not a print file', async () => {
    expect(await refused(read(buildZip([{ name: 'word/document.xml', bytes: '<a/>' }])))).toMatchObject({
      code: 'NOT_A_PRINT_FILE',
    })
  })
})

test('the defaults cannot be changed by accident', () => {
  expect(Object.isFrozen(defaultLimits)).toBe(true)
})
