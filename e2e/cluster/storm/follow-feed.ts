import { setTimeout as wait } from 'node:timers/promises'
import type { ClusterFarm } from './cluster-farm.ts'

/** An event as the public API tells it. */
export interface FeedEvent {
  id: string
  type: string
  subject_id: string
  data: { attempt_id?: string }
}

/** An integration that reads the feed of events as `docs/api/events.md` says: from the last ID that it has seen. */
interface FeedReader {
  /** All that it was told, in order. */
  events: FeedEvent[]
  /** Reads on until it is told that it is over, and then to the end. */
  follow(isOver: () => boolean): Promise<void>
}

const pauseMs = 250
const most = 100
/** The feed holds events back while a transaction that began earlier still runs: it ends when nothing comes for so long. */
const quietMs = 2_000
/** What has not come so long after everything else is not coming. */
const mostRestMs = 60_000

export function readFeed(farm: ClusterFarm): FeedReader {
  const events: FeedEvent[] = []
  let after: string | undefined
  let heardAtMs = performance.now()

  /** Whether there may be more at once. */
  async function readPage(): Promise<boolean> {
    const from = after === undefined ? '' : `&after=${after}`
    const page = await farm.ask<FeedEvent[]>('GET', `/events?limit=${most}${from}`)
    // Who gets no answer asks again from the same place; any other refusal would end an integration.
    if (page?.status !== 200) {
      if (page !== undefined && page.status < 500) throw new Error(`The feed answered ${page.status} to ${after}.`)
      heardAtMs = performance.now()
      return false
    }
    const told = page.data ?? []
    events.push(...told)
    after = page.meta?.last_id ?? after
    if (told.length > 0) heardAtMs = performance.now()
    return told.length === most
  }

  return {
    events,
    async follow(isOver) {
      let overAtMs: number | undefined
      let untilMs = Number.POSITIVE_INFINITY
      while (performance.now() < untilMs) {
        if (isOver()) {
          overAtMs ??= performance.now()
          untilMs = Math.min(heardAtMs + quietMs, overAtMs + mostRestMs)
        }
        if (!(await readPage())) await wait(pauseMs)
      }
    },
  }
}
