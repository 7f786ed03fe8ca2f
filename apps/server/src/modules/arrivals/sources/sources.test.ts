import { describe, expect, test } from 'vitest'
import { readArrivingCsv } from './csv.ts'
import { readFdmMonsterExport } from './fdm-monster.ts'
import { readOctoFarm } from './octofarm.ts'
import { readSpoolman } from './spoolman.ts'

describe('spools of Spoolman', () => {
  const filament = {
    id: 3,
    name: 'Galaxy Black',
    vendor: { id: 1, name: 'Prusament' },
    material: 'PETG',
    diameter: 1.75,
    weight: 1000,
  }

  test('are read with what is left of them, wherever the weight stands', () => {
    const spools = [
      {
        id: 1,
        filament: { ...filament, color_hex: '1a2b3c' },
        remaining_weight: 612.5,
        initial_weight: 970,
        location: 'Shelf A',
      },
      { id: 2, filament: { ...filament, multi_color_hexes: 'ff0000,00ff00' }, used_weight: 250 },
      { id: 3, filament: { material: 'PLA', name: 'No weight' }, used_weight: 5 },
      { id: 4, filament, archived: true },
      { filament },
    ]
    const { drafts } = readSpoolman(JSON.stringify(spools), 'spools.json')
    expect(drafts).toEqual([
      {
        kind: 'spool',
        from: 'spool 1',
        name: 'Galaxy Black',
        sourceId: '1',
        body: {
          type: 'PETG',
          name: 'Galaxy Black',
          brand: 'Prusament',
          hex_code: '#1A2B3C',
          diameter: 1.75,
          remaining_grams: 612.5,
          spool_weight_grams: 970,
          location: 'Shelf A',
        },
      },
      expect.objectContaining({
        sourceId: '2',
        body: expect.objectContaining({ remaining_grams: 750, spool_weight_grams: 1000, hex_code: '#FF0000' }),
      }),
      expect.objectContaining({ kind: 'left_out', from: 'spool 3', reason: expect.stringMatching(/weight/) }),
      expect.objectContaining({ kind: 'left_out', reason: expect.stringMatching(/archived/) }),
      expect.objectContaining({ kind: 'left_out', reason: expect.stringMatching(/ID/) }),
    ])
  })

  test('are read as its export spells them, with points in the names', () => {
    const exported = {
      id: 7,
      'filament.name': 'Red',
      'filament.material': 'PLA',
      'filament.vendor.name': 'eSun',
      'filament.weight': 500,
      used_weight: 100,
    }
    expect(readSpoolman(JSON.stringify([exported]), 'x').drafts).toMatchObject([
      { sourceId: '7', body: { type: 'PLA', name: 'Red', brand: 'eSun', remaining_grams: 400 } },
    ])
  })

  test('what is none is refused with its place', () => {
    expect(() => readSpoolman('{', 'spools.json')).toThrow(/^spools\.json is no JSON/)
    expect(() => readSpoolman('[1]', 'spools.json')).toThrow('spools.json: entry 1 is no object.')
  })
})

describe('the export of FDM Monster', () => {
  const exported = `
version: 2.1.1
databaseType: sqlite
printers:
  - { id: 1, name: MK3 left, printerURL: 'http://192.0.2.10:5000/', printerType: 0, apiKey: KEY, enabled: true }
  - { id: 2, name: V0, printerURL: 'http://192.0.2.11', printerType: 1, enabled: false, disabledReason: Broken belt }
  - { id: 3, name: MK4, printerURL: 'http://192.0.2.12', printerType: 2, username: maker, password: secret }
  - { id: 4, name: X1C, printerURL: 'https://192.0.2.13', printerType: 3, username: 01p00a, password: '12345678' }
  - { id: 5, name: Later, printerURL: 'http://192.0.2.14', printerType: 9 }
floors:
  - { id: 1, name: Hall, printers: [{ printerId: 1, x: 0, y: 0 }, { printerId: 3, x: 1, y: 0 }] }
`

  test('gives printers with their credentials, their floor and why they are disabled', () => {
    const { drafts } = readFdmMonsterExport(exported, 'export.yaml', 'Unknown')
    expect(drafts.map((draft) => ('body' in draft ? draft.body : draft))).toEqual([
      {
        name: 'MK3 left',
        model: 'Unknown',
        location: 'Hall',
        connection_type: 'octoprint',
        connection: { address: 'http://192.0.2.10:5000', api_key: 'KEY' },
      },
      {
        name: 'V0',
        model: 'Unknown',
        connection_type: 'moonraker',
        notes: 'Disabled in FDM Monster: Broken belt',
        connection: { address: 'http://192.0.2.11' },
      },
      {
        name: 'MK4',
        model: 'Unknown',
        location: 'Hall',
        connection_type: 'prusalink',
        connection: { address: 'http://192.0.2.12', username: 'maker', password: 'secret' },
      },
      {
        name: 'X1C',
        model: 'Unknown',
        connection_type: 'bambu',
        connection: { address: '192.0.2.13', serial: '01P00A', access_code: '12345678' },
      },
      { kind: 'left_out', from: 'printer 5', name: 'Later', reason: 'is of the type 9, which is not known' },
    ])
  })

  test('what is none is refused, also one that would grow without bound', () => {
    expect(() => readFdmMonsterExport('a: [', 'x.yaml', 'Unknown')).toThrow(/^x\.yaml is no YAML/)
    expect(() => readFdmMonsterExport('floors: []', 'x.yaml', 'Unknown')).toThrow(
      /no export of FDM Monster with printers/,
    )
    const bomb = `a: &a [x,x]\nb: &b [*a,*a]\nc: [*b,*b]\nprinters: *b`
    expect(() => readFdmMonsterExport(bomb, 'x.yaml', 'Unknown')).toThrow(/^x\.yaml is no YAML/)
  })
})

test('collections of OctoFarm are told by what they hold, as lines or as lists', () => {
  const printers = `{"_id":{"$oid":"5f0"},"apikey":"KEY","printerURL":"http://192.0.2.20/","settingsAppearance":{"name":"Ender"},"group":"Back"}
{"_id":{"$oid":"5f1"},"apikey":"","printerURL":"http://192.0.2.21","disabled":true}`
  const profiles = [
    { _id: { $oid: 'a1' }, profile: { manufacturer: 'eSun', material: 'PLA+', diameter: { $numberDouble: '1.75' } } },
  ]
  const spools = [
    { _id: { $oid: 'b1' }, spools: { name: 'White', profile: { $oid: 'a1' }, weight: 1000, used: 1200.5 } },
    { _id: { $oid: 'b2' }, spools: { name: 'No weight', profile: 'a1' } },
  ]
  const { drafts } = readOctoFarm(
    [
      { text: printers, what: 'printers.json' },
      { text: JSON.stringify(spools), what: 'spools.json' },
      { text: JSON.stringify(profiles), what: 'profiles.json' },
    ],
    'Unknown',
  )
  expect(drafts).toMatchObject([
    {
      name: 'Ender',
      body: {
        location: 'Back',
        connection_type: 'octoprint',
        connection: { address: 'http://192.0.2.20', api_key: 'KEY' },
      },
    },
    { name: 'http://192.0.2.21', body: { notes: 'Disabled in OctoFarm' } },
    {
      kind: 'spool',
      sourceId: 'b1',
      body: { type: 'PLA+', brand: 'eSun', diameter: 1.75, remaining_grams: 0, spool_weight_grams: 1000 },
    },
    { kind: 'left_out', name: 'No weight' },
  ])
  expect(() => readOctoFarm([{ text: '[{"x":1}]', what: 'x.json' }], 'Unknown')).toThrow(/^x\.json: entry 1 is of none/)
})

test('a file of rows is told by its columns, and a file of none is refused', async () => {
  const read = async (text: string) => (await readArrivingCsv(Buffer.from(text))).drafts
  expect(
    await read('name;model;connection_type;address;access_code;nozzle_size\nA;P1S;Bambu;192.0.2.9;123;0,6\n'),
  ).toEqual([
    {
      kind: 'printer',
      from: 'row 2',
      name: 'A',
      body: {
        name: 'A',
        model: 'P1S',
        connection_type: 'bambu',
        nozzle_size: 0.6,
        connection: { address: '192.0.2.9', access_code: '123' },
      },
    },
  ])
  expect(await read('product_name,sku,ready_stock,quantity\nClip,CLIP,12,2\nVase,,,\n')).toMatchObject([
    { product: { name: 'Clip' }, sku: { sku: 'CLIP', quantity: 2 }, readyStock: '12' },
    { product: { name: 'Vase' }, sku: undefined, readyStock: undefined },
  ])
  expect(await read('sku,ready_stock\nCLIP,3\n')).toMatchObject([
    { product: undefined, sku: { sku: 'CLIP' }, readyStock: '3' },
  ])
  await expect(read('a,b\n1,2\n')).rejects.toThrow(/^Line 1 has not the columns/)
})
