import { open } from 'node:fs/promises'
import { parentPort } from 'node:worker_threads'
import type { HubConfig } from '@printyard/hub/config'
import { createHub, type Hub } from '@printyard/hub/hub'
import type { Timings } from '@printyard/hub/timings'

/** What the thread is told; it answers each with `done` or `failed`. */
export type HubThreadOrder =
  | { order: 'start'; config: HubConfig; timings: Partial<Timings> }
  | { order: 'stop' }
  | { order: 'disk_full'; isFull: boolean }

export type HubThreadAnswer = { done: HubThreadOrder['order'] } | { failed: string }

// The thread exists to be ended at any moment, which no hub in the thread of the judge could be.
const port = parentPort
if (!port) throw new Error('this file is the program of a thread')
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }
let hub: Hub | undefined
let isDiskFull = false
await letDiskFill()

port.on('message', (order: HubThreadOrder) => {
  obey(order).then(
    () => port.postMessage({ done: order.order } satisfies HubThreadAnswer),
    (error: unknown) => port.postMessage({ failed: String(error) } satisfies HubThreadAnswer),
  )
})

async function obey(order: HubThreadOrder): Promise<void> {
  switch (order.order) {
    case 'start':
      isDiskFull = false
      hub = createHub(order.config, { log: quiet, timings: order.timings })
      return hub.start()
    case 'stop':
      await hub?.stop()
      hub = undefined
      return
    case 'disk_full':
      isDiskFull = order.isFull
  }
}

/**
 * A full disk without a disk to fill: what goes through file handles, the journal and downloads, is refused by the system's
 * own error. The simulated printers write on another way, as their memory is not the hub's.
 */
async function letDiskFill(): Promise<void> {
  const handle = await open(import.meta.filename)
  const prototype = Object.getPrototypeOf(handle)
  await handle.close()
  for (const name of ['write', 'writeFile', 'writev'] as const) {
    const original = prototype[name]
    prototype[name] = function writeWhileThereIsRoom(...args: unknown[]) {
      if (!isDiskFull) return original.apply(this, args)
      return Promise.reject(Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' }))
    }
  }
}
