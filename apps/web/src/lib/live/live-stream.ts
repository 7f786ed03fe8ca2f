import { createParser } from 'eventsource-parser'
import { backoffMs } from '../backoff.ts'
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

/**
 * One stream of events. Fetch instead of `EventSource`, which hides heartbeats and statuses and forgets the last event
 * when it has to be made again.
 */
export function createLiveStream(parts: LiveStreamParts): LiveStream {
  let lastId: string | undefined
  let running: AbortController | undefined
  let endWait: (() => void) | undefined
  let cutLine: (() => void) | undefined

  async function follow(signal: AbortSignal): Promise<void> {
    for (let failures = 0; !signal.aborted; ) {
      const outcome = await connect(signal)
      if (signal.aborted) return
      if (outcome === 'signed-out') {
        running = undefined
        parts.onConnection('signed-out')
        parts.onSignedOut()
        return
      }
      failures = outcome === 'was-live' ? 0 : failures
      parts.onConnection(parts.isOffline() ? 'offline' : outcome === 'not-ready' ? 'restarting' : 'reconnecting')
      await waitFor(backoffMs(failures, parts.random), signal)
      failures += 1
    }
  }

  async function connect(signal: AbortSignal): Promise<'signed-out' | 'was-live' | 'not-ready' | 'lost'> {
    const line = new AbortController()
    const cut = () => line.abort()
    cutLine = cut
    signal.addEventListener('abort', cut)
    let silence = setTimeout(cut, parts.silenceMs ?? silenceMs)
    let isLive = false
    try {
      const response = await parts.fetch(parts.url, {
        headers: { Accept: 'text/event-stream', ...(lastId !== undefined && { 'Last-Event-ID': lastId }) },
        cache: 'no-store',
        credentials: 'same-origin',
        signal: line.signal,
      })
      if (response.status === 401) return 'signed-out'
      if (!response.ok || !response.body) return response.status === 503 ? 'not-ready' : 'lost'
      isLive = true
      parts.onConnection('live')
      const parser = createParser({
        onId(id) {
          lastId = id
        },
        onEvent(event) {
          const message = readLiveMessage(event)
          if (message) parts.onMessage(message)
        },
      })
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
      for (;;) {
        const { done, value } = await reader.read()
        if (done) return 'was-live'
        clearTimeout(silence)
        silence = setTimeout(cut, parts.silenceMs ?? silenceMs)
        parser.feed(value)
      }
    } catch {
      // Every way a line can break is answered alike, by trying again; only what it had reached matters.
      return isLive ? 'was-live' : 'lost'
    } finally {
      clearTimeout(silence)
      signal.removeEventListener('abort', cut)
      line.abort()
    }
  }

  function waitFor(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', done)
        endWait = undefined
        resolve()
      }
      const timer = setTimeout(done, ms)
      signal.addEventListener('abort', done)
      endWait = done
    })
  }

  return {
    start() {
      if (running) return
      running = new AbortController()
      parts.onConnection('connecting')
      void follow(running.signal)
    },
    pause() {
      running?.abort()
      running = undefined
    },
    hurry: () => endWait?.(),
    renew: () => cutLine?.(),
  }
}
