import type { Capabilities } from '../driver.ts'
import { gatesOf } from './mmu-gates.ts'
import { commandsOf } from './moonraker-commands.ts'
import type { MoonrakerPicture } from './moonraker-picture.ts'

interface MoonrakerCapabilitiesOptions {
  /** See `DriverContext`. */
  waitFactor: number
  getObjectNames(): ReadonlySet<string>
  getPicture(): MoonrakerPicture
  keepsHistory(): boolean
}

/** What a Klipper printer can be asked, by what it has shown so far. */
export class MoonrakerCapabilities implements Capabilities {
  readonly #options: MoonrakerCapabilitiesOptions
  /** The history numbers each run, but a start is not answered with the number. */
  readonly keepsRunIdentity = false
  /** Moonraker answers with an error when Klipper takes too long over its start macro, and reconnects within ten seconds. */
  readonly refusalWatchMs: number
  /** What it tells is the filament that the running file asks for. */
  readonly tellsLoadedFilament = false
  readonly camera = true

  constructor(options: MoonrakerCapabilitiesOptions) {
    this.#options = options
    this.refusalWatchMs = 15_000 * options.waitFactor
  }

  get commands() {
    return commandsOf(this.#options.getObjectNames())
  }

  get remembersLastRun() {
    return this.#options.keepsHistory()
  }

  /** Without a map in the command a changer goes by the map that a person made at the printer. */
  get filamentMap() {
    return gatesOf(this.#options.getPicture().objects.mmu) ? 'optional' : 'none'
  }
}
