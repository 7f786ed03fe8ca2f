import { ApiError } from '@printyard/sdk/errors'
import { EventStream } from '@printyard/sdk/event-stream'
import { Connection as ServiceConnection } from '@printyard/sdk/request'
import { type LiveMessage, readLiveMessage } from './live-message.ts'

/** The service sends a heartbeat each 15 s; silence this long means that the line is dead without saying so. */
const silenceMs = 40_000

/**
 * How the page is connected. `restarting`: the service answers that it is not ready; `offline`: this device has no
 * network; `signed-out`: the session ended, and the stream waits for a new one.
 */
export type Connection = 'connecting' | 'live' | 'reconnecting' | 'restarting' | 'offline' | 'signed-out'

interface LiveStreamParts {
  url: string
  fetch: typeof fetch
  isOffline: () => boolean
  onMessage: (message: LiveMessage) => void
  onConnection: (connection: Connection) => void
  onSignedOut: () => void
  random?: () => number
  silenceMs?: number
}

export interface LiveStream {
  /** Connects, and after a loss again and again, from the last event seen. A second call does nothing. */
  start(): void
  /** Ends the connection and remembers where it was. */
  pause(): void
  /** Tries at once instead of when the wait is over: the network is back, the page is looked at. */
  hurry(): void
  /** Gives up the connection at hand, which may be dead without saying so, and makes a new one: the network is lost. */
  renew(): void
}

/** The stream of the SDK, with the session of the page; told besides is how the page is connected. */
export function createLiveStream(parts: LiveStreamParts): LiveStream {
  const { url: path, random, onMessage, onConnection } = parts
  const service = new ServiceConnection({ baseUrl: '', credential: 'session', fetch: parts.fetch })
  let running: AbortController | undefined
  const stream = new EventStream(service, {
    path,
    silenceMs: parts.silenceMs ?? silenceMs,
    ...(random && { random }),
    // Whatever else a line can be refused for, as by a proxy, it is tried again.
    isFinal: isSignedOut,
    onOpen: () => onConnection('live'),
    onBreak: (reason) => {
      const isNotReady = reason instanceof ApiError && reason.status === 503
      onConnection(parts.isOffline() ? 'offline' : isNotReady ? 'restarting' : 'reconnecting')
    },
  })

  async function follow(signal: AbortSignal): Promise<void> {
    try {
      for await (const { data, ...frame } of stream.frames(signal)) {
        const message = data === undefined ? undefined : readLiveMessage({ ...frame, data })
        if (message) onMessage(message)
      }
    } catch (error) {
      if (!(error instanceof ApiError && isSignedOut(error))) throw error
      running = undefined
      onConnection('signed-out')
      parts.onSignedOut()
    }
  }

  return {
    start() {
      if (running) return
      running = new AbortController()
      onConnection('connecting')
      void follow(running.signal)
    },
    pause() {
      running?.abort()
      running = undefined
    },
    hurry: () => stream.hurry(),
    renew: () => stream.renew(),
  }
}

const isSignedOut = ({ status }: ApiError) => status === 401
