import { beforeAll, beforeEach, expect, test } from 'vitest'
import { hashSecret } from '../../kernel/hash-secret.ts'
import type { HubId } from '../../kernel/ids.ts'
import type { HubConnection } from '../../live/hubs.ts'
import { appForAllTests } from '../../test/app/app-hooks.ts'
import { systemWork } from '../../test/app/system-work.ts'
import type { TestAccount } from '../../test/app/test-app.ts'
import { hubConnection } from '../../test/farm/hub-connection.ts'
import { findHubByTokenHash, recordHello, recordHubSeen } from './hubs.queries.ts'
import { createHubWithToken } from './hubs.service.ts'

let now: Date
let farm: TestAccount
let addresses = 0
const t = appForAllTests({ context: { clock: { now: () => now } } })
beforeAll(async () => {
  now = new Date()
  farm = await t.account()
})
beforeEach(() => {
  now = new Date('2026-03-01T12:00:00Z')
})

let names = 0
async function newHub(): Promise<{ id: HubId; join_code: string; join_code_expires_at: string }> {
  names += 1
  return (await farm.request('POST', '/hubs', { name: `Hub ${names}` })).json().data
}

/** Each test joins from an address of its own, so that the limit per address stays out of the others. */
function joinFrom(address: string) {
  return (code: unknown) =>
    t.app.inject({ method: 'POST', url: '/hub/v1/join', payload: { code }, remoteAddress: address })
}
function newAddress(): string {
  addresses += 1
  return `192.0.2.${addresses}`
}
const join = (code: unknown) => joinFrom(newAddress())(code)

test('a code is swapped for a token, of which only the hash is kept', async () => {
  const hub = await newHub()
  const answer = await join(hub.join_code)
  expect(answer.statusCode).toBe(200)
  const { data } = answer.json()
  expect(data).toEqual({ hub_id: hub.id, name: expect.any(String), token: expect.any(String) })
  expect(data.token).toMatch(/^printyard_hub_[0-9a-f]{64}$/)
  expect(await findHubByTokenHash(t.db.sql, hashSecret(data.token))).toEqual({
    account_id: farm.id,
    id: hub.id,
    name: data.name,
    is_next: false,
  })
  expect((await farm.request('GET', `/hubs/${hub.id}`)).json().data.claimed_at).toBe('2026-03-01T12:00:00.000Z')
  const [event] = await t.db.sql<{ type: string; actor: string }[]>`
    select type, actor from events where account_id = ${farm.id} and subject_id = ${hub.id} and type = 'hub.joined'`
  expect(event).toEqual({ type: 'hub.joined', actor: `hub:${hub.id}` })
  const everything = await t.db.sql<{ text: string }[]>`
    select h::text || coalesce(c::text, '') as text from hubs h
    left join hub_join_codes c on c.account_id = h.account_id and c.hub_id = h.id
    where h.account_id = ${farm.id} and h.id = ${hub.id}`
  expect(everything[0]?.text).toContain(hub.id)
  expect(everything[0]?.text).not.toContain(data.token)
  expect(everything[0]?.text).not.toContain(hub.join_code)
})

test('a code is taken as people type it', async () => {
  const { join_code } = await newHub()
  expect((await join(` ${join_code.slice(0, 4).toLowerCase()}-${join_code.slice(4)} `)).statusCode).toBe(200)
})

test('a code works once, even for two at the same time', async () => {
  const { join_code } = await newHub()
  const answers = await Promise.all([join(join_code), join(join_code), join(join_code)])
  expect(answers.map((answer) => answer.statusCode).sort()).toEqual([200, 404, 404])
  const again = await join(join_code)
  expect(again.json().error.code).toBe('JOIN_CODE_INVALID')
})

test('a code works for ten minutes', async () => {
  const early = await newHub()
  const late = await newHub()
  expect(early.join_code_expires_at).toBe('2026-03-01T12:10:00.000Z')
  now = new Date('2026-03-01T12:09:59.999Z')
  expect((await join(early.join_code)).statusCode).toBe(200)
  now = new Date('2026-03-01T12:10:00.000Z')
  expect((await join(late.join_code)).json().error.code).toBe('JOIN_CODE_INVALID')
})

test('a new code ends the one before', async () => {
  const hub = await newHub()
  const renewed = await farm.request('POST', `/hubs/${hub.id}/join-code`)
  expect(renewed.statusCode).toBe(201)
  expect(renewed.json().data).toEqual({
    hub_id: hub.id,
    join_code: expect.stringMatching(/^[A-HJKMNP-Z2-9]{8}$/),
    join_code_expires_at: '2026-03-01T12:10:00.000Z',
    ca_fingerprint: null,
  })
  expect((await join(hub.join_code)).statusCode).toBe(404)
  expect((await join(renewed.json().data.join_code)).statusCode).toBe(200)
})

test('making codes and joining with them at the same time never fails for another reason', async () => {
  const hub = await newHub()
  for (let round = 0; round < 5; round++) {
    const renewed = await farm.request('POST', `/hubs/${hub.id}/join-code`)
    const [, joined] = await Promise.all([
      farm.request('POST', `/hubs/${hub.id}/join-code`),
      join(renewed.json().data.join_code),
    ])
    expect([200, 404]).toContain(joined.statusCode)
  }
})

test('joining again voids the token before and puts its connection out', async () => {
  const hub = await newHub()
  const first = (await join(hub.join_code)).json().data.token
  const sent: string[] = []
  const closed: string[] = []
  const socket: HubConnection['socket'] = {
    send: (frame) => sent.push(frame),
    close: (_, reason) => closed.push(reason),
  }
  t.context.hubs.attach(hubConnection({ accountId: farm.id, hubId: hub.id, socket }, now))
  const { join_code } = (await farm.request('POST', `/hubs/${hub.id}/join-code`)).json().data
  expect(t.context.hubs.isOnline(hub.id)).toBe(true)
  const second = (await join(join_code)).json().data.token
  expect(second).not.toBe(first)
  expect(await findHubByTokenHash(t.db.sql, hashSecret(first))).toBeUndefined()
  expect(JSON.parse(sent.at(-1) as string)).toMatchObject({ type: 'close', reason: 'revoked' })
  expect(closed).toEqual(['revoked'])
  expect(t.context.hubs.isOnline(hub.id)).toBe(false)
})

test('what is no code is refused with the field', async () => {
  for (const payload of [{}, { code: 5 }, { code: '' }, { code: 'A'.repeat(65) }]) {
    const answer = await t.app.inject({
      method: 'POST',
      url: '/hub/v1/join',
      payload,
      remoteAddress: newAddress(),
    })
    expect(answer.statusCode).toBe(400)
    expect(answer.json().error.details).toHaveProperty('code')
  }
  expect((await join('AAAAAAAA')).json().error.code).toBe('JOIN_CODE_INVALID')
})

test('guessing is refused after ten tries a minute from one address, before the code is looked at', async () => {
  const { join_code } = await newHub()
  const guess = joinFrom('198.51.100.9')
  for (let tries = 0; tries < 10; tries++) expect((await guess(`AAAAAAA${tries}`)).statusCode).toBe(404)
  const refused = await guess(join_code)
  expect(refused.statusCode).toBe(429)
  expect(refused.json().error.code).toBe('RATE_LIMITED')
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect((await join(join_code)).statusCode).toBe(200)
})

test('the command line makes a hub with its token at once', async () => {
  const made = await t.db.begin((sql) => createHubWithToken(systemWork(sql, farm.id), 'From the shell'))
  expect(made.token).toMatch(/^printyard_hub_[0-9a-f]{64}$/)
  expect((await findHubByTokenHash(t.db.sql, hashSecret(made.token)))?.id).toBe(made.id)
  await expect(createHubWithToken(systemWork(t.db.sql, farm.id), 'From the shell')).rejects.toMatchObject({
    code: 'DUPLICATE_NAME',
  })
})

test('what a hub says of itself is kept, and an earlier sighting never replaces a later one', async () => {
  const { id } = await newHub()
  const at = (minute: number) => new Date(Date.UTC(2026, 2, 1, 12, minute))
  const said = { at: at(2), firmware_version: '1.2.3', hardware_version: 'Pi 5' }
  await recordHello(t.db.sql, farm.id, id, said, { id: null, position: 0, knownReports: [], isServiceBehind: false })
  await recordHubSeen(t.db.sql, farm.id, id, at(1))
  expect((await farm.request('GET', `/hubs/${id}`)).json().data).toMatchObject({
    firmware_version: '1.2.3',
    hardware_version: 'Pi 5',
    last_seen_at: '2026-03-01T12:02:00.000Z',
    is_online: false,
  })
})
