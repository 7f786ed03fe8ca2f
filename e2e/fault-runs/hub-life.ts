import { Worker } from 'node:worker_threads'
import type { HubConfig } from '@printyard/hub/config'
import type { Timings } from '@printyard/hub/timings'
import type { HandDeed, HandSight } from './hand-deeds.ts'
import type { HubThreadAnswer, HubThreadCommand, HubThreadLine, HubThreadQuestion } from './hub-thread.ts'

/** A real hub in a thread of its own, which can be ended between any two of its steps. */
export interface HubThread {
  start(config: HubConfig, waits?: HubWaits): Promise<void>
  stop(): Promise<void>
  setDiskFull(isFull: boolean): Promise<void>
  /** Does something at one of its simulated printers; null while it has not switched that on, or has ended. */
  use(printerId: string, deed: HandDeed): Promise<HandSight | null>
  /** The newest lines of its log, the oldest of them first. */
  log(): readonly string[]
  /** Ends the thread without running any more of its code. */
  kill(): Promise<void>
}

const mostLines = 500

/** Left out: those of a farm. */
interface HubWaits {
  timings: Partial<Timings>
  waitFactor: number
}

/** Waits of a hub whose prints take a tenth of a second. */
export const stormWaits: HubWaits = {
  timings: {
    telemetryMs: 20,
    firstRetryMs: 5,
    maxRetryMs: 40,
    confirmTimeoutMs: 200,
    effectTimeoutMs: 400,
    readyTimeoutMs: 300,
    retryPauseMs: 10,
    aliveMs: 50,
    shortestPrintMs: 1,
  },
  waitFactor: 0.05,
}

export function startHubThread(): HubThread {
  const worker = new Worker(new URL('./hub-thread.ts', import.meta.url), { execArgv: [] })
  const waiting = new Map<number, { resolve: (sight: HandSight | null) => void; reject: (error: Error) => void }>()
  let count = 0
  let isGone = false
  const lines: string[] = []
  worker.on('message', (answer: HubThreadAnswer | HubThreadLine) => {
    if ('line' in answer) {
      lines.push(answer.line)
      if (lines.length > mostLines) lines.shift()
      return
    }
    const waiter = waiting.get(answer.number)
    waiting.delete(answer.number)
    if ('failed' in answer) waiter?.reject(new Error(answer.failed))
    else waiter?.resolve(answer.sight)
  })
  const end = (error: Error) => {
    isGone = true
    for (const waiter of waiting.values()) waiter.reject(error)
    waiting.clear()
  }
  worker.on('error', (error) => end(error instanceof Error ? error : new Error(String(error))))
  worker.on('exit', () => end(new Error('the thread of the hub has ended')))
  const tell = (command: HubThreadCommand) =>
    new Promise<HandSight | null>((resolve, reject) => {
      if (isGone) return reject(new Error('the thread of the hub has ended'))
      count += 1
      waiting.set(count, { resolve, reject })
      worker.postMessage({ number: count, ...command } satisfies HubThreadQuestion)
    })
  return {
    async start(config, { timings, waitFactor } = { timings: {}, waitFactor: 1 }) {
      await tell({ command: 'start', config, timings, waitFactor })
    },
    async stop() {
      await tell({ command: 'stop' })
    },
    async setDiskFull(isFull) {
      await tell({ command: 'disk_full', isFull })
    },
    async use(printerId, deed) {
      try {
        return await tell({ command: 'use_hands', printerId, deed })
      } catch (error) {
        if (isGone) return null
        throw error
      }
    },
    log: () => lines,
    async kill() {
      await worker.terminate()
    },
  }
}
