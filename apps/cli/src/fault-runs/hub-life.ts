import { Worker } from 'node:worker_threads'
import type { HubConfig } from '@printyard/hub/config'
import type { Timings } from '@printyard/hub/timings'
import type { HubThreadAnswer, HubThreadOrder } from './hub-thread.ts'

/** A real hub in a thread of its own, which can be ended between any two of its steps. */
export interface HubThread {
  start(config: HubConfig): Promise<void>
  stop(): Promise<void>
  setDiskFull(isFull: boolean): Promise<void>
  /** Ends the thread without running any more of its code. */
  kill(): Promise<void>
}

/** Waits of a hub whose prints take a tenth of a second. */
const timings: Partial<Timings> = {
  telemetryMs: 20,
  firstRetryMs: 5,
  maxRetryMs: 40,
  confirmTimeoutMs: 200,
  effectTimeoutMs: 400,
  readyTimeoutMs: 300,
  retryPauseMs: 10,
}

export function startHubThread(): HubThread {
  const worker = new Worker(new URL('./hub-thread.ts', import.meta.url), { execArgv: [] })
  const waiting: { resolve: () => void; reject: (error: Error) => void }[] = []
  let isGone = false
  worker.on('message', (answer: HubThreadAnswer) => {
    const waiter = waiting.shift()
    if ('failed' in answer) waiter?.reject(new Error(answer.failed))
    else waiter?.resolve()
  })
  const end = (error: Error) => {
    isGone = true
    for (const waiter of waiting.splice(0)) waiter.reject(error)
  }
  worker.on('error', (error) => end(error instanceof Error ? error : new Error(String(error))))
  worker.on('exit', () => end(new Error('the thread of the hub has ended')))
  const tell = (order: HubThreadOrder) =>
    new Promise<void>((resolve, reject) => {
      if (isGone) return reject(new Error('the thread of the hub has ended'))
      waiting.push({ resolve, reject })
      worker.postMessage(order)
    })
  return {
    start: (config) => tell({ order: 'start', config, timings }),
    stop: () => tell({ order: 'stop' }),
    setDiskFull: (isFull) => tell({ order: 'disk_full', isFull }),
    async kill() {
      await worker.terminate()
    },
  }
}
