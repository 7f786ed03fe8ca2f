import type { Query, QueryClient, QueryKey } from '@tanstack/react-query'

/** Events come in bursts (a bulk of jobs): what they touch is read once, this much later. */
const gatherMs = 150

/** While events go on and on, what they touch is read this often: a busy farm has ten and more of them a second. */
const restMs = 1_000

/** What takes long to be read (a queue of which forty pages are shown) begins again after this many times as long, … */
const restShare = 2

/** … but is never older than this and one read. */
const mostRestMs = 5_000

interface LiveRefresher {
  /** What was touched is read soon, if it is shown; else when it is shown again. */
  add(keys: readonly QueryKey[]): void
  /** Reads everything that is shown: what was missed is not known. */
  refreshAll(): void
  /** No one looks at the page: what is touched meanwhile waits for `resume`. */
  hold(): void
  resume(): void
  stop(): void
}

/**
 * Reads again what events touch: at most once a second each, and never while a read is under way, which would be given up
 * for a new one again and again where the service is slower than its events.
 */
export function createRefresher(queryClient: QueryClient): LiveRefresher {
  const cache = queryClient.getQueryCache()
  const waiting = new Map<string, QueryKey>()
  const late = new Set<Query>()
  const restsUntil = new WeakMap<Query, number>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let isHeld = false

  function mayBeRead(query: Query, nowMs: number): boolean {
    return query.state.fetchStatus !== 'fetching' && nowMs >= (restsUntil.get(query) ?? 0)
  }

  function read(query: Query, nowMs: number): void {
    restsUntil.set(query, nowMs + restMs)
    void queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true }).then(() => {
      const tookMs = Date.now() - nowMs
      restsUntil.set(query, nowMs + Math.max(restMs, Math.min(restShare * tookMs, mostRestMs)))
    })
  }

  function run(): void {
    timer = undefined
    if (isHeld) return
    const nowMs = Date.now()
    const touched = new Set([...late].filter((query) => cache.get(query.queryHash) === query))
    for (const queryKey of waiting.values()) for (const query of cache.findAll({ queryKey })) touched.add(query)
    waiting.clear()
    late.clear()
    for (const query of touched) {
      if (!query.isActive()) query.invalidate()
      else if (mayBeRead(query, nowMs)) read(query, nowMs)
      else late.add(query)
    }
    schedule()
  }

  function schedule(): void {
    if (waiting.size + late.size > 0 && !isHeld) timer ??= setTimeout(run, gatherMs)
  }

  return {
    add(keys) {
      for (const key of keys) waiting.set(JSON.stringify(key), key)
      schedule()
    },
    refreshAll() {
      waiting.clear()
      late.clear()
      void queryClient.invalidateQueries()
    },
    hold() {
      isHeld = true
    },
    resume() {
      isHeld = false
      schedule()
    },
    stop() {
      clearTimeout(timer)
      timer = undefined
      isHeld = true
    },
  }
}
