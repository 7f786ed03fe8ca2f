import { STILL_FRESH_MS } from '@printyard/protocol/still'

export interface StillTaker {
  /** A picture that is at most a second old. However many ask at once, the camera is asked by one connection. */
  take(): Promise<Buffer>
  /** Gives up the picture that is being taken, and forgets the last one. */
  reset(): void
}

interface StillTakerOptions {
  /** Asks the camera. Must be over soon after its signal aborts: the next question waits for it. */
  ask(signal: AbortSignal): Promise<Buffer>
  timeoutMs: number
}

/** Stands between those who want to see a printer and its camera, which bears few connections. */
export function createStillTaker({ ask, timeoutMs }: StillTakerOptions): StillTaker {
  let taking: Promise<Buffer> | undefined
  let fresh: Buffer | undefined
  let forgetting: NodeJS.Timeout | undefined
  let giveUp = new AbortController()

  const forget = () => {
    clearTimeout(forgetting)
    fresh = undefined
  }

  const askOnce = async () => {
    const signal = AbortSignal.any([giveUp.signal, AbortSignal.timeout(timeoutMs)])
    const still = await ask(signal)
    signal.throwIfAborted()
    fresh = still
    forgetting = setTimeout(forget, STILL_FRESH_MS).unref()
    return still
  }

  return {
    take() {
      if (fresh) return Promise.resolve(fresh)
      taking ??= askOnce().finally(() => {
        taking = undefined
      })
      return taking
    },
    reset() {
      forget()
      giveUp.abort(new Error('the camera is let go'))
      giveUp = new AbortController()
    },
  }
}
