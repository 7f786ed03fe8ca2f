import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

interface Came {
  path: string
  headers: IncomingMessage['headers']
  body: Buffer
  json: () => Record<string, never> & {
    topic: string
    title: string
    message: string
    actions: { label: string; url: string }[]
  }
}

/** A service that takes messages as ntfy does, until the test ends; `answer` answers each, or withholds it. */
export async function openTestNtfy() {
  const came: Came[] = []
  const service = {
    came,
    url: '',
    answer: (_came: Came, response: ServerResponse): void => {
      response.end(JSON.stringify({ id: 'abc', event: 'message' }))
    },
  }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    const one = {
      path: request.url ?? '',
      headers: request.headers,
      body,
      json: () => JSON.parse(body.toString('utf8')),
    }
    came.push(one)
    service.answer(one, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  service.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return service
}
