import { createParser } from 'eventsource-parser'
import type { TestApp } from './test-app.ts'

/** A frame of server-sent events. */
interface SeenFrame {
  id?: string | undefined
  event?: string | undefined
  // Whatever the service said; the tests look at it.
  data?: Record<string, unknown>
}

/** An open stream and what came through it. */
export interface OpenStream {
  status: number
  headers: Headers
  frames: SeenFrame[]
  /** Everything that came, as it came. */
  text(): string
  ids(): string[]
  /** True when the service has ended it. */
  isEnded(): boolean
  close(): void
}

/** Opens a stream over the network; it is closed at the latest when the application is. */
export async function openStream(origin: string, path: string, headers: Record<string, string>): Promise<OpenStream> {
  const leaving = new AbortController()
  const answer = await fetch(`${origin}${path}`, { headers, signal: leaving.signal })
  const frames: SeenFrame[] = []
  let text = ''
  let isEnded = false
  const parser = createParser({
    // A frame that has only an ID is no event, and moves the place to come back to.
    onId: (id) => frames.push({ id }),
    onEvent({ data, ...frame }) {
      if (frame.id !== undefined && frames.at(-1)?.event === undefined) frames.pop()
      frames.push({ ...frame, data: JSON.parse(data) })
    },
  })

  async function read(): Promise<void> {
    const decoder = new TextDecoder()
    for await (const chunk of answer.body ?? []) {
      const piece = decoder.decode(chunk as Uint8Array, { stream: true })
      text += piece
      parser.feed(piece)
    }
  }
  read()
    // A stream that is cut off, by either side, ends by an error; that it has ended is what the tests look at.
    .catch(() => undefined)
    .finally(() => {
      isEnded = true
    })

  return {
    status: answer.status,
    headers: answer.headers,
    frames,
    text: () => text,
    ids: () => frames.flatMap((frame) => (frame.event === 'change' ? (frame.id ?? []) : [])),
    isEnded: () => isEnded,
    close: () => leaving.abort(),
  }
}

/** Answers where an application listens; it begins to when no one asked before. */
export async function originOf({ app }: Pick<TestApp, 'app'>): Promise<string> {
  if (!app.server.listening) await app.listen({ host: '127.0.0.1', port: 0 })
  return app.listeningOrigin
}
