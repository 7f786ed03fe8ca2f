import type { ServiceMessage } from '@printyard/protocol/messages'
import { createSealer, makeHubKey, openSealed } from '@printyard/protocol/sealed-connection'
import { CONNECT_PATH, CONNECTION_TEST_CAPABILITY, PROTOCOL_VERSION, SUBPROTOCOL } from '@printyard/protocol/version'
import { beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import type { HubId } from '../../kernel/ids.ts'
import { appForAllTests } from '../../test/app/app-hooks.ts'
import { systemWork } from '../../test/app/system-work.ts'
import type { TestAccount } from '../../test/app/test-app.ts'
import { connectTestHub } from '../../test/farm/test-hub.ts'
import { createHubWithToken } from './hubs.service.ts'

const secret = 'the-secret-of-the-printer'

let account: TestAccount
let url: string
let hub: { id: HubId; token: string }
const t = appForAllTests()
beforeAll(async () => {
  url = await t.app.listen({ host: '127.0.0.1', port: 0 })
})
beforeEach(async () => {
  account = await t.account()
  hub = await createHubWithToken(systemWork(t.db.sql, account.id), 'Hub')
})

async function addPrinter(): Promise<string> {
  const connection = { address: '192.0.2.4', api_key: secret }
  const body = { name: crypto.randomUUID(), model: 'MK4S', hub_id: hub.id, connection_type: 'octoprint', connection }
  const answer = await account.request('POST', '/printers', body)
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json().data.id
}

async function connect(public_key?: string, more: { journal_id?: string; capabilities?: string[] } = {}) {
  const { journal_id, capabilities } = more
  const key = public_key === undefined ? {} : { public_key }
  const connected = await connectTestHub(url, hub.token, 0, journal_id, capabilities, [], key)
  onTestFinished(() => connected.close())
  return connected
}

/** What a machine with the token is told that is not let in, frame by frame, until the connection ends. */
function connectUnwelcome(public_key?: string): Promise<ServiceMessage[]> {
  const told: ServiceMessage[] = []
  const socket = new WebSocket(`${url.replace('http', 'ws')}${CONNECT_PATH}`, SUBPROTOCOL, {
    headers: { authorization: `Bearer ${hub.token}` },
  })
  const versions = { protocol_version: PROTOCOL_VERSION, agent_version: '1', hardware_version: 'x' }
  const hello = { ...versions, journal_position: 0, printers: [], open_attempts: [], ...(public_key && { public_key }) }
  const ts = new Date().toISOString()
  socket.on('open', () => socket.send(JSON.stringify({ type: 'hello', id: 'h1', ts, ...hello })))
  socket.on('message', (data) => told.push(JSON.parse(String(data))))
  return new Promise((resolve, reject) => {
    socket.on('error', reject)
    socket.on('close', () => resolve(told))
  })
}

async function events(): Promise<string[]> {
  const rows = await t.db.sql<{ type: string }[]>`
    select type from events where account_id = ${account.id} and subject_id = ${hub.id} order by id`
  return rows.map(({ type }) => type)
}

function settingsOf(message: ServiceMessage & { type: 'welcome' | 'configure' }, printerId: string) {
  const settings = message.printers.find((printer) => printer.printer_id === printerId)
  if (!settings) throw new Error(`${printerId} is missing`)
  return settings
}

async function joinWith(public_key?: string): Promise<void> {
  const made = await account.request('POST', `/hubs/${hub.id}/join-code`)
  const payload = { code: made.json().data.join_code, ...(public_key && { public_key }) }
  const joined = await t.app.inject({ method: 'POST', url: '/hub/v1/join', payload, remoteAddress: nextAddress() })
  expect(joined.statusCode, joined.body).toBe(200)
  hub.token = joined.json().data.token
}

let addresses = 0
// Tries to join are counted by address; this is no test of that.
const nextAddress = () => `10.9.0.${++addresses}`

test('a hub that has told its key is sent credentials that it alone can read, at its welcome and after each change', async () => {
  const { publicKey, privateKey } = makeHubKey()
  await joinWith(publicKey)
  const printerId = await addPrinter()
  const connected = await connect(publicKey)
  const welcome = settingsOf(await connected.waitFor('welcome'), printerId)
  expect(welcome.connection).toEqual({})
  expect(openSealed(privateKey, welcome.sealed_connection ?? '', printerId)).toEqual({
    address: '192.0.2.4',
    api_key: secret,
  })
  await account.request('PATCH', `/printers/${printerId}`, { connection: { address: '192.0.2.5', api_key: secret } })
  const changed = settingsOf(await connected.waitFor('configure'), printerId)
  expect(openSealed(privateKey, changed.sealed_connection ?? '', printerId)).toMatchObject({ address: '192.0.2.5' })
  expect(JSON.stringify(connected.received)).not.toContain(secret)
})

test('told again of one printer that changed, a hub gets the others as they were; with another key, all are sealed for it', async () => {
  const keys = [makeHubKey(), makeHubKey()] as const
  await joinWith(keys[0].publicKey)
  const [changed, other] = [await addPrinter(), await addPrinter()]
  const connected = await connect(keys[0].publicKey)
  const rename = async () => {
    const name = crypto.randomUUID()
    await account.request('PATCH', `/printers/${changed}`, { name })
    const isIt = ({ printers }: { printers: { name: string }[] }) => printers.some((printer) => printer.name === name)
    const told = await connected.waitFor('configure', isIt)
    return [settingsOf(told, changed), settingsOf(told, other)] as const
  }
  const first = await rename()
  const second = await rename()
  expect(second[0].sealed_connection).not.toBe(first[0].sealed_connection)
  expect(second[1]).toEqual(first[1])
  await t.db.sql`
    update hubs set public_key = ${keys[1].publicKey} where account_id = ${account.id} and id = ${hub.id}`
  for (const [index, { sealed_connection }] of (await rename()).entries()) {
    const opened = openSealed(keys[1].privateKey, sealed_connection ?? '', index === 0 ? changed : other)
    expect(opened).toMatchObject({ api_key: secret })
  }
})

test('so are those that are to be tried before a printer is added', async () => {
  const { publicKey, privateKey } = makeHubKey()
  const connected = await connect(publicKey, { capabilities: [CONNECTION_TEST_CAPABILITY] })
  const connection = { address: '192.0.2.4', api_key: secret }
  const body = { connection_type: 'octoprint', connection }
  const asking = account.request('POST', `/hubs/${hub.id}/test-connection`, body)
  const told = await connected.waitFor('test_connection')
  expect(openSealed(privateKey, told.sealed_connection ?? '', told.test_id)).toEqual(connection)
  expect(JSON.stringify(connected.received)).not.toContain(secret)
  connected.send('connection_tested', {
    test_id: told.test_id,
    printer: {
      model: null,
      serial: null,
      firmware_version: null,
      certificate_fingerprint: null,
      is_certificate_vouched: null,
    },
    problem: null,
  })
  expect((await asking).json().data.ok).toBe(true)
})

test('a hub from before there were keys tells one when it connects next, and from then on it must', async () => {
  const printerId = await addPrinter()
  const before = await connect()
  expect(settingsOf(await before.waitFor('welcome'), printerId).connection).toMatchObject({ api_key: secret })
  await before.close()
  const { publicKey } = makeHubKey()
  const after = await connect(publicKey)
  expect(settingsOf(await after.waitFor('welcome'), printerId).connection).toEqual({})
  expect(await events()).toContain('hub.key_registered')
  await after.close()
  const told = await connectUnwelcome()
  expect(told.map(({ type }) => type)).toEqual(['close'])
})

test('a token with another key reads no credentials: it is refused, on record, until a machine joins with a new code', async () => {
  await joinWith(makeHubKey().publicKey)
  await addPrinter()
  const other = makeHubKey()
  const told = await connectUnwelcome(other.publicKey)
  expect(told).toMatchObject([{ type: 'close', reason: 'revoked', message: expect.stringContaining('join again') }])
  expect(JSON.stringify(told)).not.toContain(secret)
  await connectUnwelcome(other.publicKey)
  expect((await events()).filter((type) => type === 'hub.key_refused')).toHaveLength(1)

  await joinWith(other.publicKey)
  const connected = await connect(other.publicKey)
  const [printer] = (await connected.waitFor('welcome')).printers
  expect(openSealed(other.privateKey, printer?.sealed_connection ?? '', printer?.printer_id ?? '')).toMatchObject({
    api_key: secret,
  })
})

test('a hub without credentials of printers may tell another key, on record', async () => {
  await account.request('POST', '/printers', {
    name: 'Virtual',
    model: 'MK4S',
    hub_id: hub.id,
    connection_type: 'virtual',
  })
  await (await connect(makeHubKey().publicKey)).close()
  await connect(makeHubKey().publicKey)
  expect((await events()).filter((type) => type.startsWith('hub.key_'))).toEqual([
    'hub.key_registered',
    'hub.key_replaced',
  ])
})

test('a key that is none is refused when it is told', async () => {
  const made = await account.request('POST', `/hubs/${hub.id}/join-code`)
  const payload = { code: made.json().data.join_code, public_key: 'short' }
  const answer = await t.app.inject({ method: 'POST', url: '/hub/v1/join', payload, remoteAddress: nextAddress() })
  expect(answer.json().error.details).toHaveProperty('public_key')
  expect(() => createSealer('short')).toThrow()
})

test('another machine that takes the place of an online hub is on record, and shown with the hub', async () => {
  await connect(undefined, { journal_id: 'journal_1' })
  const same = await connect(undefined, { journal_id: 'journal_1' })
  expect(await events()).not.toContain('hub.replaced')
  const other = await connect(undefined, { journal_id: 'journal_2' })
  // Recorded once the hub has its welcome.
  await t.settled(async () => (await events()).some((type) => type === 'hub.replaced'))
  await same.waitFor('close', ({ reason }) => reason === 'replaced')
  other.send('heartbeat', { uptime_seconds: 1, printer_count: 0, problems: [] })
  await t.settled(() => t.context.hubs.find(hub.id)?.problems?.[0]?.reason === 'hub_replaced')
})
