import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Sql } from '../../../db/database.ts'
import { appForAllTests } from '../../../test/app/app-hooks.ts'
import { createTestPerson, pageRequest, type TestPerson } from '../../../test/farm/test-person.ts'

let hashes = 0
/** Hashes are counted, not timed, and cost next to nothing: there are hundreds. */
let areCheap = true
const cheap = { memory: 64, passes: 1 }
const { argon2 } = crypto
/** Modules have the function by name: they are told of another one. */
function replaceArgon2(by: typeof argon2): void {
  crypto.argon2 = by
  syncBuiltinESMExports()
}

const password = 'a password of sixteen'

let statements: string[] = []
let known: TestPerson
let bySso: TestPerson
const t = appForAllTests()
beforeAll(async () => {
  replaceArgon2((algorithm, parameters, callback) => {
    hashes += 1
    return argon2(algorithm, areCheap ? { ...parameters, ...cheap } : parameters, callback)
  })
  const { sql } = t.context.db
  const recording = ((first: TemplateStringsArray, ...rest: never[]) => {
    // Parts of statements are made by the same tag; what is sent begins with a word of SQL.
    if (Array.isArray(first) && 'raw' in first) statements.push(first.join('?').trim().replace(/\s+/g, ' '))
    return sql(first, ...rest)
  }) as Sql
  t.context.db.sql = Object.assign(recording, sql)
  const farm = await t.account()
  known = await createTestPerson(t, farm, 'owner', { password })
  bySso = await createTestPerson(t, farm, 'owner')
})
afterAll(() => replaceArgon2(argon2))

async function workOf(email: string, remoteAddress: string) {
  statements = []
  hashes = 0
  const body = { email, password: 'a wrong password' }
  const { statusCode } = await t.app.inject({ ...pageRequest('POST', '/sign-in', undefined, body), remoteAddress })
  const done = { statusCode, hashes, statements }
  await t.written()
  return done
}

test('a wrong password costs one statement and one hash, anyone who it is for', async () => {
  const works = [
    await workOf(known.email, '192.0.2.1'),
    await workOf(bySso.email, '192.0.2.2'),
    await workOf('nobody@example.net', '192.0.2.3'),
  ]
  for (const done of works) expect(done).toEqual(works[0])
  expect(works[0]).toMatchObject({ statusCode: 401, hashes: 1 })
  expect(works[0]?.statements).toHaveLength(1)
})

test('a wrong password takes as long for anyone', async () => {
  areCheap = false
  onTestFinished(() => {
    areCheap = true
  })
  const median = (times: number[]) => times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0
  const ratios: number[] = []
  // What else the machine does hits both alike, as they take turns. A hash that is left out is most of the time, of every try.
  for (let attempt = 0; attempt < 3 && !ratios.some((ratio) => ratio < 1.25); attempt += 1) {
    const { email } = await createTestPerson(t, { id: known.accountId }, 'viewer', { password })
    const times = { known: [] as number[], unknown: [] as number[] }
    for (let turn = 0; turn < 30; turn += 1) {
      // Two by two, each is first as often as the other.
      const who = (turn + (turn >> 1)) % 2 === 0 ? 'known' : 'unknown'
      const startedAt = performance.now()
      await workOf(who === 'known' ? email : `nobody-${attempt}@example.net`, `192.0.${64 + attempt}.${turn}`)
      times[who].push(performance.now() - startedAt)
    }
    const [one, other] = [median(times.known), median(times.unknown)]
    ratios.push(Math.max(one, other) / Math.min(one, other))
  }
  expect(Math.min(...ratios), String(ratios)).toBeLessThan(1.25)
})

test('a guess too many is refused before anything is looked up, anyone who it is for', async () => {
  for (const [email, address] of [
    [known.email, '198.51.100.1'],
    ['nobody@example.net', '198.51.100.2'],
  ] as const) {
    for (let guess = 0; guess < 10; guess += 1) await workOf(email, address)
    expect(await workOf(email, address)).toEqual({ statusCode: 429, hashes: 0, statements: [] })
  }
})

test('where others have used up what a person has, the same is asked for a person unknown', async () => {
  const works = []
  for (const [email, network] of [
    [known.email, '203.0.113'],
    ['a person@example.net', '203.0.114'],
  ] as const) {
    for (let guess = 0; guess < 50; guess += 1) await workOf(email, `${network}.${guess}`)
    works.push(await workOf(email, `${network}.99`))
  }
  expect(works[0]).toEqual(works[1])
  expect(works[0]).toMatchObject({ statusCode: 429, hashes: 0 })
  expect(works[0]?.statements).toHaveLength(1)
}, 120_000)

test('260 strangers and a colleague at the same address do not keep the owner out of their own browser', async () => {
  const office = '198.51.100.77'
  const owner = await createTestPerson(t, { id: known.accountId }, 'owner', { password })
  const signIn = (typed: string, remoteAddress: string, cookie?: string) =>
    t.app.inject({
      ...pageRequest('POST', '/sign-in', cookie, { email: owner.email, password: typed }),
      remoteAddress,
    })
  const first = await signIn(password, office)
  const device = [first.headers['set-cookie'] ?? []]
    .flat()
    .map((line) => line.split(';')[0] ?? '')
    .find((pair) => pair.includes('device'))
  expect(device).toMatch(/^printyard_device_/)

  await Promise.all(
    Array.from({ length: 260 }, (_, stranger) => signIn('guessed wrong', `100.64.${stranger >> 8}.${stranger & 255}`)),
  )
  for (let guess = 0; guess < 11; guess += 1) await signIn('guessed wrong', office)
  expect((await signIn(password, office)).statusCode).toBe(429)
  expect((await signIn(password, office, device)).statusCode).toBe(200)
  // From another place, too; and what is guessed there is counted.
  for (let guess = 0; guess < 10; guess += 1) {
    expect((await signIn('guessed wrong', '192.0.2.200', device)).statusCode).toBe(401)
  }
  expect((await signIn(password, '192.0.2.200', device)).statusCode).toBe(429)
})
