import { setTimeout as wait } from 'node:timers/promises'
import type { ClusterFarm } from './cluster-farm.ts'

/** A time in which a hub was not shown as online: from the last look that showed it so. */
export interface Away {
  hubId: string
  /** Date and time, ISO 8601. */
  from: string
  ms: number
  /** What the hub logged meanwhile. */
  log: string[]
}

/** Watches the hubs as the public API shows them, and keeps the longest time that one of them was away. */
interface HubWatch {
  longest(): Away | undefined
  /** Watches until it is told that it is over. */
  watch(isOver: () => boolean): Promise<void>
}

const pauseMs = 200

export function watchHubs(farm: ClusterFarm): HubWatch {
  const seenAtMs = new Map<string, number>()
  let longest: Away | undefined

  function look(hubId: string): void {
    const fromMs = seenAtMs.get(hubId) ?? Date.now()
    const ms = Date.now() - fromMs
    if (ms <= (longest?.ms ?? 0)) return
    const from = new Date(fromMs).toISOString()
    const log = farm.hubs.find(({ id }) => id === hubId)?.thread.log() ?? []
    longest = { hubId, from, ms, log: log.filter((line) => timeOf(line) >= from) }
  }

  return {
    longest: () => longest,
    async watch(isOver) {
      for (const { id } of farm.hubs) seenAtMs.set(id, Date.now())
      while (!isOver()) {
        const answer = await farm.ask<{ id: string; is_online: boolean }[]>('GET', '/hubs?limit=100')
        for (const { id, is_online } of answer?.data ?? []) {
          look(id)
          if (is_online) seenAtMs.set(id, Date.now())
        }
        await wait(pauseMs)
      }
    },
  }
}

/** When a line of a hub's log was written. */
const timeOf = (line: string) => String((JSON.parse(line) as { time: unknown }).time)
