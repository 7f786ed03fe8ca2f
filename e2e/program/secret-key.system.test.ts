import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { claimDataDirectory } from '@printyard/server/db/embedded/data-directory'
import type { FileVersionId, PrinterId } from '@printyard/server/kernel/ids'
import { createSecretBox, loadSecretKey, openSecretBox, type SecretBox } from '@printyard/server/kernel/secret-box'
import { signFileUrl } from '@printyard/server/modules/files/hub-files.routes'
import { createHubWithToken } from '@printyard/server/modules/hubs/hubs.service'
import { sealedFor } from '@printyard/server/modules/people/second-factor/second-factor'
import { systemWork } from '@printyard/server/test/app/system-work'
import { createTestApp, type TestAccount, type TestApp } from '@printyard/server/test/app/test-app'
import { addTestFile, readSlicedFile } from '@printyard/server/test/farm/sliced-file'
import { addSku } from '@printyard/server/test/farm/test-catalogue'
import { createTestPerson, pageRequest, type TestPerson } from '@printyard/server/test/farm/test-person'
import { totpCode } from '@printyard/server/test/services/authenticator-app'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCli, startCli } from '../test/run-cli.ts'

const connection = { address: '192.0.2.4', api_key: 'the-secret-of-the-printer' }
const customer = { customer_name: 'A. Buyer', customer_email: 'buyer@example.com' }
const password = 'a password of sixteen'

let t: TestApp
let dataDir: string
let farm: TestAccount
let now = Date.parse('2026-11-20T09:30:00Z')
/** Of the service at this moment: a start opens it again by the keys of the data directory. */
let box: SecretBox
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'printyard-rotation-'))
  await restart()
  const secrets: SecretBox = {
    seal: (...values) => box.seal(...values),
    open: (...values) => box.open(...values),
    sign: (text) => box.sign(text),
    formerSigns: (text) => box.formerSigns(text),
  }
  t = await createTestApp({ context: { secrets, clock: { now: () => new Date(now) } } })
  farm = await t.account()
})
afterAll(async () => {
  await t.close()
  await rm(dataDir, { recursive: true, force: true })
})

async function restart(): Promise<void> {
  await loadSecretKey(dataDir)
  box = await openSecretBox({ dataDir })
}

const settings = () => ({ PRINTYARD_DATA_DIR: dataDir, DATABASE_URL: t.db.url })
const secretKey = (command: string) => runCli(['secret-key', command, '--json'], { env: settings() })

/** Everything in the database that a secret key sealed, with what it is bound to. */
async function listSealed(): Promise<{ what: string; sealed: Buffer; boundTo: string }[]> {
  const printers = await t.db.sql<{ id: PrinterId; connection_sealed: Buffer }[]>`
    select id, connection_sealed from printers where account_id = ${farm.id}`
  const factors = await t.db.sql<{ user_id: TestPerson['userId']; secret_sealed: Buffer }[]>`
    select user_id, secret_sealed from second_factors`
  const webhooks = await t.db.sql<{ id: string; secrets_sealed: Buffer }[]>`
    select id, secrets_sealed from webhooks where account_id = ${farm.id} order by id`
  const channels = await t.db.sql<{ id: string; settings_sealed: Buffer }[]>`
    select id, settings_sealed from notification_channels where account_id = ${farm.id}`
  const shops = await t.db.sql<{ id: string; settings_sealed: Buffer }[]>`
    select id, settings_sealed from shops where account_id = ${farm.id}`
  const brokers = await t.db.sql<{ id: string; settings_sealed: Buffer }[]>`
    select id, settings_sealed from mqtt_brokers where account_id = ${farm.id}`
  const pushKeys = await t.db.sql<{ id: string; private_key_sealed: Buffer }[]>`
    select id, private_key_sealed from push_keys`
  const answers = await t.db.sql<{ key: string; body_sealed: Buffer }[]>`
    select key, body_sealed from idempotency_keys where account_id = ${farm.id} and body_sealed is not null`
  return [
    ...printers.map(({ id, connection_sealed }) => ({ what: 'printer', sealed: connection_sealed, boundTo: id })),
    ...factors.map(({ user_id, secret_sealed }) => ({
      what: 'app',
      sealed: secret_sealed,
      boundTo: sealedFor(user_id),
    })),
    ...webhooks.map(({ id, secrets_sealed }) => ({ what: 'webhook', sealed: secrets_sealed, boundTo: id })),
    ...channels.map(({ id, settings_sealed }) => ({ what: 'channel', sealed: settings_sealed, boundTo: id })),
    ...shops.map(({ id, settings_sealed }) => ({ what: 'shop', sealed: settings_sealed, boundTo: id })),
    ...brokers.map(({ id, settings_sealed }) => ({ what: 'broker', sealed: settings_sealed, boundTo: id })),
    ...pushKeys.map(({ id, private_key_sealed }) => ({ what: 'push keys', sealed: private_key_sealed, boundTo: id })),
    ...answers.map(({ key, body_sealed }) => ({ what: 'answer', sealed: body_sealed, boundTo: key })),
  ]
}

function isOpenedBy(secrets: SecretBox) {
  return ({ sealed, boundTo }: { sealed: Buffer; boundTo: string }): boolean => {
    try {
      secrets.open(sealed, boundTo)
      return true
    } catch {
      return false
    }
  }
}

/** Fails unless the columns of the schema that hold what is sealed are those that `listSealed` reads. */
async function expectEveryKind(): Promise<void> {
  const columns = await t.db.sql<{ name: string }[]>`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = 'public' and column_name like '%sealed' order by 1`
  const names = columns.map(({ name }) => name)
  expect(names).toEqual([
    'idempotency_keys.body_sealed',
    'mqtt_brokers.settings_sealed',
    'notification_channels.settings_sealed',
    'printers.connection_sealed',
    'push_keys.private_key_sealed',
    'second_factors.secret_sealed',
    'shops.settings_sealed',
    'shops.tokens_sealed',
    'webhooks.secrets_sealed',
  ])
}

let asked = 0
function signIn(person: TestPerson, code: string) {
  asked += 1
  const sent = pageRequest('POST', '/sign-in', undefined, { email: person.email, password, code })
  return t.app.inject({ ...sent, remoteAddress: `10.6.0.${asked}` })
}

async function personWithApp() {
  const person = await createTestPerson(t, farm, 'operator', { password })
  const { secret } = (await person.request('POST', '/totp')).json().data
  const confirmed = await person.request('POST', '/totp/confirm', { code: totpCode(secret, new Date(now)) })
  now += 30_000
  return { person, secret: secret as string, backupCodes: confirmed.json().data.backup_codes as string[] }
}

test('a rotation that is killed in the middle loses nothing; run again, the former key opens nothing and the new one all', async () => {
  await expectEveryKind()
  const formerKey = await loadSecretKey(dataDir)
  const { person, secret, backupCodes } = await personWithApp()
  const unconfirmed = await createTestPerson(t, farm, 'viewer', { password })
  await unconfirmed.request('POST', '/totp')
  for (const name of ['One', 'Two']) {
    const body = { name, model: 'MK4S', connection_type: 'octoprint', connection }
    expect((await farm.request('POST', '/printers', body)).statusCode).toBe(201)
  }
  expect((await farm.request('POST', '/webhooks', { url: 'https://erp.invalid/' })).statusCode).toBe(201)
  const channel = { kind: 'ntfy', name: 'Phone', topic: 'farm' }
  const admin = await createTestPerson(t, farm, 'admin')
  expect((await admin.request('POST', '/notification-channels', channel)).statusCode).toBe(201)
  const keys = { consumer_key: 'ck_farm', consumer_secret: 'cs_farm' }
  const shop = { platform: 'woocommerce', name: 'Shop', url: 'https://shop.invalid', ...keys }
  expect((await admin.request('POST', '/shops', shop)).statusCode).toBe(201)
  const broker = { url: 'mqtts://broker.invalid', username: 'farm', password: 'correct horse' }
  expect((await admin.request('PATCH', '/mqtt/broker', broker)).statusCode).toBe(200)
  expect((await admin.request('GET', '/push-key')).statusCode).toBe(200)
  const order = { items: [{ product_sku_id: (await addSku(farm)).id, quantity: 1, unit_price: 100 }], ...customer }
  const retried = { 'idempotency-key': crypto.randomUUID() }
  const made = await farm.request('POST', '/orders', order, retried)
  expect(made.statusCode, made.body).toBe(201)
  await farm.request('POST', '/hubs', { name: 'Hub' }, { 'idempotency-key': crypto.randomUUID() })
  const hub = await createHubWithToken(systemWork(t.db.sql, farm.id), 'Files')
  const versionId = (await addTestFile(t, farm, await readSlicedFile())).versions[0]?.id as FileVersionId
  const fileUrl = signFileUrl(t.context, farm.id, versionId, hub.id, new Date(now + 3_600_000))
  const sealed = await listSealed()
  expect(sealed.map(({ what }) => what)).toEqual([
    'printer',
    'printer',
    'app',
    'app',
    'webhook',
    'channel',
    'shop',
    'broker',
    'push keys',
    'answer',
    'answer',
  ])

  // Held at its last table: the new key is in its place then, and the others are sealed again but not committed.
  let command: ReturnType<typeof startCli> | undefined
  await t.db.begin(async (sql) => {
    await sql`select key from idempotency_keys where account_id = ${farm.id} for update`
    command = startCli(['secret-key', 'rotate'], { env: settings() })
    await t.settled(async () => {
      const waiting = await t.db.sql`
        select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      return waiting.length > 0
    })
    command.child.kill('SIGKILL')
    await command.ended
  })
  expect((await readdir(dataDir)).sort()).toEqual(expect.arrayContaining(['secret.key', 'secret.key.former']))
  expect((await readFile(join(dataDir, 'secret.key.former'), 'utf8')).trim()).toBe(formerKey)
  const newKey = await loadSecretKey(dataDir)
  expect(newKey).not.toBe(formerKey)
  const [former, fresh] = [createSecretBox(formerKey), createSecretBox(newKey)]

  // The service starts on it, and what it seals from now on is sealed by the new key.
  await restart()
  expect((await listSealed()).every(isOpenedBy(former))).toBe(true)
  const between = await farm.request('POST', '/printers', {
    name: 'Three',
    model: 'MK4S',
    connection_type: 'octoprint',
    connection,
  })
  expect(between.statusCode).toBe(201)
  expect((await listSealed()).filter(isOpenedBy(fresh))).toHaveLength(1)
  expect((await listSealed()).every(isOpenedBy(box))).toBe(true)

  const finished = await secretKey('rotate')
  expect(finished.stderr).toBe('')
  expect(finished.document()).toEqual({
    printers: 3,
    second_factors: 2,
    webhooks: 1,
    notification_channels: 1,
    shops: 1,
    kept_answers: 2,
    unreadable_printers: [],
    unreadable_second_factors: [],
    unreadable_webhooks: [],
    unreadable_notification_channels: [],
    unreadable_shops: [],
    mqtt_brokers: 1,
    unreadable_mqtt_brokers: [],
    unreadable_kept_answers: 0,
  })
  expect(await loadSecretKey(dataDir)).toBe(newKey)
  expect((await listSealed()).filter(isOpenedBy(former))).toEqual([])
  expect((await listSealed()).every(isOpenedBy(fresh))).toBe(true)

  // While the former key is there, what it signed still counts.
  await restart()
  const again = await farm.request('POST', '/orders', order, retried)
  expect([again.headers['idempotent-replayed'], again.body]).toEqual(['true', made.body])
  expect((await t.app.inject(fileUrl)).statusCode).toBe(200)
  expect((await signIn(person, backupCodes[0] ?? '')).statusCode).toBe(200)
  expect((await signIn(person, totpCode(secret, new Date(now)))).statusCode).toBe(200)
  now += 30_000

  expect((await secretKey('forget-former')).document()).toEqual({ forgotten: true })
  await restart()
  expect((await listSealed()).every(isOpenedBy(box))).toBe(true)
  expect((await t.app.inject(fileUrl)).statusCode).toBe(404)
  expect((await signIn(person, backupCodes[1] ?? '')).json().error.code).toBe('CODE_INVALID')
  expect((await signIn(person, totpCode(secret, new Date(now)))).statusCode).toBe(200)
  // Its hash was made by the former key: refused, and never a second order.
  const late = await farm.request('POST', '/orders', order, retried)
  expect(late.json().error.code).toBe('IDEMPOTENCY_KEY_REUSED')
  const erased = await farm.request('POST', `/orders/${made.json().data.id}/erase-customer`)
  expect(erased.statusCode, erased.body).toBe(200)
})

test('what no key opens is named, stops neither the rotation nor the erasure of a customer, and is never given again', async () => {
  const order = { items: [{ product_sku_id: (await addSku(farm)).id, quantity: 1, unit_price: 100 }], ...customer }
  const retried = { 'idempotency-key': crypto.randomUUID() }
  const present = box
  box = createSecretBox('ab'.repeat(32))
  const lost = await createTestPerson(t, farm, 'operator', { password })
  await lost.request('POST', '/totp')
  const printer = { name: 'Lost', model: 'MK4S', connection_type: 'octoprint', connection }
  const { id: printerId } = (await farm.request('POST', '/printers', printer)).json().data
  const made = (await farm.request('POST', '/orders', order, retried)).json().data
  const other = (await farm.request('POST', '/orders', order, { 'idempotency-key': crypto.randomUUID() })).json().data
  box = present

  expect((await farm.request('POST', `/orders/${made.id}/erase-customer`)).statusCode).toBe(200)
  const rotated = await secretKey('rotate')
  expect(rotated.document()).toMatchObject({
    unreadable_printers: [printerId],
    unreadable_second_factors: [lost.userId],
    unreadable_kept_answers: 1,
  })
  await restart()
  expect((await farm.request('POST', `/orders/${other.id}/erase-customer`)).statusCode).toBe(200)
  expect((await farm.request('POST', '/orders', order, retried)).json().error.code).toBe('IDEMPOTENCY_KEY_REUSED')
})

test('beside a running service nothing is rotated, also when the database is a server of its own', async () => {
  const before = await loadSecretKey(dataDir)
  const service = await claimDataDirectory(dataDir, { purpose: 'service' })
  try {
    const refused = await secretKey('rotate')
    expect(refused).toMatchObject({
      exitCode: 1,
      stdout: '',
      stderr: expect.stringContaining('The service is running'),
    })
  } finally {
    await service.release()
  }
  expect(await loadSecretKey(dataDir)).toBe(before)
})
