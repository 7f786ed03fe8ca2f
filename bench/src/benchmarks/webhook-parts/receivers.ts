import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Receivers of webhooks, all in this process: healthy ones, one that answers late, and one whose port is closed. */
const [count = '50', lateMs = '5000'] = process.argv.slice(2)

let delaysMs: number[] = []

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

const healthy = () =>
  createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const now = Date.now()
    response.end()
    const { timestamp } = JSON.parse(Buffer.concat(chunks).toString()) as { timestamp: string }
    delaysMs.push(now - Date.parse(timestamp))
  })
const late = () =>
  createServer((request, response) => {
    request.resume()
    setTimeout(() => response.end(), Number(lateMs))
  })

const closed = createServer()
const closedPort = await listen(closed)
closed.close()
const ports = [closedPort, await listen(late())]
while (ports.length < Number(count)) ports.push(await listen(healthy()))

/** Answers how long each message took to healthy receivers since the last question, in ms. */
const control = createServer((_request, response) => {
  response.end(JSON.stringify(delaysMs))
  delaysMs = []
})
process.stdout.write(`receivers ${JSON.stringify({ ports, control: await listen(control) })}\n`)
