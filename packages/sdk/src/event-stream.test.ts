import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { refused, startScriptedService } from '../test/scripted-service.ts'

/** Sends the pieces and breaks the connection. */
const frames =
  (...pieces: string[]) =>
  (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const piece of pieces) response.write(piece)
    setTimeout(() => response.destroy(), 20)
  }

test('a stream goes on after the last event it has given, over breaks and over a service that is away', async () => {
  const { client, requests } = await startScriptedService([
    frames('retry: 2000\nid: e0\n\n', 'id: e1\nevent: change\ndata: {"id":"e1"', ',"type":"job.queued"}\n\n: keep\n\n'),
    refused(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '0' }),
    frames('event: live\ndata: {"printer_id":"prn_1",\ndata: "progress":4}\n\nid: e2\nevent: reset\ndata: {}\n\n'),
  ])
  const ending = new AbortController()
  const breaks: unknown[] = []
  const seen: unknown[] = []
  for await (const message of client.events.follow({ signal: ending.signal, onBreak: (why) => breaks.push(why) })) {
    seen.push(message)
    if (message.event === 'reset') ending.abort()
  }
  expect(seen).toEqual([
    { event: 'change', id: 'e1', data: { id: 'e1', type: 'job.queued' } },
    { event: 'live', data: { printer_id: 'prn_1', progress: 4 } },
    { event: 'reset', id: 'e2', data: {} },
  ])
  expect(breaks).toHaveLength(2)
  expect(requests.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, 'e1', 'e1'])
})

test('frames end with whatever ends a line, also between two pieces, and a byte order mark is none of them', async () => {
  const { client } = await startScriptedService([
    frames(
      '\uFEFFid: e1\revent: change\rdata: {"id":"e1"}\r\r',
      'id: e2\r',
      '\nevent: change\r\ndata: {"id":"e2"}\r\n\r',
      '\n',
    ),
    frames('id: e3\nevent: reset\ndata: {}\n\n'),
  ])
  const seen: string[] = []
  for await (const message of client.events.follow()) {
    if ('id' in message) seen.push(`${message.event} ${message.id}`)
    if (message.event === 'reset') break
  }
  expect(seen).toEqual(['change e1', 'change e2', 'reset e3'])
})

test('a key that is refused ends the stream', async () => {
  const { client, requests } = await startScriptedService([refused(401, 'TOKEN_REVOKED')])
  await expect(client.events.follow({ after: 'e7' }).next()).rejects.toMatchObject({ code: 'TOKEN_REVOKED' })
  expect(requests.map(({ headers }) => headers['last-event-id'])).toEqual(['e7'])
})
