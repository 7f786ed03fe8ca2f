import { existsSync } from 'node:fs'
import { createVirtualPrinter } from '@printyard/virtual-printers/create-virtual-printer'
import { devicePath } from './device-log.ts'
import { type HandDeed, type HandSight, useHands } from './hand-deeds.ts'
import type { HubThread } from './hub-life.ts'

/** Hands at the simulated printers of one hub, which live in its thread while it runs and in their files while it does not. */
export interface Hands {
  /** Null when the machine is not to be reached: it was never made, or its hub only just begins with it. */
  use(printerId: string, deed: HandDeed): Promise<HandSight | null>
  /** Starts or ends the hub: no one has the files open meanwhile. */
  whileNobodyActs<T>(work: () => Promise<T>): Promise<T>
}

interface HandsOptions {
  hubDir: string
  model: string
  /** Whether a machine shows its last run after it was without power. */
  remembersLastRun(printerId: string): boolean
  /** The thread that owns the machines now; undefined while the hub is down. */
  findHub(): HubThread | undefined
}

/** Two owners of one machine would each write its file: deeds, starts and ends follow one another. */
export function createHands({ hubDir, model, remembersLastRun, findHub }: HandsOptions): Hands {
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work)
    last = done.catch(() => undefined)
    return done
  }

  const useFile = async (printerId: string, deed: HandDeed): Promise<HandSight | null> => {
    const stateFile = devicePath(hubDir, printerId)
    if (!existsSync(stateFile)) return null
    const printer = createVirtualPrinter({
      id: printerId,
      model,
      stateFile,
      remembersLastRun: remembersLastRun(printerId),
    })
    await printer.powerOn()
    const sight = useHands(printer, deed)
    await printer.powerOff()
    return sight
  }

  return {
    use: (printerId, deed) =>
      inTurn(async () => {
        const hub = findHub()
        return hub ? hub.use(printerId, deed) : useFile(printerId, deed)
      }),
    whileNobodyActs: inTurn,
  }
}
