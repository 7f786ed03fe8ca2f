import { open } from 'node:fs/promises'
import { parentPort } from 'node:worker_threads'
import type { HubConfig } from '@printyard/hub/config'
import { createHub, type Hub } from '@printyard/hub/hub'
import type { Timings } from '@printyard/hub/timings'
import { createLineLog } from '@printyard/hub/util/log'
import type { VirtualPrinter } from '@printyard/virtual-printers/virtual-printer'
import { type HandDeed, type HandSight, useHands } from './hand-deeds.ts'

/** What the thread is told. */
export type HubThreadCommand =
  | { command: 'start'; config: HubConfig; timings: Partial<Timings>; waitFactor: number }
  | { command: 'stop' }
  | { command: 'disk_full'; isFull: boolean }
  | { command: 'use_hands'; printerId: string; deed: HandDeed }

/** Each question has an answer with its number. */
export type HubThreadQuestion = { number: number } & HubThreadCommand
export type HubThreadAnswer = { number: number } & ({ sight: HandSight | null } | { failed: string })
/** What the hub logs, as a line. */
export interface HubThreadLine {
  line: string
}

// The thread exists to be ended at any moment, which no hub in the thread of the judge could be.
const port = parentPort
if (!port) throw new Error('this file is the program of a thread')
const log = createLineLog((line) => port.postMessage({ line } satisfies HubThreadLine))
const simulatedPrinters = new Map<string, VirtualPrinter>()
let hub: Hub | undefined
let isDiskFull = false
await letDiskFill()

port.on('message', ({ number, ...command }: HubThreadQuestion) => {
  obey(command).then(
    (sight) => port.postMessage({ number, sight } satisfies HubThreadAnswer),
    (error: unknown) => port.postMessage({ number, failed: String(error) } satisfies HubThreadAnswer),
  )
})

async function obey(command: HubThreadCommand): Promise<HandSight | null> {
  switch (command.command) {
    case 'start': {
      isDiskFull = false
      const { config, timings, waitFactor } = command
      hub = createHub(config, { log, timings, waitFactor, simulatedPrinters })
      await hub.start()
      return null
    }
    case 'stop':
      await hub?.stop()
      hub = undefined
      return null
    case 'disk_full':
      isDiskFull = command.isFull
      return null
    case 'use_hands': {
      const printer = simulatedPrinters.get(command.printerId)
      return printer ? useHands(printer, command.deed) : null
    }
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
