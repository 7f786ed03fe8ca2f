import type { PrinterState } from '@printyard/protocol/printer-state'
import { describeError, type Log } from '../../util/log.ts'
import { type DeviceCommand, DriverError, type PendingEffect } from '../driver.ts'
import { memberOf, numberIn } from '../wire/wire-values.ts'
import type { MoonrakerPicture } from './moonraker-picture.ts'

type Kind = DeviceCommand['kind']

/**
 * Commands that Klipper has taken and not answered. It carries out G-code in order and answers each when it is over; behind a
 * wait for a temperature (`M109`, `M190`), which nothing but an emergency stop ends, that takes minutes.
 */
interface WaitingCommands {
  /**
   * Sends a command once. Resolves with undefined when it was carried out, with the pending effect when it was taken and has to
   * wait; one of a kind that waits already is not sent again. Rejects as `work` does when that is early enough.
   */
  send(kind: Kind, work: () => Promise<void>, signal: AbortSignal): Promise<PendingEffect | undefined>
  /** Answers what waits now, or what Klipper refused after it had waited; for people. */
  noteOf(picture: MoonrakerPicture): string | null
  /** Forgets what this state shows to be done, or can not be done any more. */
  look(state: PrinterState): void
}

interface WaitingCommandsOptions {
  /** See `DriverContext`. */
  waitFactor: number
  getPicture(): MoonrakerPicture
  onChange(): void
  log: Log
}

const effects: Record<Kind, string> = {
  pause: 'pause',
  resume: 'resume',
  stop: 'stop',
  heaters: 'change the heaters',
  light: 'switch the light',
  load_filament: 'load filament',
  unload_filament: 'unload filament',
}

/** Time that an answer is awaited before the command counts as one that has to wait: a macro that parks takes seconds. */
const PATIENCE_MS = 5_000
/** While a heater is on its way, the wait for it is what holds the command up. */
const HEATING_PATIENCE_MS = 1_500
const HEATER = /^(extruder\d*|heater_bed|heater_generic .*)$/
/** Klipper takes a heater for hot about as far below its target. */
const HOT_ENOUGH = 1

export function createWaitingCommands(options: WaitingCommandsOptions): WaitingCommands {
  const { waitFactor, getPicture, onChange, log } = options
  /** With a token of its own, so that a late answer to an earlier one ends no later one. */
  const waiting = new Map<Kind, symbol>()
  let refusal: string | null = null

  const sentence = (kind: Kind, picture: MoonrakerPicture) =>
    `will ${effects[kind]} once ${isHeating(picture) ? 'heated' : 'Klipper is done with what it carries out now'}`

  /** Klipper answers at last. One that broke off before it did may still be carried out. */
  const settle = (kind: Kind, token: symbol, error?: unknown) => {
    if (waiting.get(kind) !== token) return
    if (error instanceof DriverError && error.code === 'NO_ANSWER' && isAboutRun(kind)) return
    waiting.delete(kind)
    if (error !== undefined) {
      refusal = `${kind} was refused: ${describeError(error)}`.slice(0, 500)
      log.warn('a command that waited was refused', { kind, problem: describeError(error) })
    }
    onChange()
  }

  return {
    async send(kind, work, signal) {
      const pending = () => ({ pending: sentence(kind, getPicture()) })
      signal.throwIfAborted()
      if (waiting.has(kind)) return pending()
      refusal = null
      const token = Symbol(kind)
      waiting.set(kind, token)
      let isEarly = true
      const done = work()
      let timer: NodeJS.Timeout | undefined
      const patience = new Promise<'waits'>((resolve) => {
        const patienceMs = isHeating(getPicture()) ? HEATING_PATIENCE_MS : PATIENCE_MS
        timer = setTimeout(resolve, patienceMs * waitFactor, 'waits')
      })
      const aborted = new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      })
      done.then(
        () => settle(kind, token),
        (error: unknown) => (isEarly ? waiting.delete(kind) : settle(kind, token, error)),
      )
      try {
        if ((await Promise.race([done, patience, aborted])) !== 'waits') return undefined
        onChange()
        return pending()
      } finally {
        clearTimeout(timer)
        isEarly = false
      }
    },
    noteOf(picture) {
      const newest = [...waiting.keys()].findLast(isAboutRun)
      return newest === undefined ? refusal : sentence(newest, picture)
    },
    look({ status, run }) {
      if (status === 'offline' || status === 'maintenance') return
      refusal = run === null ? null : refusal
      if (run === null || status === 'paused') waiting.delete('pause')
      if (run === null || status === 'printing') waiting.delete('resume')
      if (run === null) waiting.delete('stop')
    },
  }
}

const isAboutRun = (kind: Kind) => kind === 'pause' || kind === 'resume' || kind === 'stop'

function isHeating({ objects }: MoonrakerPicture): boolean {
  return Object.entries(objects).some(([name, object]) => {
    const target = numberIn(memberOf(object, 'target')) ?? 0
    const actual = numberIn(memberOf(object, 'temperature'))
    return HEATER.test(name) && target > 0 && actual !== null && target - actual > HOT_ENOUGH
  })
}
