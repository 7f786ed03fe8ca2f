import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'

/** A message as a receiver has read it. */
interface Received {
  id: string
  type: string
  subjectId: string
  headers: Record<string, string>
  body: string
  atMs: number
}

export interface TestReceiver {
  url: string
  /** Everything that came, in its order, also what was refused. */
  received: Received[]
  /** Messages that are being answered now, and the most that ever were. */
  underWay: number
  mostUnderWay: number
  /** How to answer; 200 unless a test says otherwise. */
  answer: (message: Received, response: ServerResponse) => void
  /** IDs of what came of one subject, each once, in the order of their first arrival. */
  idsOf(subjectId: string): string[]
  close(): Promise<void>
}

/** What receives events of webhooks on this machine. */
export async function openTestReceiver(port = 0): Promise<TestReceiver> {
  const server = createServer(async (request, response) => {
    receiver.underWay += 1
    receiver.mostUnderWay = Math.max(receiver.mostUnderWay, receiver.underWay)
    response.once('close', () => {
      receiver.underWay -= 1
    })
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString('utf8')
    const { type, data } = JSON.parse(body) as { type: string; data: { subject_id: string } }
    // Node joins all of these into one text.
    const headers = request.headers as Record<string, string>
    const message = {
      id: headers['webhook-id'] ?? '',
      type,
      subjectId: data.subject_id,
      headers,
      body,
      atMs: performance.now(),
    }
    receiver.received.push(message)
    receiver.answer(message, response)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const receiver: TestReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received: [],
    underWay: 0,
    mostUnderWay: 0,
    answer: (_message, response) => response.end('ok'),
    idsOf: (subjectId) => [
      ...new Set(receiver.received.filter((each) => each.subjectId === subjectId).map(({ id }) => id)),
    ],
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return receiver
}

/** Answers with a status. */
export const answering =
  (status: number, headers: Record<string, string> = {}): TestReceiver['answer'] =>
  (_message, response) =>
    response.writeHead(status, headers).end(`status ${status}`)

/** True when a message was signed by a secret, now. */
export function isSignedBy({ headers, body }: Pick<Received, 'headers' | 'body'>, secret: string): boolean {
  try {
    new Webhook(secret).verify(body, headers)
    return true
  } catch {
    return false
  }
}
