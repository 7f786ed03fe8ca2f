import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context/context.ts'
import type { Sql, Transaction } from '../db/database.ts'
import { deleteInBatches } from '../db/delete-in-batches.ts'
import type { IdempotencyKeyRow } from '../db/rows.generated.ts'
import { callerId } from '../kernel/actor.ts'
import { AppError, validationError } from '../kernel/errors.ts'
import { type AccountId, type AssemblyTaskId, idPrefixes, type JobId, type OrderId } from '../kernel/ids.ts'
import { openIfReadable } from '../kernel/secret-box.ts'
import { errorBody } from './error-handler.ts'

/** A claim this old whose effect was never written belongs to a process that died: no transaction lives that long. */
const abandonedAfterMs = 120_000

/** Answers are kept this long. */
const idempotencyKeptMs = 24 * 60 * 60 * 1000

const keyForm = /^[\x21-\x7e]{1,255}$/

interface Claim {
  accountId: AccountId
  /** An API key, or the person who is signed in. */
  callerId: string
  key: string
  /** Tells this claim from a later one of the same key: anyone who lost his to another must not write any more. */
  claimedAt: Date
}

/**
 * Runs the effect of a POST once per Idempotency-Key. The effect gets a transaction, and its answer is written in that
 * same transaction, so that after a crash either both are there or neither. Without the header it just runs.
 */
export async function answerOnce<T extends object>(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  status: 200 | 201,
  effect: (sql: Transaction) => Promise<T>,
): Promise<void> {
  await answerOncePrepared(context, request, reply, status, async () => undefined, effect)
}

/**
 * The same for an effect that may come to one statement: where no answer is to be kept it is sent on `closing`, which ends the transaction.
 */
export async function answerOnceClosed<T extends object>(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  status: 200 | 201,
  effect: (sql: Transaction, closing: Sql | undefined) => Promise<T>,
): Promise<void> {
  await answer(context, request, reply, status, (keep) =>
    context.db.beginLateFor(request.actor.accountId, async (sql, closing) => {
      const body = serialize(reply, status, await effect(sql, keep ? undefined : closing))
      await keep?.(sql, body)
      return body
    }),
  )
}

/**
 * The same for an effect that needs something slow first (a file that must be read): `prepare` runs before the
 * transaction is opened, and not at all when the first answer is given again.
 */
export async function answerOncePrepared<P, T extends object>(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  status: 200 | 201,
  prepare: () => Promise<P>,
  effect: (sql: Transaction, prepared: P) => Promise<T>,
): Promise<void> {
  await answer(context, request, reply, status, async (keep) => {
    const prepared = await prepare()
    return context.db.beginFor(request.actor.accountId, async (sql) => {
      const body = serialize(reply, status, await effect(sql, prepared))
      await keep?.(sql, body)
      return body
    })
  })
}

/** Runs work in the transaction in which its answer is kept. */
export type Begin = <R>(work: (sql: Transaction) => Promise<R>) => Promise<R>

/**
 * The same for an effect that has something to do after its transaction, such as looking at a printer again: it begins that
 * transaction once, by `begin`, and `read` gives the answer as it stands at its end. What comes after it may be lost when the
 * process dies; the effect and its answer are not.
 */
export async function answerOnceAround<T extends object>(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  status: 200 | 201,
  effect: (begin: Begin) => Promise<void>,
  read: (sql: Transaction) => Promise<T>,
): Promise<void> {
  await answer(context, request, reply, status, async (keep) => {
    let body: string | undefined
    await effect((work) =>
      context.db.beginFor(request.actor.accountId, async (sql) => {
        const result = await work(sql)
        body = serialize(reply, status, await read(sql))
        await keep?.(sql, body)
        return result
      }),
    )
    if (body === undefined) throw new Error('the effect began no transaction')
    return body
  })
}

/**
 * The same for an effect that leaves the database (a command to a printer) and so cannot share a transaction: the claim
 * stays in progress until the outcome is known.
 */
export async function answerOnceOutside<T extends object>(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  status: 200 | 201,
  effect: () => Promise<T>,
): Promise<void> {
  await answer(context, request, reply, status, async (keep) => {
    const body = serialize(reply, status, await effect())
    await keep?.(context.db.sql, body)
    return body
  })
}

/** The bytes of an answer, by the response schema of its status: what is kept is what was sent. */
function serialize(reply: FastifyReply, status: 200 | 201, answer: object): string {
  return reply.serializeInput(answer as Record<string, unknown>, String(status)) as string
}

/** Keeps the answer for when the request comes again; there is none where it names no key. */
type Keep = (sql: Sql, body: string) => Promise<void>

async function answer(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  status: 200 | 201,
  run: (keep: Keep | undefined) => Promise<string>,
): Promise<void> {
  const claim = readClaim(request, context.clock.now())
  const send = (code: number, body: string) => {
    reply.code(code).type('application/json; charset=utf-8').send(body)
  }
  if (!claim) return send(status, await run(undefined))

  const earlier = await claimKey(context, claim, requestHashes(context, request))
  if (earlier) {
    reply.header('Idempotent-Replayed', 'true')
    return send(earlier.status_code, earlier.body)
  }
  try {
    send(status, await run((sql, body) => recordAnswer(context, sql, claim, status, body)))
  } catch (error) {
    // What was refused on its merits is the first answer too. All else frees the key, so that a retry may succeed.
    if (error instanceof AppError && error.code === 'IDEMPOTENCY_IN_PROGRESS') throw error
    if (error instanceof AppError && isFinal(error)) {
      await recordAnswer(context, context.db.sql, claim, error.status, JSON.stringify(errorBody(error)))
    } else {
      await releaseKey(context.db.sql, claim)
    }
    throw error
  }
}

/** True when the same request would be refused again: not for what passes, nor for want of a proof that is given next. */
function isFinal({ status, code }: AppError): boolean {
  return status < 500 && status !== 429 && code !== 'PROOF_REQUIRED'
}

function readClaim(request: FastifyRequest, claimedAt: Date): Claim | undefined {
  const header = request.headers['idempotency-key']
  if (header === undefined) return undefined
  // The IETF draft spells the key as a quoted string; both spellings are the same key.
  const key = typeof header === 'string' ? header.replace(/^"(.*)"$/, '$1') : ''
  if (!keyForm.test(key)) throw validationError({ 'Idempotency-Key': ['must be 1 to 255 visible ASCII characters'] })
  return { accountId: request.actor.accountId, callerId: callerId(request.actor), key, claimedAt }
}

/** Answers what a request is known by: by the present key first, then as it was before a rotation of the secret key. */
function requestHashes({ secrets }: Pick<Context, 'secrets'>, request: FastifyRequest): [string, ...string[]] {
  const text = `${request.method} ${request.url}\n${canonical(request.body)}`
  return [secrets.sign(text), ...secrets.formerSigns(text)]
}

/** JSON with the keys of every object in order, so that the same request spelled differently is the same. */
function canonical(value: unknown): string {
  return JSON.stringify(value ?? null, (_, item: unknown) =>
    item !== null && typeof item === 'object' && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  )
}

async function claimKey(
  context: Context,
  claim: Claim,
  hashes: [string, ...string[]],
): Promise<{ status_code: number; body: string } | undefined> {
  const now = claim.claimedAt
  const abandonedBefore = new Date(now.getTime() - abandonedAfterMs)
  const expiredBefore = new Date(now.getTime() - idempotencyKeptMs)
  const [claimed] = await context.db.sql`
    insert into idempotency_keys (account_id, api_key_id, key, request_hash, state, claimed_at)
    values (${claim.accountId}, ${claim.callerId}, ${claim.key}, ${hashes[0]}, 'in_progress', ${now})
    on conflict (account_id, api_key_id, key) do update
      set request_hash = excluded.request_hash, state = 'in_progress', claimed_at = excluded.claimed_at,
          status_code = null, body_sealed = null, order_ids = null
      where idempotency_keys.claimed_at < ${expiredBefore}
         or (idempotency_keys.state = 'in_progress' and idempotency_keys.claimed_at < ${abandonedBefore}
             and idempotency_keys.request_hash = any(${hashes}::text[]))
    returning key`
  if (claimed) return undefined
  const [held] = await context.db.sql<
    { request_hash: string; state: string; status_code: number | null; body_sealed: Buffer | null }[]
  >`
    select request_hash, state, status_code, body_sealed from idempotency_keys
    where account_id = ${claim.accountId} and api_key_id = ${claim.callerId} and key = ${claim.key}`
  if (held && !hashes.includes(held.request_hash)) throw new AppError('IDEMPOTENCY_KEY_REUSED')
  if (held?.state !== 'completed' || held.status_code === null || held.body_sealed === null) {
    throw new AppError('IDEMPOTENCY_IN_PROGRESS', {}, { retryAfterSeconds: 1 })
  }
  return { status_code: held.status_code, body: context.secrets.open(held.body_sealed, claim.key) as string }
}

/** Fails when the claim was taken over meanwhile, so that the effect of this transaction is undone with it. */
async function recordAnswer(context: Context, sql: Sql, claim: Claim, status: number, body: string): Promise<void> {
  const kept = await sql`
    update idempotency_keys set state = 'completed', status_code = ${status}, order_ids = ${orderIdsIn(body)},
      body_sealed = ${context.secrets.seal(body, claim.key)}
    where account_id = ${claim.accountId} and api_key_id = ${claim.callerId} and key = ${claim.key}
      and state = 'in_progress' and claimed_at = ${claim.claimedAt}
    returning key`
  if (kept.length === 0) throw new AppError('IDEMPOTENCY_IN_PROGRESS', {}, { retryAfterSeconds: 1 })
}

/** Orders, and what is made and put together for them, are what holds personal data of people who do not work here. */
const orderIdForm = new RegExp(
  `"((?:${idPrefixes.order}|${idPrefixes.assemblyTask}|${idPrefixes.job})_[0-9a-z]{26})"`,
  'g',
)

function orderIdsIn(body: string): string[] {
  return [...new Set([...body.matchAll(orderIdForm)].map(([, id = '']) => id))]
}

/**
 * Empties these fields of an order, of assembly tasks and jobs for it, and of what is in them, in the answers that are kept: what is given again
 * never tells more than is still stored. Call it in the transaction that empties them in the order.
 */
export async function emptyInKeptAnswers(
  { secrets }: Pick<Context, 'secrets'>,
  sql: Transaction,
  accountId: AccountId,
  ids: readonly (OrderId | AssemblyTaskId | JobId)[],
  fields: readonly string[],
): Promise<void> {
  const kept = await sql<(Pick<IdempotencyKeyRow, 'api_key_id' | 'key'> & { body_sealed: Buffer })[]>`
    select api_key_id, key, body_sealed from idempotency_keys
    where account_id = ${accountId} and state = 'completed' and body_sealed is not null
      and (order_ids is null or order_ids && ${[...ids]}::text[])
    order by api_key_id, key for update`
  for (const { api_key_id, key, body_sealed } of kept) {
    const opened = openIfReadable(secrets, body_sealed, key)
    // What only a lost key opens is never given again, and must not be readable should the key be found.
    const sealed = opened && secrets.seal(withoutFields(opened.value as string, new Set(ids), fields), key)
    await sql`
      update idempotency_keys set body_sealed = ${sealed ?? null}
      where account_id = ${accountId} and api_key_id = ${api_key_id} and key = ${key}`
  }
}

function withoutFields(body: string, ids: ReadonlySet<unknown>, fields: readonly string[]): string {
  const emptiedBody: unknown = JSON.parse(body, (_, value: unknown) =>
    isOfOrder(value, ids) ? emptied(value, fields) : value,
  )
  return JSON.stringify(emptiedBody)
}

/** One of these itself, or what belongs to it. */
function isOfOrder(value: unknown, ids: ReadonlySet<unknown>): boolean {
  if (typeof value !== 'object' || value === null) return false
  return ('id' in value && ids.has(value.id)) || ('order_id' in value && ids.has(value.order_id))
}

/** The value with these fields empty, however deep they are in it. */
function emptied(value: unknown, fields: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => emptied(item, fields))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      fields.includes(name) ? emptyOf(field) : emptied(field, fields),
    ]),
  )
}

function emptyOf(value: unknown): unknown {
  if (typeof value === 'string') return ''
  return Array.isArray(value) ? [] : value
}

/** Answers that are sealed again at a time: one may be as long as the answer to a hundred jobs. */
const resealedAtOnce = 200

type KeptAnswer = Pick<IdempotencyKeyRow, 'account_id' | 'api_key_id' | 'key'> & { body_sealed: Buffer }

/**
 * Seals all answers that are kept again, by the present key; answers how many. Those that no key opens are emptied: their requests are
 * known by a hash of that key, so they are never given again. `sql` is a transaction.
 */
export async function resealKeptAnswers(
  secrets: Pick<Context['secrets'], 'seal' | 'open'>,
  sql: Sql,
): Promise<{ sealed: number; unreadable: number }> {
  const count = { sealed: 0, unreadable: 0 }
  let after = ['', '', '']
  for (;;) {
    const [account = '', caller = '', last = ''] = after
    const kept = await sql<KeptAnswer[]>`
      /* every account: the key is that of the whole service */
      select account_id, api_key_id, key, body_sealed from idempotency_keys
      where body_sealed is not null and (account_id, api_key_id, key) > (${account}, ${caller}, ${last})
      order by account_id, api_key_id, key limit ${resealedAtOnce} for update`
    for (const { account_id, api_key_id, key, body_sealed } of kept) {
      const opened = openIfReadable(secrets, body_sealed, key)
      await sql`
        update idempotency_keys set body_sealed = ${opened ? secrets.seal(opened.value, key) : null}
        where account_id = ${account_id} and api_key_id = ${api_key_id} and key = ${key}`
      count[opened ? 'sealed' : 'unreadable'] += 1
    }
    const end = kept.at(-1)
    if (!end || kept.length < resealedAtOnce) return count
    after = [end.account_id, end.api_key_id, end.key]
  }
}

async function releaseKey(sql: Sql, claim: Claim): Promise<void> {
  await sql`
    delete from idempotency_keys
    where account_id = ${claim.accountId} and api_key_id = ${claim.callerId} and key = ${claim.key}
      and state = 'in_progress' and claimed_at = ${claim.claimedAt}`
}

/** Frees the keys whose process died before the answer, when this is the only process: their retries need not wait. */
export async function releaseAbandonedKeys(context: Context): Promise<void> {
  await context.db.sql`
    /* every account: claims are left behind by a process, not by an account */
    delete from idempotency_keys where state = 'in_progress'`
}

/** Forgets answers that no retry may ask for any more. */
export async function removeOldIdempotencyKeys(context: Context): Promise<void> {
  const before = new Date(context.clock.now().getTime() - idempotencyKeptMs)
  await deleteInBatches(context, async (most) => {
    const { count } = await context.db.reports`
      /* every account: answers of all accounts grow old alike */
      delete from idempotency_keys where (account_id, api_key_id, key) in (
        select account_id, api_key_id, key from idempotency_keys where claimed_at < ${before}
        order by claimed_at limit ${most} for update skip locked)`
    return count
  })
}
