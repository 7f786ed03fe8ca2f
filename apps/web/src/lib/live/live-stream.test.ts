import { afterEach, expect, test } from 'vitest'
import type { LiveMessage } from './live-message.ts'
import { createLiveStream, type LiveStream } from './live-stream.ts'

const open: LiveStream[] = []
afterEach(() => {
  for (const stream of open.splice(0)) stream.pause()
})

/** A stream whose service answers so, one after another; afterwards it stays silent. */
function follow(answers: (() => Response | Error)[], silenceMs = 60_000) {
  const asked: (string | null)[] = []
  const messages: LiveMessage[] = []
  const connections: string[] = []
  let signedOut = 0
  const stream = createLiveStream({
    url: '/stream',
    isOffline: () => false,
    random: () => 0,
    silenceMs,
    onMessage: (message) => messages.push(message),
    onConnection: (connection) => {
      connections.push(connection)
      // Waits of the product are long: the test goes on at once.
      if (connection === 'reconnecting' || connection === 'restarting') setTimeout(() => stream.hurry())
    },
    onSignedOut: () => {
      signedOut += 1
    },
    fetch: async (_url, init) => {
      asked.push(new Headers(init?.headers).get('last-event-id'))
      const answer = answers.shift()?.() ?? silentStream(init?.signal)
      if (answer instanceof Error) throw answer
      return answer
    },
  })
  open.push(stream)
  stream.start()
  return { stream, asked, messages, connections, signedOut: () => signedOut }
}

function silentStream(signal: AbortSignal | null | undefined): Response {
  const body = new ReadableStream({
    start: (controller) => signal?.addEventListener('abort', () => controller.error(new Error('cut'))),
  })
  return new Response(body)
}

function streamOf(pieces: string[]): ReadableStream {
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece))
      controller.close()
    },
  })
}

const event = (id: string) => `id: ${id}\nevent: change\ndata: {"id":"${id}","type":"job.queued"}\n\n`
const until = async (isSo: () => boolean) => {
  for (let tries = 0; tries < 2000 && !isSo(); tries += 1) await new Promise((resolve) => setTimeout(resolve, 5))
  expect(isSo()).toBe(true)
}

test('after a loss the stream goes on from the last event seen', async () => {
  const { asked, messages, connections } = follow([
    () => new Response(event('evt_1') + event('evt_2')),
    () => new TypeError('network'),
    () => new Response(event('evt_3')),
  ])
  await until(() => asked.length === 4)
  expect(asked).toEqual([null, 'evt_2', 'evt_2', 'evt_3'])
  expect(messages.map((message) => message.kind === 'change' && message.event.id)).toEqual(['evt_1', 'evt_2', 'evt_3'])
  await until(() => connections.at(-1) === 'live')
})

test('events are the same wherever the network cuts the stream, and a heartbeat is none', async () => {
  const whole = `: \n\n${event('evt_1')}id: evt_2\r\nevent: change\r\ndata: {"id":\r\ndata: "evt_2","type":"job.queued"}\r\n\r\n`
  const cuts = Array.from({ length: whole.length }, (_, cut) => [whole.slice(0, cut), whole.slice(cut)])
  const { asked, messages } = follow(cuts.map((pieces) => () => new Response(streamOf(pieces))))
  await until(() => asked.length === cuts.length + 1)
  expect(messages.map((message) => message.kind === 'change' && message.event.id)).toEqual(
    cuts.flatMap(() => ['evt_1', 'evt_2']),
  )
})

test('a service that is not ready is told apart from a line that is lost', async () => {
  const { asked, connections } = follow([() => new Response('{}', { status: 503 }), () => new TypeError('network')])
  await until(() => asked.length === 3)
  expect(connections.slice(0, 3)).toEqual(['connecting', 'restarting', 'reconnecting'])
})

test('a line that falls silent is given up and made again', async () => {
  const { asked } = follow([], 20)
  await until(() => asked.length >= 2)
})

test('when the network is lost the line is given up at once, though nothing has ended it', async () => {
  const { stream, asked, connections } = follow([])
  await until(() => connections.at(-1) === 'live')
  stream.renew()
  await until(() => asked.length === 2)
  expect(connections.slice(0, 3)).toEqual(['connecting', 'live', 'reconnecting'])
})

test('when the session is over the stream stops asking', async () => {
  const { asked, connections, signedOut } = follow([() => new Response('{}', { status: 401 })])
  await until(() => signedOut() === 1)
  expect([asked.length, connections.at(-1)]).toEqual([1, 'signed-out'])
})
