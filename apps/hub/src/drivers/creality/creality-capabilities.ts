import type { PrinterSettings } from '@printyard/protocol/messages'
import type { Capabilities } from '../driver.ts'
import { commandsOf } from './creality-commands.ts'
import { isOfK2 } from './creality-models.ts'
import type { CrealityReports } from './creality-reports.ts'
import { hasMaterialBox, slotsOf } from './material-boxes.ts'

/** What a printer of the K series can be asked, by its connection and by what it has reported. */
export class CrealityCapabilities implements Capabilities {
  readonly #reports: CrealityReports
  readonly commands
  readonly keepsRunIdentity = false
  /**
   * It shows the file that it printed last until it is switched off. That it also keeps a list of prints (`reqHistory`) is
   * known, but not whether what a power cut ended is in it.
   */
  readonly remembersLastRun = false
  /** Its status is pushed every few seconds, and a start through its web server may outlast its own answer. */
  readonly refusalWatchMs: number
  /** What it tells is the spool in the chosen place. */
  readonly tellsLoadedFilament = false

  constructor(connection: PrinterSettings['connection'], reports: CrealityReports, waitFactor: number) {
    this.#reports = reports
    this.commands = commandsOf(connection)
    this.refusalWatchMs = 15_000 * waitFactor
  }

  get filamentMap() {
    const { boxsInfo } = this.#reports.fields
    if (hasMaterialBox(boxsInfo)) return 'needed'
    return slotsOf(boxsInfo).length > 0 ? 'optional' : 'none'
  }

  /** The K2 family shows its camera by WebRTC alone. */
  get camera() {
    return !isOfK2(this.#reports.fields)
  }
}
