import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** The network between a process and its Redis. */
export interface DeafeningProxy {
  port: number
  /** From here on messages of channels do not pass the present connections; everything else does, so that they seem to be well. */
  deafen(): void
  close(): void
}

/** A proxy to a port of this machine that can lose what was subscribed to, as a server that has forgotten it does. */
export async function startDeafeningProxy(target: number): Promise<DeafeningProxy> {
  const sockets = new Set<Socket>()
  const deaf = new WeakSet<Socket>()
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1')
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
      socket.on('close', () => {
        near.destroy()
        far.destroy()
        sockets.delete(socket)
      })
    }
    near.on('data', (bytes: Buffer) => far.write(bytes))
    let pending = Buffer.alloc(0)
    far.on('data', (bytes: Buffer) => {
      pending = Buffer.concat([pending, bytes])
      for (let end = endOfReply(pending, 0); end !== undefined; end = endOfReply(pending, 0)) {
        const reply = pending.subarray(0, end)
        pending = pending.subarray(end)
        // `message` and `pmessage` begin what a channel brings. An answer that came together with it passes.
        if (!deaf.has(far) || !/^[*>]\d+\r\n\$\d+\r\np?message\r\n/.test(reply.toString('latin1'))) near.write(reply)
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    deafen() {
      for (const socket of sockets) deaf.add(socket)
    },
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** Where a reply of Redis that begins at `from` ends; undefined while it is not all there. */
function endOfReply(bytes: Buffer, from: number): number | undefined {
  const lineEnd = bytes.indexOf('\r\n', from)
  if (lineEnd === -1) return undefined
  const [type, rest] = [bytes.toString('latin1', from, from + 1), Number(bytes.toString('latin1', from + 1, lineEnd))]
  if (type === '$') {
    const end = rest === -1 ? lineEnd + 2 : lineEnd + 2 + rest + 2
    return end <= bytes.length ? end : undefined
  }
  if (type !== '*' && type !== '>' && type !== '%') return lineEnd + 2
  let end: number | undefined = lineEnd + 2
  const parts = type === '%' ? rest * 2 : rest
  for (let part = 0; part < parts && end !== undefined; part += 1) end = endOfReply(bytes, end)
  return end
}
