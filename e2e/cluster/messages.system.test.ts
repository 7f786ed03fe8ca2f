import { setTimeout as wait } from 'node:timers/promises'
import { unknownPrinterState } from '@printyard/protocol/unknown-printer-state'
import { Cluster } from '@printyard/server/cluster/cluster'
import type { QuestionListener } from '@printyard/server/cluster/questions'
import { answerPeers } from '@printyard/server/gateway/peer-questions'
import { systemClock } from '@printyard/server/kernel/clock'
import { newId } from '@printyard/server/kernel/ids'
import { createSecretBox } from '@printyard/server/kernel/secret-box'
import { createLive, type Live } from '@printyard/server/live/live'
import type { PeerQuestion } from '@printyard/server/live/peers'
import { hubConnection } from '@printyard/server/test/farm/hub-connection'
import { isRedisInstalled, startTestRedis, type TestRedis } from '@printyard/server/test/services/test-redis'
import { createClient } from '@redis/client'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { eventually } from '../test/farm-processes.ts'
import { type DeafeningProxy, startDeafeningProxy } from './test/deafening-proxy.ts'

const secrets = createSecretBox('ab'.repeat(32))
const log = { warn: () => undefined, info: () => undefined }
const discover = { kind: 'discover', address: null } satisfies PeerQuestion

interface Member {
  processId: string
  cluster: Cluster
  live: Live
  /** Questions that it was asked. */
  asked: PeerQuestion[]
}

describe.skipIf(!isRedisInstalled())('what processes tell one another', () => {
  let redis: TestRedis
  let client: ReturnType<typeof createClient>
  let installationId: string
  const accountId = newId('account')
  const hubId = newId('hub')

  beforeAll(async () => {
    redis = await startTestRedis()
    client = createClient({ url: redis.url })
    await client.connect()
  }, 60_000)
  afterAll(async () => {
    client?.destroy()
    await redis?.close()
  })
  beforeEach(() => {
    installationId = newId('process')
  })

  const channel = (name: string) => `printyard:${installationId}:${name}`
  const publish = (name: string, message: unknown) => client.publish(channel(name), JSON.stringify(message))

  /** A process as far as it talks to others; it answers what it is asked by `listener`. */
  async function joinAs(redisUrl = redis.url, listener?: QuestionListener): Promise<Member> {
    const processId = newId('process')
    const cluster = new Cluster({
      config: { redisUrl },
      processId,
      installationId,
      secrets,
      clock: systemClock,
      log,
    })
    const live = createLive(undefined, cluster)
    const asked: PeerQuestion[] = []
    cluster.answerBy(async (hub, question) => {
      asked.push(question)
      return listener ? listener(hub, question) : { kind: 'done' }
    })
    await cluster.join({ ...live, db: { onChange: () => () => undefined, reportChangeElsewhere: () => undefined } })
    onTestFinished(() => cluster.close())
    return { processId, cluster, live, asked }
  }

  const ask = (from: Member, to: Member, question: PeerQuestion = discover) =>
    from.cluster.ask({ accountId, hubId, processId: to.processId }, question, 1_000)

  /** Every message to this process, as it stands in Redis. */
  async function record(to: Member): Promise<Record<string, string>[]> {
    const messages: Record<string, string>[] = []
    const listener = client.duplicate()
    await listener.connect()
    onTestFinished(() => listener.destroy())
    await listener.subscribe(channel(`to:${to.processId}`), (text) => messages.push(JSON.parse(text)))
    return messages
  }

  /** What a process tells of one hub with one printer; `more` stands in the hub, the printer and the message as well. */
  function batchOf(processId: string, status: string, more: Record<string, unknown> = {}) {
    const at = new Date().toISOString()
    const printerId = newId('printer')
    const hub = {
      id: hubId,
      epoch: 1,
      connected_at: at,
      last_heartbeat_at: at,
      candidates: [],
      has_lost_journal: false,
      capabilities: [],
      printer_ids: [printerId],
    }
    const state = { ...unknownPrinterState('not reported yet'), status }
    const readiness = { troubledSince: null, recoveredAt: null }
    const printer = { id: printerId, hub_id: hubId, epoch: 1, state, reported_at: at, readiness }
    const batch = {
      process: processId,
      hubs: [{ ...hub, ...more }],
      printers: [{ ...printer, ...more }],
      gone: [],
      ...more,
    }
    return { printerId, batch }
  }

  test('a question is done once, though it is repeated by someone who has heard it', async () => {
    const [one, other] = [await joinAs(), await joinAs()]
    const heard = await record(other)
    expect(await ask(one, other)).toEqual({ kind: 'answered', answer: { kind: 'done' } })
    const [question] = heard
    await publish(`to:${other.processId}`, question)
    // Messages to one process arrive in their order.
    expect(await ask(one, other, { kind: 'configure' })).toMatchObject({ kind: 'answered' })
    expect(other.asked).toEqual([discover, { kind: 'configure' }])
  }, 30_000)

  test('what is not sealed by the secret key as this very message is not done', async () => {
    const [one, other] = [await joinAs(), await joinAs()]
    const heard = await record(other)
    await ask(one, other)
    const content = { account_id: accountId, hub_id: hubId, question: discover }
    const forged = { kind: 'question', id: 'q1', from: one.processId }
    for (const sealed of [
      Buffer.from(JSON.stringify(content)),
      Buffer.from(JSON.stringify({ value: content })),
      createSecretBox('cd'.repeat(32)).seal(content, 'question q1'),
      Buffer.from(heard[0]?.sealed ?? '', 'base64'),
    ]) {
      await publish(`to:${other.processId}`, { ...forged, sealed: sealed.toString('base64') })
    }
    await ask(one, other, { kind: 'configure' })
    expect(other.asked).toEqual([discover, { kind: 'configure' }])
    const sealed = secrets.seal(content, 'question q2').toString('base64')
    await publish(`to:${other.processId}`, { ...forged, id: 'q2', sealed })
    await ask(one, other, { kind: 'configure' })
    expect(other.asked).toHaveLength(4)
  }, 30_000)

  test('an answer that says something else than its process is not taken', async () => {
    const one = await joinAs()
    const other = await joinAs(redis.url, async () => {
      await wait(500)
      return { kind: 'done' }
    })
    const heard = await record(other)
    const answering = ask(one, other)
    await eventually('the question', async () => heard.length, Boolean)
    const sealed = Buffer.from(JSON.stringify({ answer: { kind: 'forged' } })).toString('base64')
    await publish(`to:${one.processId}`, { kind: 'answer', id: heard[0]?.id, from: other.processId, sealed })
    expect(await answering).toEqual({ kind: 'answered', answer: { kind: 'done' } })
  }, 30_000)

  test('a question that only a newer version knows is answered as one that was certainly not done', async () => {
    const one = await joinAs()
    let answer: QuestionListener = async () => undefined
    const older = await joinAs(redis.url, (hub, question) => answer(hub, question))
    older.live.hubs.attach({ ...hubConnection({ accountId, hubId }, new Date()), epoch: 1 })
    answer = answerPeers({ hubs: older.live.hubs } as Parameters<typeof answerPeers>[0])
    expect(await ask(one, older)).toMatchObject({ kind: 'answered' })
    expect(await ask(one, older, { kind: 'of_a_newer_version' } as never)).toEqual({ kind: 'unreachable' })
  }, 30_000)

  test('of what a newer version tells, the fields that are known are taken, and what cannot be read changes nothing', async () => {
    const one = await joinAs()
    const { printerId, batch } = batchOf('newer', 'printing', { of_a_newer_version: { any: 1 } })
    await publish('processes', { process: 'newer', kind: 'beat', of_a_newer_version: true })
    await publish('processes', { process: 'newer', kind: 'of_a_newer_version' })
    await publish(`live:${accountId}`, batch)
    const status = async () => one.live.printers.find(printerId)?.state.status
    await eventually('the printer', status, (now) => now === 'printing')
    await publish(`live:${accountId}`, {
      ...batch,
      printers: [{ ...batch.printers[0], state: { ...batch.printers[0]?.state, status: 'of_a_newer_version' } }],
    })
    await publish(`live:${accountId}`, { ...batch, hubs: [{ ...batch.hubs[0], capabilities: ['seen'] }], printers: [] })
    await eventually(
      'the hub',
      async () => one.live.hubs.find(hubId)?.capabilities?.has('seen'),
      (isSeen) => isSeen === true,
    )
    expect(await status()).toBe('printing')
  }, 30_000)

  test.each([
    { how: 'that told of its hubs and nothing of itself', saysSo: false },
    { how: 'that said that it is there', saysSo: true },
  ])(
    'hubs of a process $how are away ten seconds after it was heard last',
    async ({ saysSo }) => {
      const one = await joinAs()
      const { printerId, batch } = batchOf('vanished', 'printing')
      if (saysSo) await publish('processes', { process: 'vanished', kind: 'beat' })
      await publish(`live:${accountId}`, batch)
      const saidAtMs = performance.now()
      const isKnown = async () => one.live.printers.find(printerId) !== undefined
      await eventually('the printer', isKnown, (now) => now)
      await eventually('it to be away', isKnown, (now) => !now)
      const silentMs = performance.now() - saidAtMs
      expect(one.live.hubs.isOnline(hubId)).toBe(false)
      expect(silentMs).toBeGreaterThan(9_900)
      // Looked for every two seconds.
      expect(silentMs).toBeLessThan(13_500)
    },
    60_000,
  )

  test('hubs of a process that says goodbye are away at once', async () => {
    const one = await joinAs()
    const { printerId, batch } = batchOf('leaving', 'printing')
    await publish(`live:${accountId}`, batch)
    const isKnown = async () => one.live.printers.find(printerId) !== undefined
    await eventually('the printer', isKnown, (now) => now)
    await publish('processes', { process: 'leaving', kind: 'bye' })
    await eventually('it to be away', isKnown, (now) => !now, 2_000)
    expect(one.live.hubs.isOnline(hubId)).toBe(false)
  }, 30_000)

  test('a question to a process that is gone is certainly not asked, and one that it took has an unknown fate, both at once', async () => {
    const one = await joinAs()
    const gone = { accountId, hubId, processId: newId('process') }
    const askedAtMs = performance.now()
    expect(await one.cluster.ask(gone, discover, 20_000)).toEqual({ kind: 'unreachable' })
    const taking = await joinAs(redis.url, () => new Promise(() => undefined))
    const answer = one.cluster.ask({ accountId, hubId, processId: taking.processId }, discover, 20_000)
    await eventually('the question', async () => taking.asked.length, Boolean)
    // Sent first, so that it has arrived: messages of one process arrive in their order.
    await publish('processes', { process: taking.processId, kind: 'bye' })
    expect(await answer).toEqual({ kind: 'silent', isTaken: true })
    expect(performance.now() - askedAtMs).toBeLessThan(5_000)
  }, 30_000)

  test("a process does nothing for a hub that it does not hold, or that is another account's", async () => {
    const one = await joinAs()
    let answer: QuestionListener = async () => undefined
    const holder = await joinAs(redis.url, (hub, question) => answer(hub, question))
    answer = answerPeers({ hubs: holder.live.hubs } as Parameters<typeof answerPeers>[0])
    expect(await ask(one, holder)).toEqual({ kind: 'unreachable' })
    const frames: string[] = []
    const socket = { send: (frame: string) => frames.push(frame), close: () => undefined }
    holder.live.hubs.attach({ ...hubConnection({ accountId: newId('account'), hubId, socket }, new Date()), epoch: 1 })
    expect(await ask(one, holder)).toEqual({ kind: 'unreachable' })
    expect(frames).toEqual([])
    holder.live.hubs.attach({ ...hubConnection({ accountId, hubId, socket }, new Date()), epoch: 2 })
    frames.length = 0
    expect(await ask(one, holder)).toMatchObject({ kind: 'answered' })
    expect(frames.map((frame) => JSON.parse(frame).type)).toEqual(['discover'])
  }, 30_000)

  test('what is told in the channel of another account changes no hub and no printer of this one', async () => {
    const one = await joinAs()
    const { printerId, batch } = batchOf('told', 'printing')
    const lie = {
      ...batch,
      printers: [{ ...batch.printers[0], state: { ...batch.printers[0]?.state, status: 'idle' } }],
    }
    const known = () => [one.live.printers.find(printerId)?.state.status, one.live.hubs.find(hubId)?.accountId]
    await publish(`live:${accountId}`, batch)
    await eventually(
      'the printer',
      async () => known()[0],
      (status) => status === 'printing',
    )
    const other = newId('account')
    await publish(`live:${other}`, { ...lie, hubs: [] })
    await publish(`live:${other}`, { ...batch, hubs: [], printers: [], gone: [{ id: hubId, epoch: 9 }] })
    await publish(`live:${other}`, { ...lie, hubs: [{ ...batch.hubs[0], epoch: 9, printer_ids: [] }] })
    // Messages arrive in their order.
    await publish(`live:${accountId}`, { ...batch, hubs: [{ ...batch.hubs[0], capabilities: ['seen'] }], printers: [] })
    await eventually(
      'the last message',
      async () => one.live.hubs.find(hubId)?.capabilities?.has('seen'),
      (isSeen) => isSeen === true,
    )
    expect(known()).toEqual(['printing', accountId])
  }, 30_000)

  test('a process knows all only when each of the others has told', async () => {
    const other = client.duplicate()
    await other.connect()
    onTestFinished(() => other.destroy())
    await other.subscribe(channel('processes'), () => undefined)
    const one = await joinAs()
    expect(one.cluster).toMatchObject({ isReady: true, isCurrent: false })
    await publish('processes', { process: 'other', kind: 'told', to: one.processId })
    await eventually('it to know', async () => one.cluster.isCurrent, Boolean, 2_000)
  }, 30_000)

  test('a connection that brings no messages any more is noticed, told of and replaced', async () => {
    const proxy: DeafeningProxy = await startDeafeningProxy(Number(new URL(redis.url).port))
    onTestFinished(() => proxy.close())
    const deaf = await joinAs(redis.url.replace(/:\d+$/, `:${proxy.port}`))
    const other = await joinAs()
    proxy.deafen()
    const outage = await eventually('it to notice', async () => deaf.cluster.outage(), Boolean)
    expect(outage?.problem).toBe('does not work over Redis: what their hubs report is not heard, and stays as it was')
    expect(deaf.cluster.isCurrent).toBe(false)
    await eventually(
      'it to hear again',
      async () => deaf.cluster.isCurrent && deaf.cluster.outage() === undefined,
      Boolean,
    )
    expect(await ask(other, deaf)).toMatchObject({ kind: 'answered' })
  }, 90_000)
})
