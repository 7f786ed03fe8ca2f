import { lacksItsJob } from './moonraker-history.ts'
import type { MoonrakerPicture } from './moonraker-picture.ts'

/** The wait of a run for its number in the history, which Moonraker writes a moment after the run begins. */
export class HistoryWait {
  readonly #waitMs: number
  readonly #onOver: () => void
  #timer: NodeJS.Timeout | undefined

  /** `onOver`: called when the number has not come within `waitMs`. */
  constructor(waitMs: number, onOver: () => void) {
    this.#waitMs = waitMs
    this.#onOver = onOver
  }

  /** The picture with what its run has to wait for; starts or ends the wait as the picture demands. */
  follow(picture: MoonrakerPicture): MoonrakerPicture {
    if (picture.history && lacksItsJob(picture)) {
      if (picture.historyWait !== 'none') return picture
      this.#timer = setTimeout(this.#onOver, this.#waitMs)
      return { ...picture, historyWait: 'waiting' }
    }
    this.end()
    return { ...picture, historyWait: 'none' }
  }

  end(): void {
    clearTimeout(this.#timer)
  }
}
