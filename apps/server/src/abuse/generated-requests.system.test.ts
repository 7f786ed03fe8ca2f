import { once } from 'node:events'
import { Agent, request as sendHttp } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../test/test-app.ts'
import { type ApiDocument, type GivenAnswer, listOperations, makeAnswerCheck, type Operation } from './described-api.ts'
import { type FullAccount, fillAccount, hashOfAccount } from './full-account.ts'
import { anyRequest, type GeneratedRequest } from './generated-request.ts'

// Other requests: TEST_SEED=… TEST_REQUESTS=… npm test -- --project system apps/server/src/abuse
const seed = Number(process.env.TEST_SEED ?? 20_261_120)
const requestCount = Number(process.env.TEST_REQUESTS ?? 3_000)
const marker = 'Other7Marker'

let t: TestApp
let caller: FullAccount
let other: FullAccount
let otherBefore: Record<string, string>
let document: ApiDocument
let operations: Operation[]
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
const unhandled: unknown[] = []
const noteUnhandled = (reason: unknown) => unhandled.push(reason)

beforeAll(async () => {
  process.on('unhandledRejection', noteUnhandled)
  t = await createTestApp()
  other = await fillAccount(t, marker)
  // From here on nothing of this account may change, by itself or otherwise.
  await other.farm.hub.close()
  await t.settled(() => !t.context.hubs.find(other.farm.hubId))
  caller = await fillAccount(t, 'Mine')
  document = t.app.swagger() as unknown as ApiDocument
  operations = listOperations(document)
  otherBefore = await hashOfAccount(t, other.farm.account.id)
})
afterAll(async () => {
  process.off('unhandledRejection', noteUnhandled)
  agent.destroy()
  await caller?.farm.hub.close()
  await t?.close()
})

/** Things made while the requests run are found again by later ones, those that were there at first stay known. */
function remember(operation: Operation, text: string): void {
  if (operation.method !== 'POST' || operation.pathParameters.length > 0) return
  const kind = operation.path.split('/')[3] ?? ''
  const { id } = JSON.parse(text).data as { id?: string }
  const known = caller.ids[kind]
  if (known && typeof id === 'string') known.splice(4, known.length > 12 ? 1 : 0, id)
}

const othersIds = () => Object.values(other.ids).flat()

/** Puts IDs that exist in the places that were left for them. */
function fill(text: string): string {
  return text.replace(/@(\w+):(\d+)@/g, (_, kind: string, n: string) => {
    const known = (kind === 'other' ? othersIds() : caller.ids[kind]) ?? Object.values(caller.ids).flat()
    return known[Number(n) % known.length] ?? 'nothing'
  })
}

async function send(generated: GeneratedRequest): Promise<GivenAnswer> {
  const sent = generated.body === undefined ? undefined : Buffer.from(fill(generated.body), 'utf8')
  const request = sendHttp({
    agent,
    host: '127.0.0.1',
    port: (t.app.server.address() as AddressInfo).port,
    method: generated.operation.method,
    path: fill(generated.path),
    headers: {
      authorization: `Bearer ${caller.farm.account.key}`,
      ...generated.headers,
      // Said also where the client library would not, as with GET.
      ...(sent && { 'content-length': sent.length }),
    },
  })
  request.end(sent)
  const [answer] = (await once(request, 'response', { signal: AbortSignal.timeout(20_000) })) as [
    NodeJS.ReadableStream & { statusCode: number; headers: Record<string, unknown> },
  ]
  const chunks: Buffer[] = []
  for await (const chunk of answer) chunks.push(chunk as Buffer)
  return { status: answer.statusCode, headers: answer.headers, text: Buffer.concat(chunks).toString('utf8') }
}

/** What a caller may rightly complain about. */
function complaintsAbout(
  generated: GeneratedRequest,
  answer: GivenAnswer,
  check: ReturnType<typeof makeAnswerCheck>,
): string[] {
  const { operation, path } = generated
  const complaints: string[] = []
  const sent = `${fill(path)} ${generated.body === undefined ? '' : fill(generated.body)}`
  if (answer.status === 500) complaints.push('fails inside')
  if (answer.headers['x-request-id'] === undefined) complaints.push('no X-Request-Id')
  if (answer.text.includes(marker)) complaints.push('shows a text of the other account')
  for (const id of othersIds()) {
    if (answer.text.includes(id) && !sent.includes(id)) complaints.push(`shows ${id} of the other account`)
  }
  // A path that is another route's, or no route's, is answered by that one.
  const isElsewhere = generated.twist === 'path' && [404, 405].includes(answer.status)
  const asked = fill(path).split('?')[0]
  const owner = operations.find((each) => each.method === operation.method && each.path === asked)
  const known = isElsewhere ? [] : check(owner ?? operation, answer)
  return [...complaints, ...known]
}

test(`${requestCount} generated requests to all operations are answered as described (seed ${seed})`, async () => {
  const check = makeAnswerCheck(document)
  const generated = fc.sample(anyRequest(operations), { seed, numRuns: requestCount })
  const failures: string[] = []
  const successes = new Set<string>()
  const statuses = new Map<number, number>()
  for (const each of generated) {
    const answer = await send(each)
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
    if (answer.status < 300) successes.add(each.operation.name)
    if (answer.status === 201) remember(each.operation, answer.text)
    for (const complaint of complaintsAbout(each, answer, check)) {
      failures.push(
        `${complaint}: ${each.operation.name}, changed ${each.twist}\n  ${fill(each.path).slice(0, 300)} ${JSON.stringify(each.headers).slice(0, 200)}\n  ${each.body && fill(each.body).slice(0, 300)}\n  → ${answer.status} ${answer.text.slice(0, 300)}`,
      )
    }
    if (failures.length >= 10) break
  }
  expect(failures.join('\n'), `TEST_SEED=${seed} repeats this`).toBe('')
  expect(unhandled).toEqual([])
  if (process.env.TEST_REQUESTS !== undefined) return
  // The requests are worth something only when most operations were also reached.
  expect(successes.size / operations.length, [...statuses].join('; ')).toBeGreaterThan(0.7)
  expect(statuses.get(400)).toBeGreaterThan(requestCount / 10)
}, 240_000)

test('nothing of the other account was changed by them', async () => {
  expect(await hashOfAccount(t, other.farm.account.id)).toEqual(otherBefore)
})

test('the service is as ready as before', async () => {
  const ready = await t.app.inject({ method: 'GET', url: '/readyz' })
  expect(ready.statusCode).toBe(200)
})
