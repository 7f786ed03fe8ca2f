import type { VirtualPrinter } from '../virtual-printer.ts'

/** The order in which Klipper carries out G-code: one after the other, whether the sender is still there or not. */
export interface GcodeTurns {
  /** Resolves when what came earlier is over and no long command runs. */
  take(): Promise<void>
  /** A long G-code runs, such as a wait for a temperature or `G4`, or is over. */
  setLongGcode(isRunning: boolean): void
  /** The file waits for its temperatures by `M190` and `M109`: everything else has to wait while it heats. */
  setHeatingWaits(waits: boolean): void
  /** To be called regularly: lets go those whose turn has come. */
  look(): void
}

export function createGcodeTurns(printer: VirtualPrinter): GcodeTurns {
  const waiting: (() => void)[] = []
  let isLongRunning = false
  let heatingWaits = false
  const isBusy = () => isLongRunning || (heatingWaits && printer.report().activity === 'heating')
  const look = () => {
    if (!isBusy()) for (const go of waiting.splice(0)) go()
  }
  return {
    look,
    async take() {
      if (isBusy() || waiting.length > 0) await new Promise<void>((resolve) => waiting.push(resolve))
    },
    setLongGcode(isRunning) {
      isLongRunning = isRunning
      look()
    },
    setHeatingWaits(waits) {
      heatingWaits = waits
      look()
    },
  }
}
