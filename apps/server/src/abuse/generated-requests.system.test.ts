import { once } from 'node:events'
import { Agent, request as sendHttp } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isWhole, sampleOf } from '@printyard/protocol/test/sample'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inlineResponses } from '../test/app/inline-responses.ts'
import { createTestApp, type TestApp } from '../test/app/test-app.ts'
import { type ApiDocument, type GivenAnswer, listOperations, makeAnswerCheck, type Operation } from './described-api.ts'
import { type FullAccount, fillAccount, hashOfAccount } from './full-account.ts'
import { anyRequest, type GeneratedRequest } from './generated-request.ts'
import { kindOfPath } from './generated-values.ts'

// Other requests: TEST_SEED=… TEST_REQUESTS=… npm test -- --project system apps/server/src/abuse
const seed = Number(process.env.TEST_SEED ?? 20_261_120)
const requestCount = Number(process.env.TEST_REQUESTS ?? 4_300)
/** The sample of a day is too small to succeed with as many operations, or to meet the rarer refusals. */
const fewestSucceed = isWhole ? 0.8 : 0.5
const marker = 'Other7Marker'

let t: TestApp
let caller: FullAccount
let other: FullAccount
let otherBefore: Record<string, string>
let document: ApiDocument
let operations: Operation[]
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
const unhandled: unknown[] = []
const recordUnhandled = (reason: unknown) => unhandled.push(reason)

beforeAll(async () => {
  process.on('unhandledRejection', recordUnhandled)
  // The printers obey; on a busy machine that may take a while.
  t = await createTestApp({ context: { timeouts: { commandMs: 20_000, startMs: 20_000 } } })
  other = await fillAccount(t, marker)
  // From here on nothing of this account may change, by itself or otherwise.
  await other.farm.hub.close()
  await t.settled(() => isSeenOffline(other))
  caller = await fillAccount(t, 'Mine')
  document = inlineResponses(t.app.swagger() as unknown as ApiDocument)
  operations = listOperations(document)
  otherBefore = await hashOfAccount(t, other.farm.account.id)
}, 240_000)
afterAll(async () => {
  process.off('unhandledRejection', recordUnhandled)
  agent.destroy()
  await caller?.farm.hub.close()
  // What thousands of requests have left behind is looked through.
  await t?.close()
}, 180_000)

/** Whether the time of each of its printers is written down as lost since its hub went away. */
async function isSeenOffline({ farm }: FullAccount): Promise<boolean> {
  const [missing] = await t.db.sql`
    select p.id from printers p
    where p.account_id = ${farm.account.id} and not exists (
      select from printer_periods o
      where o.account_id = p.account_id and o.printer_id = p.id and o.ended_at is null and o.cause = 'offline')`
  return missing === undefined && t.context.hubs.find(farm.hubId) === undefined
}

/** Things made while the requests run are found again by later ones, those that were there at first stay known. */
function remember(operation: Operation, text: string): void {
  if (operation.method !== 'POST' || operation.pathParameters.length > 0) return
  const kind = kindOfPath(operation.path)
  const { id, token } = JSON.parse(text).data as { id?: string; token?: string }
  for (const [each, found] of [
    [kind, id],
    ['queued_jobs', kind === 'jobs' ? id : undefined],
    ['upload_tokens', token],
  ] as const) {
    const known = caller.ids[each]
    if (known && found !== undefined) known.splice(8, known.length > 20 ? 1 : 0, found)
  }
}

const othersIds = () => Object.values(other.ids).flat()

/** Here anyone who has a token or code may use it: no request is given one of the other account's. */
const bearerPaths = ['/public/v1/files/upload/{token}', '/hub/v1/join']
const bearerKinds = ['upload_tokens', 'join_codes']
function othersNames(operation: Operation): string[] {
  const isBearer = bearerPaths.includes(operation.path)
  return Object.entries(other.ids).flatMap(([kind, ids]) => (isBearer && bearerKinds.includes(kind) ? [] : ids))
}

/** Cursors and entity tags that answers had; the latest last, some hundred of each. */
const seen = { cursor: ['AQ'], etag: ['"none"'] }
function see(kind: keyof typeof seen, text: unknown): void {
  if (typeof text !== 'string') return
  if (seen[kind].push(text) > 300) seen[kind].shift()
}

/** Puts what exists in the places that were left for it. */
function fill(operation: Operation, text: string, tagNow = '"none"'): string {
  return text.replaceAll('@etag:now@', tagNow).replace(/@([\w-]+):(\d+)@/g, (_, kind: string, n: string) => {
    const known =
      kind === 'other'
        ? othersNames(operation)
        : kind === 'cursor' || kind === 'etag'
          ? seen[kind]
          : (caller.ids[kind] ?? Object.values(caller.ids).flat())
    return known[Number(n) % known.length] ?? 'nothing'
  })
}

interface Sent {
  operation: Operation
  twist: string
  path: string
  headers: Record<string, string>
  body: string | undefined
}

async function fillRequest({ operation, twist, path, headers, body }: GeneratedRequest): Promise<Sent> {
  const given = JSON.stringify(headers)
  const filledPath = fill(operation, path)
  const tagNow = given.includes('@etag:now@') ? await tagOf(filledPath) : undefined
  const filled = Object.entries(headers).map(([name, value]) => [name, fill(operation, value, tagNow)])
  return {
    operation,
    twist,
    path: filledPath,
    headers: Object.fromEntries(filled),
    body: body === undefined ? undefined : fill(operation, body),
  }
}

/** The tag of what a path names, or of what it is a part of: a threshold has that of its item. */
async function tagOf(path: string): Promise<string | undefined> {
  const whole = path.split('?')[0] ?? ''
  for (const each of [whole, whole.slice(0, whole.lastIndexOf('/'))]) {
    const { headers } = await send({ method: 'GET', path: each, headers: {}, body: undefined })
    if (typeof headers.etag === 'string') return headers.etag
  }
}

async function send({ method, path, headers, body }: Omit<Sent, 'operation' | 'twist'> & { method: string }) {
  const sent = body === undefined ? undefined : Buffer.from(body, 'utf8')
  const request = sendHttp({
    agent,
    host: '127.0.0.1',
    port: (t.app.server.address() as AddressInfo).port,
    method,
    path,
    headers: {
      authorization: `Bearer ${caller.farm.account.key}`,
      ...headers,
      // Said also where the client library would not, as with GET.
      ...(sent && { 'content-length': sent.length }),
    },
  })
  request.end(sent)
  const [answer] = (await once(request, 'response', { signal: AbortSignal.timeout(60_000) })) as [
    NodeJS.ReadableStream & { statusCode: number; headers: Record<string, unknown> },
  ]
  const chunks: Buffer[] = []
  const isEndless = String(answer.headers['content-type']).startsWith('text/event-stream')
  for await (const chunk of answer) {
    chunks.push(chunk as Buffer)
    // Leaving the loop closes the connection.
    if (isEndless) break
  }
  const text = Buffer.concat(chunks).toString('utf8')
  return { status: answer.statusCode, headers: answer.headers, text } satisfies GivenAnswer
}

/** What a caller may rightly complain about. */
function complaintsAbout(sent: Sent, answer: GivenAnswer, check: ReturnType<typeof makeAnswerCheck>): string[] {
  const { operation, path, headers } = sent
  const complaints: string[] = []
  const given = `${path} ${sent.body ?? ''}`
  if (answer.status === 500) complaints.push('fails inside')
  if (answer.headers['x-request-id'] === undefined) complaints.push('no X-Request-Id')
  if (answer.text.includes(marker)) complaints.push('shows a text of the other account')
  for (const id of othersIds()) {
    if (answer.text.includes(id) && !given.includes(id)) complaints.push(`shows ${id} of the other account`)
  }
  if (answer.status === 304 && answer.text !== '') complaints.push('sends again what is known')
  // No tag of ours is so short.
  if (headers['if-match'] === '"x"' && ['PATCH', 'PUT'].includes(operation.method) && answer.status < 300) {
    complaints.push('writes although If-Match does not hold')
  }
  // A path that is another route's, or no route's, is answered by that one.
  const isElsewhere = sent.twist === 'path' && [404, 405].includes(answer.status)
  const asked = path.split('?')[0]
  const owner = operations.find((each) => each.method === operation.method && each.path === asked)
  const known = isElsewhere ? [] : check(owner ?? operation, answer)
  return [...complaints, ...known]
}

/** A request that is sent again under its key is answered as before, and does nothing. */
async function complaintsAboutRetry(sent: Sent, first: GivenAnswer): Promise<string[]> {
  if (sent.operation.method !== 'POST' || sent.headers['idempotency-key'] === undefined) return []
  if (first.status >= 300) return []
  const again = await send({ ...sent, method: sent.operation.method })
  const isSame = again.status === first.status && again.text === first.text
  return isSame ? [] : [`is answered otherwise when it is sent again: ${again.status} ${again.text.slice(0, 200)}`]
}

/** The page behind a page exists, and shows nothing twice. */
async function complaintsAboutNextPage(sent: Sent, first: GivenAnswer): Promise<string[]> {
  if (sent.operation.method !== 'GET' || first.status !== 200 || !first.text.includes('"next_cursor":"')) return []
  const { data, meta } = JSON.parse(first.text) as { data: { id?: string }[]; meta: { next_cursor: string } }
  see('cursor', meta.next_cursor)
  const [whole, query] = sent.path.split('?')
  const others = (query ?? '')
    .split('&')
    .filter((pair) => pair !== '' && !/^(cursor|__proto__|a\[b\]|%00)?=/.test(pair))
  const path = `${whole}?${[...others, `cursor=${meta.next_cursor}`].join('&')}`
  const next = await send({ method: 'GET', path, headers: {}, body: undefined })
  if (next.status !== 200) return [`has no page behind it: ${path} → ${next.status} ${next.text.slice(0, 200)}`]
  const shown = new Set(data.map(({ id }) => id))
  const twice = (JSON.parse(next.text).data as { id?: string }[]).filter(({ id }) => id !== undefined && shown.has(id))
  return twice.map(({ id }) => `shows ${id} again on its next page`)
}

test(
  `${requestCount} generated requests to all operations are answered as described (seed ${seed})`,
  async () => {
    const check = makeAnswerCheck(document)
    const generated = sampleOf(fc.sample(anyRequest(operations), { seed, numRuns: requestCount }), 3)
    const failures: string[] = []
    const successes = new Set<string>()
    const refusals = new Map<string, string>()
    const statuses = new Map<number, number>()
    for (const each of generated) {
      const sent = await fillRequest(each)
      const answer = await send({ ...sent, method: sent.operation.method })
      const { name } = each.operation
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      if (answer.status < 300) successes.add(name)
      else if (each.twist === 'none') refusals.set(name, `${sent.path} ${sent.body} → ${answer.text}`.slice(0, 400))
      if (answer.status === 201) remember(each.operation, answer.text)
      see('etag', answer.headers.etag)
      for (const complaint of [
        ...complaintsAbout(sent, answer, check),
        ...(await complaintsAboutRetry(sent, answer)),
        ...(await complaintsAboutNextPage(sent, answer)),
      ]) {
        failures.push(
          `${complaint}: ${name}, changed ${each.twist}\n  ${sent.path.slice(0, 300)} ${JSON.stringify(sent.headers).slice(0, 200)}\n  ${sent.body?.slice(0, 300)}\n  → ${answer.status} ${answer.text.slice(0, 300)}`,
        )
      }
      if (failures.length >= 10) break
    }
    expect(failures.join('\n'), `TEST_SEED=${seed} repeats this`).toBe('')
    expect(unhandled).toEqual([])
    if (process.env.TEST_REQUESTS !== undefined) return
    // The requests are worth something only when most operations were also reached.
    const missed = operations
      .filter(({ name }) => !successes.has(name))
      .map(({ name }) => `${name}: ${refusals.get(name)}`)
    const figures = [...statuses].sort().join('; ')
    expect(successes.size / operations.length, `${figures}\n${missed.join('\n')}`).toBeGreaterThan(fewestSucceed)
    expect(statuses.get(400)).toBeGreaterThan(generated.length / 10)
    for (const status of isWhole ? [304, 409, 412, 422] : [409, 422])
      expect(statuses.get(status), `${status} in ${figures}`).toBeGreaterThan(0)
  },
  requestCount * 200,
)

test('nothing of the other account was changed by them', async () => {
  expect(await hashOfAccount(t, other.farm.account.id)).toEqual(otherBefore)
})

test('the service is as ready as before', async () => {
  const ready = await t.app.inject({ method: 'GET', url: '/readyz' })
  expect(ready.statusCode).toBe(200)
})
