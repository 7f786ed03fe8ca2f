import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** What becomes of a command that the service sends through the relay. */
export type CommandFate = 'passed' | 'held' | 'passed_and_cut' | 'passed_and_mute'

/** The network between a hub and its service, as good or bad as a test wants it. Reads only what the service says. */
export interface TestRelay {
  /** Where the hub finds its service. */
  url: string
  /** From here on the next command of this kind fares so; resolves when it came by. */
  next(kind: string, fate: CommandFate): Promise<void>
  /** Lets through what is held, late. */
  release(): void
  /** Ends all connections without a word; resolves when the service let the hub in again, and so has missed the old one. */
  cut(): Promise<void>
  close(): Promise<void>
}

interface Line {
  hub: Socket
  service: Socket
  held: Buffer[] | undefined
  isMute: boolean
}

/** A relay to the service at this port, also after the service was started again. */
export async function startTestRelay(servicePort: number): Promise<TestRelay> {
  const lines = new Set<Line>()
  let letIn: (() => void) | undefined
  let awaited: { mark: string; fate: CommandFate; seen: () => void } | undefined

  const server = createServer((hub) => {
    const line: Line = { hub, service: connect(servicePort, '127.0.0.1'), held: undefined, isMute: false }
    lines.add(line)
    const end = () => {
      lines.delete(line)
      hub.destroy()
      line.service.destroy()
    }
    for (const socket of [hub, line.service]) socket.on('error', end).on('close', end)
    hub.on('data', (bytes: Buffer) => {
      if (!line.isMute) line.service.write(bytes)
    })
    line.service.on('data', (bytes: Buffer) => toHub(line, bytes))
  })

  // A service does not mask what it says, so that a command can be recognised in the bytes.
  function toHub(line: Line, bytes: Buffer): void {
    if (bytes.includes('HTTP/1.1 101 ')) letIn?.()
    if (line.held) {
      line.held.push(bytes)
      return
    }
    if (!awaited || !bytes.includes(awaited.mark)) {
      line.hub.write(bytes)
      return
    }
    const { fate, seen } = awaited
    awaited = undefined
    if (fate === 'held') line.held = [bytes]
    else if (fate === 'passed_and_cut') {
      line.isMute = true
      line.hub.end(bytes, () => line.service.destroy())
    } else {
      line.isMute = fate === 'passed_and_mute'
      line.hub.write(bytes)
    }
    seen()
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const endAll = () => {
    for (const { hub, service } of lines) {
      hub.destroy()
      service.destroy()
    }
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    next: (kind, fate) =>
      new Promise((seen) => {
        awaited = { mark: `"kind":"${kind}"`, fate, seen }
      }),
    release() {
      for (const line of lines) {
        for (const bytes of line.held ?? []) line.hub.write(bytes)
        line.held = undefined
      }
    },
    cut() {
      endAll()
      return new Promise((resolve) => {
        letIn = resolve
      })
    },
    async close() {
      endAll()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
