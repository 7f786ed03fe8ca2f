import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openLocalContents } from '@printyard/server/file-store/local-file-store'
import { newId } from '@printyard/server/kernel/ids'
import { exportAccount } from '@printyard/server/modules/account-data/export/export-account'
import { exportedTables } from '@printyard/server/modules/account-data/format/exported-tables'
import type { ExportManifest } from '@printyard/server/modules/account-data/format/manifest'
import { importAccount } from '@printyard/server/modules/account-data/import/import-account'
import { createTestApp, type TestAccount, type TestApp } from '@printyard/server/test/app/test-app'
import { temporaryDirectory } from '@printyard/server/test/run/temporary-directory'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFarmClient } from '../demo/farm-client.ts'
import { seedCosts } from '../demo/seed-costs.ts'
import { seedFarm } from '../demo/seed-farm.ts'
import { seedSales } from '../demo/seed-sales.ts'

const accessCode = 'access-code-of-a-printer'
const passwordHash = 'argon2id-hash-of-a-password'

let t: TestApp
let farm: TestAccount
let jobs: { printing: string; reserved: string }
const apps: TestApp[] = []

beforeAll(async () => {
  t = await service()
  farm = await t.account({ name: 'North farm' })
  const url = await t.app.listen({ port: 0, host: '127.0.0.1' })
  const client = createFarmClient(url, farm.key, AbortSignal.timeout(90_000))
  const { id: hubId } = await client.post<{ id: string }>('/hubs', { name: 'Hub' })
  await seedFarm(client, hubId)
  await seedSales(client)
  await seedCosts(t.db, farm.id)
  await client.post('/printers', {
    hub_id: hubId,
    name: 'Secretive',
    model: 'X1C',
    connection_type: 'bambu',
    connection: { address: '192.0.2.40', serial: '01P00A000000000', access_code: accessCode },
  })
  jobs = await leaveHistory(hubId)
  await t.written()
}, 120_000)
afterAll(async () => {
  for (const app of apps) await app.close()
})

async function service(): Promise<TestApp> {
  const app = await createTestApp()
  apps.push(app)
  return app
}

/** What the seed does not bring: people, plates under way, and what was written of prints that ended. */
async function leaveHistory(hubId: string) {
  const { sql } = t.db
  const account = farm.id
  const user = newId('user')
  await sql`insert into users (id, email, name, password_hash) values (${user}, 'Anna@example.com', 'Anna', ${passwordHash})`
  await sql`insert into members (account_id, id, user_id, role) values (${account}, ${newId('member')}, ${user}, 'owner')`
  const [left] = [newId('user')]
  await sql`insert into users (id, email) values (${left}, 'left@example.com')`
  const [order] = await sql<{ id: string }[]>`select id from orders where account_id = ${account} order by id limit 1`
  await sql`
    insert into shipments (account_id, id, order_id, carrier, tracking_number, tracking_url, packed_by, shipped_at)
    values (${account}, ${newId('shipment')}, ${order?.id ?? ''}, '', '', '', ${left}, now())`
  await sql`update orders set is_paid = false where account_id = ${account} and id = ${order?.id ?? ''}`
  const printers = await sql<{ id: string }[]>`
    update printers set plate_state = 'clear', plate_change_reason = 'cleared_by_person'
    where account_id = ${account} and connection_type = 'virtual' returning id`
  const [file] = (await farm.request('GET', '/recipes?limit=1')).json().data as { print_file_id: string }[]
  for (let count = 0; count < 3; count += 1) {
    const answer = await farm.request('POST', '/jobs', { print_file_id: file?.print_file_id })
    expect(answer.statusCode, answer.body).toBe(201)
  }
  const queued = await sql<{ id: string; file_version_id: string }[]>`
    select id, file_version_id from jobs where account_id = ${account} and status = 'queued' order by id limit 3`
  const attempt = async (index: number, phase: string, outcome: string | null) => {
    const job = queued[index]
    const printer = printers[index]?.id ?? ''
    const id = newId('attempt')
    await sql`
      insert into attempts (account_id, id, job_id, plate_number, printer_id, hub_id, file_version_id, fence, phase, outcome,
        evidence, actor, finished_at)
      values (${account}, ${id}, ${job?.id ?? ''}, 1, ${printer}, ${hubId}, ${job?.file_version_id ?? ''}, ${index + 1}, ${phase},
        ${outcome}, '{"notes": "a \\\\ backslash, a \\t tab and a line\\nbreak"}', 'system',
        ${outcome === null ? null : new Date()})`
    await sql`
      insert into printer_periods (account_id, printer_id, cause, attempt_id, started_at, ended_at)
      values (${account}, ${printer}, 'printing', ${id}, now() - interval '1 hour', ${outcome === null ? null : new Date()})
      on conflict do nothing`
    return { id, printer, job: job?.id ?? '' }
  }
  const printing = await attempt(0, 'confirmed', null)
  await sql`update jobs set status = 'printing', printer_id = ${printing.printer} where account_id = ${account} and id = ${printing.job}`
  await sql`update printers set plate_state = 'occupied' where account_id = ${account} and id = ${printing.printer}`
  const reserved = await attempt(1, 'transferring', null)
  await sql`update jobs set status = 'processing', printer_id = ${reserved.printer} where account_id = ${account} and id = ${reserved.job}`
  const failed = await attempt(2, 'finished', 'failed')
  await sql`
    insert into print_failures (account_id, id, job_id, attempt_id, printer_id, type, typed_by_person, notes, occurred_at, updated_at)
    values (${account}, ${newId('printFailure')}, ${failed.job}, ${failed.id}, ${failed.printer}, 'clog', true, '', now(), now())`
  await sql`insert into unit_rejects (account_id, job_id, type, times, units) values (${account}, ${failed.job}, 'clog', 1, 2)`
  await fillTheRest({ user, attempt: reserved, file: file?.print_file_id ?? '' })
  return { printing: printing.job, reserved: reserved.job }
}

/** A row in each table that is empty still. */
async function fillTheRest({
  user,
  attempt,
  file,
}: {
  user: string
  attempt: { id: string; job: string; printer: string }
  file: string
}) {
  const { sql } = t.db
  const account = farm.id
  const one = async (table: string) => {
    const [row] = await sql<
      { id: string }[]
    >`select id from ${sql(table)} where account_id = ${account} order by id limit 1`
    return row?.id ?? ''
  }
  const [sku, product, recipe, article] = [
    await one('skus'),
    await one('products'),
    await one('recipes'),
    await one('wiki_articles'),
  ]
  const [version] = await sql<{ id: string; sha256: string }[]>`
    select id, sha256 from print_file_versions where account_id = ${account} order by id limit 1`
  const [item] = await sql<{ id: string; order_id: string }[]>`
    select id, order_id from order_items where account_id = ${account} order by id limit 1`
  const image = { content_type: 'image/png', sha256: version?.sha256, thumb_sha256: version?.sha256, size_bytes: 1 }
  const rows: Record<string, object> = {
    wiki_images: { id: newId('wikiImage'), article_id: article, token: 'a'.repeat(32), ...image },
    product_images: { id: newId('productImage'), product_id: product, token: 'b'.repeat(32), sort_order: 0, ...image },
    failure_pictures: {
      failure_id: await one('print_failures'),
      sha256: version?.sha256,
      thumb_sha256: version?.sha256,
      size_bytes: 1,
      taken_at: new Date(),
    },
    recipe_outputs: { recipe_id: recipe, product_sku_id: sku, position: 1, units: 2 },
    order_picks: { order_item_id: item?.id, order_id: item?.order_id, units: 1, actor: `user:${user}` },
    job_options: {
      job_id: attempt.job,
      position: 1,
      print_file_id: file,
      file_version_id: version?.id,
      file_name: 'a.gcode',
      color: '',
      filament_type: 'PLA',
      material_type: '',
      any_color: true,
      quantity_per_print: 1,
      plates_total: 1,
      also_makes: '[]',
    },
    job_outputs: { job_id: attempt.job, product_sku_id: sku, is_main: true, units_per_plate: 1, units: 1 },
    filament_reservations: { id: newId('filamentReservation'), attempt_id: attempt.id, slot: null, milligrams: 5_000 },
    assembly_tasks: {
      id: newId('assemblyTask'),
      kind: 'print_assembly',
      status: 'pending',
      product_sku_id: sku,
      product_name: 'A',
      sku: 'A',
      quantity: 1,
      created_by: `user:${user}`,
      assigned_to: user,
    },
    pinned_pegs: {
      id: newId('pinnedPeg'),
      order_item_id: item?.id,
      product_sku_id: sku,
      supply_kind: 'ready_stock',
      supply_id: sku,
      units: 1,
      actor: `user:${user}`,
    },
    task_assignment_defaults: { id: newId('taskAssignmentDefault'), task_type: null, assigned_to: user },
    material_settings: { id: newId('materialSettings') },
    scheduler_settings: { id: newId('schedulerSettings') },
    printer_prices: { printer_id: attempt.printer, machine_hour_price: null, watts: 90 },
    spool_tags: { id: newId('spoolTag'), material_id: await one('materials'), kind: 'uid', value: '04a35b129c6480' },
    automation_rules: {
      ...{ id: newId('automationRule'), name: 'Broken', mode: 'on', kinds: '{print_failed}', least_severity: 'low' },
      ...{ locations: '{}', printer_ids: '{}', product_ids: '{}', times: 3, within_minutes: 60, most_per_hour: 5 },
      actions: JSON.stringify([
        { do: 'start_maintenance' },
        { do: 'send_message', channel_ids: ['nch_of_nobody'] },
        { do: 'call_webhook', webhook_id: 'whk_of_nobody' },
      ]),
      ...{ created_by: `user:${user}`, created_at: new Date(), updated_at: new Date() },
    },
    shifts: { id: newId('shift'), user_id: user, weekly: JSON.stringify([{ day: 1, from: '22:00', to: '06:00' }]) },
    notification_rules: {
      id: newId('notificationRule'),
      name: 'All',
      kinds: '{}',
      channel_ids: '{nch_of_nobody}',
      time_zone: 'UTC',
      created_by: `user:${user}`,
      created_at: new Date(),
      updated_at: new Date(),
    },
  }
  for (const [table, row] of Object.entries(rows)) {
    // A constraint that is checked at the end of the transaction cannot be asked for.
    const unlessThere = table === 'product_images' ? sql`` : sql`on conflict do nothing`
    const times = await sql<{ name: string }[]>`
      select column_name as name from information_schema.columns
      where table_name = ${table} and data_type like 'timestamp%' and is_nullable = 'NO' and column_default is null`
    const now = Object.fromEntries(times.map(({ name }) => [name, new Date()]))
    await sql`insert into ${sql(table)} ${sql({ account_id: account, ...now, ...row })} ${unlessThere}`
  }
}

const filesOf = ({ context }: TestApp) => join(context.config.dataDir, 'files')

function exported(app: TestApp, account: TestAccount, to: string, onProgress?: (step: string) => void) {
  return exportAccount({
    target: app.db.target,
    accountId: account.id,
    files: openLocalContents(filesOf(app)),
    version: '1.2.3',
    to,
    ...(onProgress && { onProgress }),
  })
}

function imported(app: TestApp, account: TestAccount, from: string, isDryRun = false) {
  const { db, secrets } = app.context
  return importAccount({
    from,
    accountId: account.id,
    db,
    secrets,
    files: openLocalContents(filesOf(app)),
    isDryRun,
    actor: 'cli',
    now: new Date(),
  })
}

const place = (name: string) => join(temporaryDirectory(), name)

/** The rows of a kind by their key, with the ID of the account left open. */
function rowsOf(folder: string, kind: string, account: string): Map<string, Record<string, unknown>> {
  const key = exportedTables.find(({ name }) => name === kind)?.key ?? ['id']
  const lines = readFileSync(join(folder, 'data', `${kind}.jsonl`), 'utf8')
    .split('\n')
    .slice(0, -1)
  const rows = lines.map((line) => JSON.parse(line.replaceAll(account, 'acc_')) as Record<string, unknown>)
  return new Map(rows.map((row) => [JSON.stringify(key.map((column) => row[column])), row]))
}

/** How many rows each table has. */
async function digestOf({ db }: TestApp): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { name } of exportedTables) {
    const [row] = await db.sql<
      { rows: number }[]
    >`/* every account: all of the test's */ select count(*) as rows from ${db.sql(name)}`
    counts[name] = row?.rows ?? 0
  }
  return counts
}

test('a farm that is exported, imported elsewhere and exported again is the same farm', async () => {
  const first = place('first')
  const { manifest } = await exported(t, farm, first)
  const empty = manifest.kinds.filter(({ rows }) => rows === 0).map(({ kind }) => kind)
  // Promises are there once a forecast was made, which goes on by itself.
  expect(empty.filter((kind) => kind !== 'order_promises')).toEqual([])

  const second = await service()
  const there = await second.account({ name: 'Empty' })
  const untouched = await digestOf(second)
  const dry = await imported(second, there, first, true)
  expect(await digestOf(second)).toEqual(untouched)
  expect(readdirSync(filesOf(second))).toEqual(['incoming'])
  const report = await imported(second, there, first)
  expect({ ...report, is_dry_run: true }).toEqual(dry)
  expect(report.new_people).toEqual(['Anna@example.com'])

  const again = place('again')
  const back = await exported(second, there, again)
  const adapted = new Map(report.kinds.map(({ kind, adapted: rows }) => [kind, new Set(rows.map(({ key }) => key))]))
  for (const { kind } of manifest.kinds) {
    const before = rowsOf(first, kind, farm.id)
    const after = rowsOf(again, kind, there.id)
    for (const [key, row] of before) {
      const isAdapted = adapted.get(kind)?.has(String(JSON.parse(key)[0])) === true
      if (!isAdapted) expect(after.get(key), `${kind} ${key}`).toEqual(row)
      after.delete(key)
    }
    // People are asked to look at plates; nothing else is new.
    if (kind === 'worklist_tasks' || kind === 'events') continue
    expect([...after.keys()], kind).toEqual([])
  }
  expect(back.manifest.files).toEqual(manifest.files)

  const third = await service()
  const last = await third.account({ name: 'Empty too' })
  await imported(third, last, again)
  const fixed = place('fixed')
  await exported(third, last, fixed)
  for (const { kind, path } of manifest.kinds) {
    const read = (folder: string, account: string) =>
      readFileSync(join(folder, path), 'utf8').replaceAll(account, 'acc_')
    // The key of the account that it came into was made there.
    const rowsOf = (text: string) => text.split('\n').filter((line) => !line.includes('"api_key.created"'))
    expect(rowsOf(read(fixed, last.id)), kind).toEqual(rowsOf(read(again, there.id)))
  }

  // Nothing that was printing is printed again: it is asked about.
  const jobOf = async (id: string) => (await there.request('GET', `/jobs/${id}`)).json().data
  expect((await jobOf(jobs.printing)).status).toBe('printing')
  const attempts = await second.db.sql`
    select job_id, phase, outcome, reason_code from attempts where account_id = ${there.id} and phase <> 'finished' order by phase`
  expect(attempts).toEqual([
    { job_id: jobs.printing, phase: 'confirmed', outcome: 'unknown', reason_code: 'SERVICE_RESTORED' },
    { job_id: jobs.reserved, phase: 'starting', outcome: 'unknown', reason_code: 'SERVICE_RESTORED' },
  ])
  const clear = await second.db.sql`select id from printers where account_id = ${there.id} and plate_state = 'clear'`
  expect(clear).toEqual([])
  const doubted = adapted.get('printers')?.size ?? 0
  const tasks = await second.db.sql`
    select id from worklist_tasks where account_id = ${there.id} and source = 'plate' and status = 'pending'`
  expect(doubted).toBeGreaterThan(0)
  expect(tasks.length).toBeGreaterThanOrEqual(doubted)
  // A job that is queued now comes after all that were imported.
  const [position] = await second.db.sql<{ is_last: boolean }[]>`
    select nextval('jobs_queue_position') > max(queue_position) as is_last from jobs where account_id = ${there.id}`
  expect(position?.is_last).toBe(true)
  const [secretive] = await second.db.sql<{ id: string; connection_sealed: Buffer }[]>`
    select id, connection_sealed from printers where account_id = ${there.id} and name = 'Secretive'`
  expect(second.context.secrets.open(secretive?.connection_sealed ?? Buffer.alloc(0), secretive?.id ?? '')).toEqual({
    address: '192.0.2.40',
    serial: '01P00A000000000',
  })

  // The same once more changes nothing, also after someone has worked there.
  await second.db
    .sql`update products set name = name || ' (renamed)' where account_id = ${there.id} and id = (select min(id) from products where account_id = ${there.id})`
  const counts = await digestOf(second)
  const repeated = await imported(second, there, first)
  expect(await digestOf(second)).toEqual(counts)
  expect(repeated.imported_before_at).not.toBeNull()
  expect(repeated.kinds.map(({ inserted }) => inserted)).toEqual(repeated.kinds.map(() => 0))
  expect(repeated.kinds.find(({ kind }) => kind === 'products')).toMatchObject({ changed_since: 1 })
  expect(repeated.kinds.find(({ kind }) => kind === 'orders')).toMatchObject({ changed_since: 0 })
}, 120_000)

test('an export holds no secret, and is checked by an ordinary tool', async () => {
  const folder = place('plain')
  const { manifest } = await exported(t, farm, folder)
  const [key] = await t.db.sql<{ key_hash: Buffer }[]>`select key_hash from api_keys where account_id = ${farm.id}`
  const sums = readFileSync(join(folder, 'SHA256SUMS'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split('  '))
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  expect(sums.map(([, path]) => join(folder, path ?? '')).toSorted()).toEqual(
    paths.filter((path) => !path.endsWith('SHA256SUMS')).toSorted(),
  )
  for (const [sum, path] of sums) {
    expect(
      createHash('sha256')
        .update(readFileSync(join(folder, path ?? '')))
        .digest('hex'),
    ).toBe(sum)
  }
  const secrets = [accessCode, passwordHash, key?.key_hash.toString('hex') ?? '', farm.key]
  for (const path of paths) {
    const text = readFileSync(path, 'latin1')
    expect(
      secrets.filter((secret) => text.includes(secret)),
      path,
    ).toEqual([])
  }
  expect(manifest.secrets).toMatch(/^None\./)
  expect(Object.keys(manifest.left_out)).toEqual(expect.arrayContaining(['api_keys', 'printers.connection_sealed']))
  const orders = readFileSync(join(folder, 'spreadsheets/orders.csv'), 'utf8')
  const header = orders.split('\r\n')[0]?.replace('\ufeff', '')
  // The file can be sent to POST /orders/import.
  expect(header?.split(',').slice(0, 3)).toEqual(['order_number', 'external_id', 'order_date'])
  // An order that waits for its money is one that says so.
  const [unpaid] = await t.db.sql<{ count: number }[]>`
    select count(*) as count from orders o join order_items i on i.account_id = o.account_id and i.order_id = o.id
    where o.account_id = ${farm.id} and not o.is_paid`
  expect(orders.split(/,false,/).length - 1).toBe(unpaid?.count)
  const known = await farm.request('POST', '/orders/import?dry_run=true', orders, { 'content-type': 'text/csv' })
  expect(known.json().data.rows.every(({ outcome }: { outcome: string }) => outcome !== 'refused')).toBe(true)
}, 60_000)

test('an export is of one moment, whatever is written meanwhile', async () => {
  const folder = place('moment')
  const { sql } = t.db
  let hasWritten: Promise<unknown> | undefined
  const before = await sql`select id from orders where account_id = ${farm.id}`
  await exported(t, farm, folder, (step) => {
    // After the orders, before their lines.
    if (step !== 'order items') return
    hasWritten ??= t.db.begin(async (work) => {
      const order = newId('order')
      await work`
        insert into orders (account_id, id, order_number, platform, status, order_date, items_total)
        values (${farm.id}, ${order}, 'LATE-1', 'manual', 'cancelled', now(), 0)`
      await work`
        insert into order_items (account_id, id, order_id, sku, product_name, quantity, unit_price)
        values (${farm.id}, ${newId('orderItem')}, ${order}, 'LATE', 'Late', 1, 0)`
    })
  })
  await hasWritten
  expect(await sql`select id from orders where account_id = ${farm.id}`).toHaveLength(before.length + 1)
  expect(rowsOf(folder, 'orders', farm.id).size).toBe(before.length)
  const items = readFileSync(join(folder, 'data/order_items.jsonl'), 'utf8')
  expect(items).not.toContain('LATE')
  await sql`delete from order_items where account_id = ${farm.id} and sku = 'LATE'`
  await sql`delete from orders where account_id = ${farm.id} and order_number = 'LATE-1'`
})

test('one file holds the same as a folder, and a person who is known by the address keeps their account', async () => {
  const file = place('farm.tar.gz')
  const { manifest } = await exported(t, farm, file)
  const other = await service()
  const account = await other.account({ name: 'Other' })
  const known = newId('user')
  await other.db.sql`insert into users (id, email, name) values (${known}, 'anna@EXAMPLE.com', 'Anna here')`
  const report = await imported(other, account, file)
  expect(report.kinds.reduce((sum, kind) => sum + kind.inserted, 0)).toBe(
    manifest.kinds.reduce((sum, kind) => sum + kind.rows, 0) - 1,
  )
  expect(report.new_people).toEqual([])
  const members = await other.db.sql`select user_id, role from members where account_id = ${account.id}`
  expect(members).toEqual([{ user_id: known, role: 'owner' }])

  // In the same service the addresses of images are taken; they are given others.
  const beside = await other.account({ name: 'Beside' })
  await imported(other, beside, file)
  const tokens = await other.db.sql<{ token: string }[]>`
    /* every account: addresses of images are of the whole service */ select token from product_images`
  expect(new Set(tokens.map(({ token }) => token)).size).toBe(tokens.length)
}, 60_000)

test('what is damaged, newer, or for an account with rows of its own is refused, and nothing is written', async () => {
  const folder = place('broken')
  const { manifest } = await exported(t, farm, folder)
  const other = await service()
  const account = await other.account()
  const untouched = await digestOf(other)
  const refused = async (code: string, from = folder) => {
    await expect(imported(other, account, from)).rejects.toMatchObject({ code })
    expect(await digestOf(other)).toEqual(untouched)
  }
  const path = join(folder, 'data/orders.jsonl')
  const whole = readFileSync(path)
  // A byte of an ID, which may be the one that is put in its place.
  const wrong = whole[20] === 'x'.charCodeAt(0) ? 'y' : 'x'
  writeFileSync(path, Buffer.concat([whole.subarray(0, 20), Buffer.from(wrong), whole.subarray(21)]))
  await refused('EXPORT_DAMAGED')
  writeFileSync(path, whole)

  /** Changes the export as its writer would have to. */
  const rewrite = (change: (changed: ExportManifest) => void) => {
    const changed = structuredClone(manifest)
    change(changed)
    const text = `${JSON.stringify(changed)}\n`
    writeFileSync(join(folder, 'manifest.json'), text)
    writeFileSync(join(folder, 'SHA256SUMS'), `${createHash('sha256').update(text).digest('hex')}  manifest.json\n`)
  }
  rewrite((changed) => changed.kinds[5]?.columns.push('of_tomorrow'))
  await refused('EXPORT_TOO_NEW')
  rewrite((changed) => {
    changed.format_version = 2
  })
  await refused('EXPORT_TOO_NEW')

  // A row that names what is not there, and one that breaks a rule: both are told, with their lines.
  const items = join(folder, 'data/order_items.jsonl')
  const lines = readFileSync(items, 'utf8').split('\n')
  const spoiled = lines.map((line, index) => {
    if (index === 1) return line.replace(/"order_id":"[^"]+"/, '"order_id":"ord_of_nobody"')
    return index === 2 ? line.replace(/"fulfillment_status":"[^"]+"/, '"fulfillment_status":"lost"') : line
  })
  const bytes = Buffer.from(spoiled.join('\n'))
  writeFileSync(items, bytes)
  rewrite((changed) => {
    const kind = changed.kinds.find((each) => each.kind === 'order_items')
    Object.assign(kind ?? {}, { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') })
  })
  await expect(imported(other, account, folder)).rejects.toThrow(
    /order_items, line 2 .*ord_of_nobody[\s\S]*order_items, line 3 .*fulfillment_status/,
  )
  await refused('IMPORT_REFUSED')
  await expect(imported(t, farm, folder)).rejects.toMatchObject({ code: 'IMPORT_NOT_EMPTY' })
  await expect(exported(t, farm, folder)).rejects.toMatchObject({ code: 'EXPORT_TARGET_EXISTS' })
}, 60_000)
