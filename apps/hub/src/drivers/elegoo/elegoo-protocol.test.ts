import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { findProtocol } from './elegoo-protocol.ts'

const base = new URL('http://127.0.0.1/')
const soon = () => AbortSignal.timeout(20_000)

describe('the protocol of a printer', () => {
  let server: Server | undefined

  afterEach(async () => {
    const running = server
    server = undefined
    if (running) await new Promise((resolve) => running.close(resolve))
  })

  async function listen(created: Server): Promise<number> {
    server = created
    await new Promise<void>((resolve) => created.listen(0, '127.0.0.1', resolve))
    return (created.address() as AddressInfo).port
  }

  test.each([
    [{ protocol: 'mqtt', port: 3030 }, 'mqtt'],
    [{ protocol: 'sdcp' }, 'sdcp'],
    [{ port: 3030 }, 'sdcp'],
    [{ port: 1883 }, 'mqtt'],
  ])('%j is known without asking', async (connection, protocol) => {
    expect(await findProtocol(base, connection, soon())).toBe(protocol)
  })

  test('is SDCP where something speaks HTTP', async () => {
    const port = await listen(createHttpServer((_request, response) => response.writeHead(404).end()))
    expect(await findProtocol(base, { port }, soon())).toBe('sdcp')
  })

  test('is MQTT where something hangs up on HTTP', async () => {
    const port = await listen(createServer((socket) => socket.on('data', () => socket.destroy())))
    expect(await findProtocol(base, { port }, soon())).toBe('mqtt')
  })

  test('is not guessed where nothing listens', async () => {
    const port = await listen(createServer())
    await new Promise((resolve) => server?.close(resolve))
    server = undefined
    await expect(findProtocol(base, { port }, soon())).rejects.toMatchObject({ code: 'UNREACHABLE' })
  })

  test('is not asked for once the hub stops', async () => {
    const stopped = AbortSignal.abort(new Error('the driver stops'))
    await expect(findProtocol(base, { port: 9 }, stopped)).rejects.toThrow('the driver stops')
  })
})
