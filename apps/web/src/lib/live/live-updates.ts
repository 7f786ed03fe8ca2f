import type { QueryClient } from '@tanstack/react-query'
import { apiPrefix } from '../api/api-client.ts'
import type { LiveFields, LiveMessage } from './live-message.ts'
import { createRefresher } from './live-refresher.ts'
import { keysTouchedBy, type LiveNote, type LivePatch, type LiveRule, mergeLiveFields } from './live-rules.ts'
import { type Connection, createLiveStream } from './live-stream.ts'

/** A page in the background holds no connection for longer than this: a browser has only six per service. */
const hiddenMs = 20_000

interface LiveUpdatesParts {
  queryClient: QueryClient
  rules: readonly LiveRule[]
  patches: readonly LivePatch[]
  notes: readonly LiveNote[]
  onConnection: (connection: Connection) => void
  onSignedOut: () => void
}

/** Keeps the cache true by the stream of events for as long as it runs. Answers what ends it. */
export function startLiveUpdates({ queryClient, rules, patches, notes, ...told }: LiveUpdatesParts): () => void {
  const refresher = createRefresher(queryClient)
  const patcher = createPatcher(queryClient, patches)
  let wasLive = false
  const stream = createLiveStream({
    url: `${apiPrefix}/events/stream`,
    fetch: (input, init) => fetch(input, init),
    isOffline: () => !navigator.onLine && !isLoopback(location.hostname),
    onMessage: (message: LiveMessage) => {
      for (const note of notes) note(queryClient, message)
      if (message.kind === 'live') patcher.add(message.fields)
      else if (message.kind === 'reset') refresher.refreshAll()
      else refresher.add(keysTouchedBy(rules, message))
    },
    onConnection: (connection) => {
      // Queries that failed while the service was away would otherwise stay failed; live fields are not kept for us.
      if (connection === 'live' && wasLive) refresher.refreshAll()
      wasLive ||= connection === 'live'
      told.onConnection(connection)
    },
    onSignedOut: told.onSignedOut,
  })

  let hiding: ReturnType<typeof setTimeout> | undefined
  const follow = () => {
    clearTimeout(hiding)
    if (document.visibilityState === 'hidden') {
      refresher.hold()
      hiding = setTimeout(stream.pause, hiddenMs)
    } else {
      refresher.resume()
      stream.start()
      stream.hurry()
    }
  }
  document.addEventListener('visibilitychange', follow)
  window.addEventListener('online', stream.hurry)
  // Otherwise a line whose network is gone would count as live until its silence is noticed.
  window.addEventListener('offline', stream.renew)
  stream.start()

  return () => {
    clearTimeout(hiding)
    document.removeEventListener('visibilitychange', follow)
    window.removeEventListener('online', stream.hurry)
    window.removeEventListener('offline', stream.renew)
    stream.pause()
    refresher.stop()
    patcher.stop()
  }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || host.startsWith('127.')
}

function createPatcher(queryClient: QueryClient, patches: readonly LivePatch[]) {
  let waiting = new Map<string, LiveFields>()
  let frame: number | undefined
  return {
    add(fields: LiveFields) {
      mergeLiveFields(waiting, fields)
      frame ??= requestAnimationFrame(() => {
        frame = undefined
        const changed = waiting
        waiting = new Map()
        for (const patch of patches) patch(queryClient, changed)
      })
    },
    stop: () => {
      if (frame !== undefined) cancelAnimationFrame(frame)
    },
  }
}
