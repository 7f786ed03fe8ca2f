import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context/context.ts'
import type { ChangeNotice } from '../../db/commit-notices.ts'
import type { App } from '../../http/types.ts'
import { type Actor, callerId } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/errors.ts'
import type { AccountId, ApiKeyId } from '../../kernel/ids.ts'
import { findEndOfFeed, findPosition, isFarBehind, listEventsAfter } from '../events/event-feed.queries.ts'
import { latest } from '../events/events.schema.ts'
import { isBeyondKept } from '../events/kept-events.ts'
import { isAlive } from '../people/sign-in/session-life.ts'
import { recordSessionUse } from '../people/sign-in/sessions.queries.ts'
import { AccountFeed } from './account-feed.ts'
import { EventStream, eventFrame } from './event-stream.ts'
import { LiveFrames } from './live-frames.ts'
import { findGoodKeys, findSessions } from './stream-credentials.queries.ts'

/** A browser opens one for each of its tabs. A person may have several browsers, but not use up what the account has. */
const mostPerCaller = 20
const mostPerPerson = 60

const heartbeatMs = 15_000

/** Interval at which live values are told, at most. */
const liveMs = 1_000

/** Finds changes by other processes that were not told of, as while Redis is away. */
const sweepMs = 2_000

/** Number of missed events beyond which everything is sent again, which is less. */
const mostReplayed = 5_000
const eventsPerRead = 500

/** A page that is open is a session in use. */
const recordUseEveryMs = 3_600_000

/** What is kept of an account for as long as a person listens. */
interface Listened {
  feed: AccountFeed
  live: LiveFrames
  hasCredentialChanged: boolean
  isChecking: boolean
  stop(): void
}

/** The open streams of this process. */
export interface EventStreams {
  /** Answers a request by a stream that lasts until either side ends it. */
  open(request: FastifyRequest, reply: FastifyReply, after: string | undefined): Promise<void>
  count(): number
  /** Number of streams of one account. */
  countOf(accountId: AccountId): number
}

/** One reader and one set of live values per account, no matter who listens. */
export function openEventStreams(app: App, context: Context): EventStreams {
  const accounts = new Map<AccountId, Promise<Listened>>()
  const ready = new Map<AccountId, Listened>()
  const opening = new Map<string, number>()
  const mostPerAccount = context.config.quotas.event_streams
  let isClosing = false

  const hear = ({ accountId, what }: ChangeNotice) => {
    const listened = ready.get(accountId)
    if (!listened) return
    // Who has lost their right must not hear the rest: it is asked before the next read.
    if (/^(session|api_key|member)\./.test(what)) listened.hasCredentialChanged = true
    void wake(listened)
  }
  const stopChanges = context.db.onChange(hear)
  const stopChangesElsewhere = context.db.onChangeElsewhere(hear)
  const stopTelemetry = context.printers.onSeen((printerId, _before, live) => {
    ready.get(live.accountId)?.live.recordPrinter(printerId, live)
  })
  context.hubs.onPresence((accountId) => ready.get(accountId)?.live.recordPresenceChange())
  context.hubs.onCandidates(({ accountId, hubId }, looked) =>
    ready.get(accountId)?.live.recordCandidates(hubId, looked),
  )

  app.addHook('preClose', async () => {
    isClosing = true
    for (const { feed } of ready.values()) for (const stream of feed.streams) stream.end()
  })
  app.addHook('onClose', async () => {
    stopChanges()
    stopChangesElsewhere()
    stopTelemetry()
    for (const listened of ready.values()) listened.stop()
  })

  async function listen(accountId: AccountId): Promise<Listened> {
    const feed = new AccountFeed(context, accountId, await findEndOfFeed(context.db.sql, accountId))
    const live = new LiveFrames(context.hubs, accountId)
    const timers = [
      setInterval(() => {
        const frames = live.take()
        if (frames !== '') for (const stream of feed.streams) stream.sendLive(frames)
      }, liveMs).unref(),
      setInterval(() => {
        for (const stream of feed.streams) stream.beat()
      }, heartbeatMs).unref(),
      setInterval(() => {
        listened.hasCredentialChanged = true
        void wake(listened)
      }, sweepMs).unref(),
    ]
    const listened: Listened = {
      feed,
      live,
      hasCredentialChanged: false,
      isChecking: false,
      stop() {
        for (const timer of timers) clearInterval(timer)
        feed.close()
        ready.delete(accountId)
        accounts.delete(accountId)
      },
    }
    ready.set(accountId, listened)
    return listened
  }

  /** Two who come at once find the same. One that failed is tried again by the next. */
  function listenedOf(accountId: AccountId): Promise<Listened> {
    const known = accounts.get(accountId)
    if (known) return known
    const made = listen(accountId)
    accounts.set(accountId, made)
    made.catch(() => accounts.delete(accountId))
    return made
  }

  async function wake(listened: Listened): Promise<void> {
    if (listened.isChecking) return
    listened.isChecking = true
    try {
      while (listened.hasCredentialChanged) {
        listened.hasCredentialChanged = false
        await endUnentitled(context, listened.feed)
      }
      listened.feed.wake()
    } catch (error) {
      context.log.warn({ err: error }, 'who listens to events could not be checked; it is tried again')
    } finally {
      listened.isChecking = false
    }
  }

  function leave(listened: Listened, stream: EventStream): void {
    listened.feed.streams.delete(stream)
    if (listened.feed.streams.size === 0 && !opening.get(listened.feed.accountId)) listened.stop()
  }

  /** Answers where the stream begins, and whether something before that is missing. */
  async function findStart(accountId: AccountId, feed: AccountFeed, after: string | undefined) {
    if (after === undefined || after === latest) return { from: feed.position, isMissing: false }
    const from = isBeyondKept(context, after) ? undefined : await findPosition(context.db.sql, accountId, after)
    if (!from || (await isFarBehind(context.db.sql, accountId, from, mostReplayed))) {
      return { from: feed.position, isMissing: true }
    }
    return { from, isMissing: false }
  }

  /** Gives a stream what it missed. What is not final yet, or was committed meanwhile, it hears with the others. */
  async function catchUp(feed: AccountFeed, stream: EventStream): Promise<void> {
    let isThere = false
    while (!isThere && !stream.isEnded) {
      // The feed gives no more what it gave before this stream came.
      const { sql } = context.db
      const { position: given, accountId } = feed
      const { events } = await listEventsAfter(sql, accountId, stream.position, eventsPerRead, undefined, { given })
      await stream.catchUp(events.map(eventFrame))
      isThere = events.length < eventsPerRead
    }
    stream.beginLive()
    feed.wake()
  }

  return {
    count: () => [...ready.values()].reduce((sum, { feed }) => sum + feed.streams.size, 0),
    countOf: (accountId) => ready.get(accountId)?.feed.streams.size ?? 0,

    async open(request, reply, after) {
      const { actor } = request
      const { accountId } = actor
      if (isClosing) throw new AppError('SERVICE_UNAVAILABLE', { why: 'it is stopping' }, { retryAfterSeconds: 2 })
      opening.set(accountId, (opening.get(accountId) ?? 0) + 1)
      let listened: Listened
      try {
        listened = await listenedOf(accountId)
        refuseTooMany(listened.feed, actor, mostPerAccount)
        const { from, isMissing } = await findStart(accountId, listened.feed, after)
        refuseTooMany(listened.feed, actor, mostPerAccount)
        const response = beginAnswer(reply)
        // Who is gone already, or finds the service stopping, has nothing to wait for.
        if (response.destroyed || isClosing) {
          response.destroy()
          return
        }
        const stream = new EventStream(actor, response, from)
        listened.feed.streams.add(stream)
        response.once('close', () => leave(listened, stream))
        stream.greet()
        if (isMissing) stream.reset(from)
        // Not awaited: the answer has started, and from here on it ends by itself.
        catchUp(listened.feed, stream).catch((error: unknown) => {
          context.log.warn({ err: error, account_id: accountId }, 'a stream of events is cut off: it cannot catch up')
          stream.cut()
        })
      } finally {
        opening.set(accountId, (opening.get(accountId) ?? 1) - 1)
        if (opening.get(accountId) === 0) opening.delete(accountId)
        const left = ready.get(accountId)
        if (left && left.feed.streams.size === 0 && !opening.has(accountId)) left.stop()
      }
    },
  }
}

function refuseTooMany({ streams }: AccountFeed, actor: Actor, mostPerAccount: number): void {
  const actors = [...streams].map((stream) => stream.actor)
  const own = actors.filter((other) => streamOwner(other) === streamOwner(actor)).length
  const ofPerson = actors.filter(({ userId }) => userId !== undefined && userId === actor.userId).length
  const counts = [
    [own, mostPerCaller],
    [ofPerson, mostPerPerson],
    [streams.size, mostPerAccount],
  ] as const
  const [, limit] = counts.find(([count, most]) => count >= most) ?? []
  if (limit !== undefined) throw new AppError('STREAM_LIMIT_REACHED', { limit }, { retryAfterSeconds: 30 })
}

function streamOwner(actor: Actor): string {
  return actor.sessionId ?? callerId(actor)
}

/** Takes the answer out of the framework's hands: it has no end that could be waited for, and no length. */
function beginAnswer(reply: FastifyReply) {
  reply.headers({
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store, no-transform',
    'X-Accel-Buffering': 'no',
    // Anyone who comes back starts over, so that nothing holds up the end of the service.
    Connection: 'close',
  })
  reply.hijack()
  // Fastify's headers may be undefined by their types; none that is set is.
  reply.raw.writeHead(200, reply.getHeaders() as Record<string, string>)
  reply.raw.flushHeaders()
  return reply.raw
}

/** Ends the streams of those whose key or session opens nothing (any more). */
async function endUnentitled(context: Context, { accountId, streams }: AccountFeed): Promise<void> {
  const actors = [...streams].map((stream) => stream.actor)
  const keyIds = [...new Set(actors.flatMap(({ apiKeyId }) => apiKeyId ?? []))]
  const sessionIds = [...new Set(actors.flatMap(({ sessionId }) => sessionId ?? []))]
  const now = context.clock.now()
  const [keys, sessions] = await Promise.all([
    keyIds.length === 0 ? new Set<ApiKeyId>() : findGoodKeys(context.db.sql, accountId, keyIds, now),
    sessionIds.length === 0 ? [] : findSessions(context.db.sql, accountId, sessionIds),
  ])
  const alive = sessions.filter((session) => isAlive(session, now))
  const entitled = new Set<string>([...keys, ...alive.map(({ id }) => id)])
  for (const stream of streams) {
    if (!entitled.has(stream.actor.apiKeyId ?? stream.actor.sessionId ?? '')) stream.end()
  }
  const recordedBefore = new Date(now.getTime() - recordUseEveryMs)
  for (const session of alive) {
    if (session.last_seen_at <= recordedBefore) await recordSessionUse(context.db.sql, session, now, recordedBefore)
  }
}
