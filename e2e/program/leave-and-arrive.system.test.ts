import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { isFdmMonsterInstalled, startFdmMonster } from '@printyard/hub/test/fdm-monster/fdm-monster'
import type { ArrivalResult } from '@printyard/server/modules/arrivals/import-arrivals'
import { temporaryDirectory } from '@printyard/server/test/run/temporary-directory'
import { createTestDatabase, type TestDatabase } from '@printyard/server/test/run/test-database'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { runCli } from '../test/run-cli.ts'
import { runCommand } from '../test/run-command.ts'
import { startedDataDirectory } from '../test/started-data-directory.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await createTestDatabase()
})
afterAll(() => db.close())

interface ImportDocument {
  dry_run: boolean
  created: number
  exists: number
  skipped: number
  refused: number
  results: ArrivalResult[]
}

function commands(folder: string) {
  const run = (...args: string[]) => runCommand([...args, '--data-dir', folder], { env: { DATABASE_URL: db.url } })
  return {
    run,
    async account(name: string): Promise<string> {
      const made = await run('accounts', 'create', '--name', name, '--owner-email', `${name}@example.com`, '--json')
      return made.document<{ id: string }>().id
    },
    async bring(...args: string[]): Promise<ImportDocument> {
      const result = await run('import', 'from', ...args, '--json')
      expect(result.stdout, result.stderr).not.toBe('')
      return result.document<ImportDocument>()
    },
  }
}

const counts = ({ created, exists, skipped, refused }: ImportDocument) => ({ created, exists, skipped, refused })

test('rows of printers, products and stock arrive once, each with its result, and leave as they came', async () => {
  const folder = temporaryDirectory()
  const { run, account, bring } = commands(folder)
  const id = await account('rows')
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  const printers = write(
    'printers.csv',
    [
      'name,model,connection_type,address,serial,access_code,location',
      'Left,P1S,bambu,192.0.2.31,01p00a000000001,12345678,Hall',
      'Right,MK4S,prusalink,,,,Hall',
      'Left again,P1S,bambu,192.0.2.31,01P00A000000001,12345678,Hall',
    ].join('\n'),
  )
  const products = write(
    'products.csv',
    'product_name,category,sku,color,ready_stock,quantity\nClip,Cables,CLIP-RED,Red,12,2\nClip,,CLIP-BLUE,Blue,,1\nVase,,VASE,,many,1\n',
  )
  const wanted = ['csv', printers, '--account', id]
  const dry = await bring(...wanted, '--dry-run')
  expect(counts(dry)).toEqual({ created: 1, exists: 1, skipped: 0, refused: 1 })
  expect(await db.sql`select id from printers where account_id = ${id}`).toEqual([])
  const real = await run('import', 'from', ...wanted)
  expect(real.exitCode).toBe(1)
  expect(real.stdout).toMatch(/row 3 +printer +Right +refused +connection\.address is required/)
  expect(real.stdout).toMatch(/row 4 +printer +Left again +exists +is here as Left/)
  expect(counts(await bring(...wanted))).toEqual({ created: 0, exists: 2, skipped: 0, refused: 1 })

  const first = await bring('csv', products, '--account', id)
  expect(first.results.map(({ outcome, notes }) => [outcome, ...notes])).toEqual([
    ['created'],
    ['created', 'has no stock to book'],
    ['refused', 'ready_stock must be a whole number'],
  ])
  expect(counts(await bring('csv', products, '--account', id))).toEqual({
    created: 0,
    exists: 2,
    skipped: 0,
    refused: 1,
  })
  const stock = write('stock.csv', 'sku,ready_stock\nCLIP-RED,99\nCLIP-BLUE,5\nNONE,1\n')
  const booked = await bring('csv', stock, '--account', id)
  expect(booked.results.map(({ outcome, notes }) => [outcome, ...notes])).toEqual([
    ['exists', 'has movements already, and 12 units: its stock is left alone'],
    ['created'],
    ['refused', 'sku names no SKU of this account'],
  ])
  const levels = await db.sql`
    select s.sku, i.ready_stock, s.quantity from inventory_items i join skus s on s.account_id = i.account_id and s.id = i.product_sku_id
    where i.account_id = ${id} order by s.sku`
  expect(levels).toEqual([
    { sku: 'CLIP-BLUE', ready_stock: 5, quantity: 1 },
    { sku: 'CLIP-RED', ready_stock: 12, quantity: 2 },
  ])

  // The farm leaves, and its spreadsheets are files that arrive elsewhere.
  const out = join(folder, 'out')
  const left = await run('export', '--account', id, '--to', out)
  expect(left).toMatchObject({ exitCode: 0, stderr: '' })
  expect(readFileSync(join(out, 'spreadsheets/printers.csv'), 'utf8')).not.toContain('12345678')
  const elsewhere = await account('elsewhere')
  const sheet = (name: string) => bring('csv', join(out, `spreadsheets/${name}.csv`), '--account', elsewhere)
  expect(counts(await sheet('printers'))).toEqual({ created: 1, exists: 0, skipped: 0, refused: 0 })
  expect(counts(await sheet('products'))).toEqual({ created: 2, exists: 0, skipped: 0, refused: 0 })

  expect(await run('import', out)).toMatchObject({
    exitCode: 2,
    stderr: 'Name the account to import into with --account.\n',
  })
  // Into a service with a database of its own, by the role that a service has there.
  const own = await startedDataDirectory()
  const there = (...args: string[]) => runCli([...args, '--data-dir', own], { timeLimitMs: 60_000 })
  const made = await there('accounts', 'create', '--name', 'Own', '--owner-email', 'own@example.com', '--json')
  const copy = made.document<{ id: string }>().id
  const dryImport = await there('import', out, '--account', copy, '--dry-run')
  expect(dryImport.stdout, dryImport.stderr).toMatch(/^Dry run: this would become of "rows"/)
  const imported = await there('import', out, '--account', copy)
  expect(imported).toMatchObject({ exitCode: 0, stderr: '' })
  expect(imported.stdout).toMatch(/^printers +1 +1 +0 +0 +0$/m)
  expect((await there('import', out, '--account', copy)).stdout).toMatch(/was imported at .*; nothing was changed\./)
  const refused = await run('import', out, '--account', id)
  expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/not empty .*IMPORT_NOT_EMPTY/) })
}, 180_000)

test('spools of a running Spoolman arrive once, page by page; one that is away or lies is told', async () => {
  const spools = Array.from({ length: 501 }, (_, index) => ({
    id: index + 1,
    filament: {
      id: 1,
      name: 'Galaxy',
      material: 'PETG',
      weight: 1000,
      color_hex: '1a2b3c',
      vendor: { name: 'Prusament' },
    },
    used_weight: index,
  }))
  const asked: string[] = []
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://spoolman')
    asked.push(`${request.method} ${url.pathname}`)
    const [limit, offset] = ['limit', 'offset'].map((name) => Number(url.searchParams.get(name)))
    const isList = url.pathname === '/base/api/v1/spool'
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(isList ? spools.slice(offset, (offset ?? 0) + (limit ?? 0)) : { not: 'a list' }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { run, account, bring } = commands(temporaryDirectory())
  const id = await account('spools')
  const wanted = ['spoolman', `${address}/base/`, '--account', id]
  expect(counts(await bring(...wanted))).toEqual({ created: 501, exists: 0, skipped: 0, refused: 0 })
  expect(counts(await bring(...wanted))).toEqual({ created: 0, exists: 501, skipped: 0, refused: 0 })
  expect(new Set(asked)).toEqual(new Set(['GET /base/api/v1/spool']))
  const [sums] = await db.sql`
    select count(*) as spools, sum(remaining)::bigint as remaining, min(hex_code) as hex_code from materials where account_id = ${id}`
  expect(sums).toEqual({ spools: 501, remaining: (501 * 1000 - (500 * 501) / 2) * 1000, hex_code: '#1A2B3C' })
  const lying = await run('import', 'from', 'spoolman', address, '--account', id)
  expect(lying).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('is no Spoolman: it answered no list.') })
  const away = await run('import', 'from', 'spoolman', 'http://127.0.0.1:9', '--account', id)
  expect(away).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('Spoolman could not be read at http://127.0.0.1:9/'),
  })
}, 120_000)

test('printers and spools of OctoFarm arrive once, with a dry run that writes nothing', async () => {
  const folder = temporaryDirectory()
  const { account, bring } = commands(folder)
  const id = await account('octofarm')
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  const files = [
    write(
      'printers.json',
      [
        '{"_id":{"$oid":"5f0"},"apikey":"0123456789ABCDEF0123456789ABCDEF","printerURL":"http://192.0.2.20/","settingsAppearance":{"name":"Ender"},"group":"Back"}',
        '{"_id":{"$oid":"5f1"},"apikey":"","printerURL":"","settingsAppearance":{"name":"No address"}}',
      ].join('\n'),
    ),
    write(
      'spools.json',
      JSON.stringify([
        { _id: { $oid: 'b1' }, spools: { name: 'White', profile: { $oid: 'a1' }, weight: 1000, used: 250 } },
        { _id: { $oid: 'b2' }, spools: { name: 'No weight', profile: 'a1' } },
      ]),
    ),
    write(
      'profiles.json',
      JSON.stringify([
        {
          _id: { $oid: 'a1' },
          profile: { manufacturer: 'eSun', material: 'PLA', diameter: { $numberDouble: '1.75' } },
        },
      ]),
    ),
  ]
  const wanted = ['octofarm', ...files, '--account', id, '--model', 'Ender 3']
  const dry = await bring(...wanted, '--dry-run')
  expect(dry.dry_run).toBe(true)
  expect(await db.sql`select id from printers where account_id = ${id}`).toEqual([])
  expect(await db.sql`select id from materials where account_id = ${id}`).toEqual([])

  const real = await bring(...wanted)
  for (const { results } of [dry, real]) {
    expect(results.map(({ name, outcome }) => [name, outcome])).toEqual([
      ['Ender', 'created'],
      ['No address', 'refused'],
      ['White', 'created'],
      ['No weight', 'skipped'],
    ])
  }
  expect(await db.sql`select name, model, connection_type, location from printers where account_id = ${id}`).toEqual([
    { name: 'Ender', model: 'Ender 3', connection_type: 'octoprint', location: 'Back' },
  ])
  expect(await db.sql`select type, brand, remaining from materials where account_id = ${id}`).toEqual([
    { type: 'PLA', brand: 'eSun', remaining: 750_000 },
  ])
  expect(counts(await bring(...wanted))).toEqual({ created: 0, exists: 2, skipped: 1, refused: 1 })
}, 120_000)

test.skipIf(!isFdmMonsterInstalled())(
  'printers of a real FDM Monster arrive from its export and from its database, and are the same ones',
  async () => {
    const fdm = await startFdmMonster()
    const folder = temporaryDirectory()
    try {
      await fdm.ask('PUT', 'settings/experimental-prusa-link-support', { enabled: true })
      const add = async (printer: object) =>
        ((await fdm.ask('POST', 'printer?forceSave=true', { enabled: true, ...printer })) as { id: number }).id
      const apiKey = '0123456789ABCDEF0123456789ABCDEF'
      const left = await add({ name: 'MK3 left', printerType: 0, apiKey, printerURL: 'http://127.0.0.1:9' })
      await add({
        name: 'MK4',
        printerType: 2,
        username: 'maker',
        password: 'Pass-word-1',
        apiKey: '',
        printerURL: 'http://127.0.0.1:19',
      })
      await fdm.ask('POST', 'floor', { name: 'Hall', order: 1, printers: [{ printerId: left, x: 0, y: 0 }] })
      writeFileSync(join(folder, 'export.yaml'), await fdm.exportYaml())
      cpSync(fdm.databaseFolder, join(folder, 'database'), { recursive: true })
    } finally {
      await fdm.close()
    }
    const { account, bring } = commands(folder)
    const id = await account('monster')
    const fromExport = await bring('fdm-monster', join(folder, 'export.yaml'), '--account', id, '--model', 'Prusa MK4S')
    expect(fromExport.results).toMatchObject([
      { name: 'MK3 left', outcome: 'created' },
      { name: 'MK4', outcome: 'created' },
    ])
    expect(
      await db.sql`
        select name, model, connection_type, location, connection_host, connection_port from printers
        where account_id = ${id} order by name`,
    ).toEqual([
      {
        name: 'MK3 left',
        model: 'Prusa MK4S',
        connection_type: 'octoprint',
        location: 'Hall',
        connection_host: '127.0.0.1',
        connection_port: 9,
      },
      {
        name: 'MK4',
        model: 'Prusa MK4S',
        connection_type: 'prusalink',
        location: '',
        connection_host: '127.0.0.1',
        connection_port: 19,
      },
    ])
    const database = join(folder, 'database', 'fdm-monster.sqlite')
    expect(counts(await bring('fdm-monster', database, '--account', id))).toEqual({
      created: 0,
      exists: 2,
      skipped: 0,
      refused: 0,
    })
    const other = await account('monster-database')
    const fromDatabase = await bring('fdm-monster', database, '--account', other)
    expect(counts(fromDatabase)).toEqual({ created: 2, exists: 0, skipped: 0, refused: 0 })
    expect(await db.sql`select name, location from printers where account_id = ${other} order by name`).toEqual([
      { name: 'MK3 left', location: 'Hall' },
      { name: 'MK4', location: '' },
    ])
  },
  240_000,
)
