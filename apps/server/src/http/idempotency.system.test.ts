import type { FastifyReply, FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import type { Sql } from '../db/database.ts'
import { appForAllTests } from '../test/app/app-hooks.ts'
import { answerOncePrepared, releaseAbandonedKeys } from './idempotency.ts'

let now = new Date('2026-01-01T00:00:00.000Z')
const t = appForAllTests({ context: { clock: { now: () => now } } })

async function makeRequest(key: string) {
  const account = await t.account()
  const [apiKey] = await t.db.sql<{ id: string }[]>`select id from api_keys where account_id = ${account.id}`
  const actor = { accountId: account.id, apiKeyId: apiKey?.id ?? '' }
  // As much of a request as the claim is made of.
  const request = { method: 'POST', url: '/things', body: {}, headers: { 'idempotency-key': key }, actor }
  return { accountId: account.id, request: request as unknown as FastifyRequest }
}

function makeReply() {
  const sent: string[] = []
  const reply = {
    header: () => reply,
    code: () => reply,
    type: () => reply,
    send: (body: string) => void sent.push(body),
    serializeInput: (body: unknown) => JSON.stringify(body),
  }
  // As much of a reply as an answer is written with.
  return { sent, reply: reply as unknown as FastifyReply }
}

/** Counts how often the effect was had: one hub each. */
function effectOf(accountId: string, id: string) {
  return async (sql: Sql) => {
    await sql`insert into hubs (account_id, id, name) values (${accountId}, ${id}, ${id})`
    return { id }
  }
}

async function effects(accountId: string): Promise<string[]> {
  const rows = await t.db.sql<{ id: string }[]>`select id from hubs where account_id = ${accountId} order by id`
  return rows.map((row) => row.id)
}

test('of two that ran long after one another under one key, the one that lost its claim has no effect', async () => {
  const { accountId, request } = await makeRequest('slow')
  let goOn: () => void = () => undefined
  const slowly = new Promise<void>((resolve) => {
    goOn = resolve
  })
  let hasBegun: () => void = () => undefined
  const started = new Promise<void>((resolve) => {
    hasBegun = resolve
  })
  const first = makeReply()
  const late = answerOncePrepared(
    t.context,
    request,
    first.reply,
    201,
    () => {
      hasBegun()
      return slowly
    },
    effectOf(accountId, 'hub_first'),
  )
  await started
  now = new Date(now.getTime() + 121_000)
  const second = makeReply()
  await answerOncePrepared(
    t.context,
    request,
    second.reply,
    201,
    async () => undefined,
    effectOf(accountId, 'hub_second'),
  )
  goOn()
  await expect(late).rejects.toMatchObject({ code: 'IDEMPOTENCY_IN_PROGRESS' })
  expect(first.sent).toEqual([])
  expect(await effects(accountId)).toEqual(['hub_second'])

  const third = makeReply()
  await answerOncePrepared(
    t.context,
    request,
    third.reply,
    201,
    async () => undefined,
    effectOf(accountId, 'hub_third'),
  )
  expect(third.sent).toEqual(second.sent)
})

test('a key whose process died is free again when the only service starts, and answers that were given stay', async () => {
  const { accountId, request } = await makeRequest('died')
  const { request: answered } = await makeRequest('answered')
  const given = makeReply()
  await answerOncePrepared(
    t.context,
    answered,
    given.reply,
    201,
    async () => undefined,
    async () => ({ id: 'given' }),
  )
  void answerOncePrepared(
    t.context,
    request,
    makeReply().reply,
    201,
    () => new Promise(() => undefined),
    async () => ({}),
  )
  await t.settled(async () => {
    const rows = await t.db.sql`select key from idempotency_keys where account_id = ${accountId}`
    return rows.length === 1
  })
  await releaseAbandonedKeys(t.context)
  const retry = makeReply()
  await answerOncePrepared(
    t.context,
    request,
    retry.reply,
    201,
    async () => undefined,
    effectOf(accountId, 'hub_retry'),
  )
  expect(await effects(accountId)).toEqual(['hub_retry'])
  const replay = makeReply()
  await answerOncePrepared(
    t.context,
    answered,
    replay.reply,
    201,
    async () => undefined,
    async () => ({ id: 'other' }),
  )
  expect(replay.sent).toEqual(given.sent)
})
