import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { apiPrefix } from '../api/api-client.ts'
import type { LiveFields, LiveMessage } from './live-message.ts'
import {
  keysTouchedBy,
  type LiveNote,
  type LivePatch,
  type LiveRule,
  mergeLiveFields,
  withoutRepetition,
} from './live-rules.ts'
import { type Connection, createLiveStream } from './live-stream.ts'

/** Events come in bursts (a bulk of jobs): what they touch is read once, this much later. */
const gatherMs = 150

/** A page in the background holds no connection for longer than this: a browser has only six per service. */
const hiddenMs = 20_000

export interface LiveUpdatesParts {
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
      hiding = setTimeout(stream.pause, hiddenMs)
    } else {
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

function createRefresher(queryClient: QueryClient) {
  let waiting: QueryKey[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  const run = () => {
    timer = undefined
    const keys = withoutRepetition(waiting)
    waiting = []
    for (const queryKey of keys) void queryClient.invalidateQueries({ queryKey })
  }
  return {
    add(keys: readonly QueryKey[]) {
      waiting.push(...keys)
      if (waiting.length > 0) timer ??= setTimeout(run, gatherMs)
    },
    refreshAll() {
      waiting = []
      void queryClient.invalidateQueries()
    },
    stop: () => clearTimeout(timer),
  }
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
