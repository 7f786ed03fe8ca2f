import { randomInt } from 'node:crypto'
import type { PrinterState } from '@printyard/protocol/printer-state'
import { wait } from '../../util/clock.ts'
import { DriverError } from '../driver.ts'
import type { PrintToStart } from '../print/filament-map.ts'
import { createUnseenStart } from '../print/unseen-start.ts'
import { mappingFor, refuseMapOfPlainGcode } from './ams-mapping.ts'
import { type BambuRequest, gcodeFileRequest, projectFileRequest } from './bambu-commands.ts'
import { amsTrays, currentTray, externalTrays } from './bambu-filament.ts'
import type { BambuTraits } from './bambu-models.ts'
import { StorageRefusalError } from './bambu-refusal.ts'
import { type BambuPicture, isFree, subtaskIdOf } from './bambu-report.ts'
import { bambuState } from './bambu-state.ts'
import { createStartLock } from './start-lock.ts'

/** A start that was answered and never seen: after so long a full report decides. */
const START_LOCK_MS = 120_000
/** Right after an upload the printer has not closed the file yet, and refuses to print it. */
const FILE_SETTLE_MS = 2_000
/** A large file takes longer. After so long the memory card itself must be what it cannot read. */
const LONGEST_SETTLE_MS = 60_000
const IDS_REMEMBERED = 20
/** The largest number of a run that firmware takes as it is. */
const MAX_SUBTASK_ID = 2 ** 31 - 1

interface BambuStartsDeps {
  waitFactor: number
  getPicture(): BambuPicture
  getTraits(): BambuTraits
  /** Asks the printer once. */
  ask(request: BambuRequest, signal: AbortSignal): Promise<void>
}

/** The starts of one printer: what each says, and that no second one is sent while the first may still take effect. */
export class BambuStarts {
  readonly #deps: BambuStartsDeps
  readonly #lock
  readonly #unseen
  /** The numbers that projects were started with. */
  readonly #givenIds = new Set<string>()
  #uploadedAtMs = Number.NEGATIVE_INFINITY

  constructor(deps: BambuStartsDeps) {
    this.#deps = deps
    this.#lock = createStartLock(START_LOCK_MS * deps.waitFactor)
    this.#unseen = createUnseenStart(START_LOCK_MS * deps.waitFactor)
  }

  /** A file has arrived at the printer just now. */
  recordUpload(): void {
    this.#uploadedAtMs = performance.now()
  }

  /** Looks at what a message made of the picture; the picture says from then on whether the printer shows our numbers. */
  look(picture: BambuPicture, message: unknown): BambuPicture {
    this.#lock.look(picture, message)
    const id = subtaskIdOf(picture)
    return id !== null && this.#givenIds.has(id) ? { ...picture, echoesIds: true } : picture
  }

  /** True when only a full report that was not asked for yet can tell what became of a start. */
  wantsFullReport(): boolean {
    return this.#lock.takesFullReport()
  }

  /** A picture of a start that is not seen yet shows the result of the run before it. */
  withoutStaleResult(state: PrinterState): PrinterState {
    return this.#unseen.withoutStaleResult(state)
  }

  /** Starts a file that lies at the printer, once; resolves with the number that its run is shown under. */
  async start(fileName: string, print: PrintToStart, signal: AbortSignal): Promise<string | null> {
    const { fileName: lockedFor } = this.#lock
    if (lockedFor !== undefined) throw new DriverError('BUSY', `the printer was just told to print ${lockedFor}`)
    this.#assertFree()
    const subtaskId = print.format === 'gcode-3mf' ? String(randomInt(1, MAX_SUBTASK_ID)) : null
    const request = this.#requestFor(fileName, print, subtaskId ?? '')
    if (subtaskId !== null) this.#remember(subtaskId)
    this.#unseen.expect(fileName)
    await this.#startWhenSettled(request, { fileName, subtaskId }, signal)
    return subtaskId
  }

  #requestFor(fileName: string, print: PrintToStart, subtaskId: string): BambuRequest {
    const traits = this.#deps.getTraits()
    const picture = this.#deps.getPicture()
    if (print.format === 'gcode') {
      if (!traits.takesPlainGcode) throw new DriverError('NOT_SUPPORTED', 'the printer prints only .gcode.3mf files')
      refuseMapOfPlainGcode(print)
      return gcodeFileRequest(fileName)
    }
    if (print.format !== 'gcode-3mf') {
      throw new DriverError('NOT_SUPPORTED', `the printer does not print ${print.format}`)
    }
    const mapping = mappingFor(print, {
      trays: amsTrays(picture),
      externals: externalTrays(picture),
      current: currentTray(picture),
    })
    return projectFileRequest(fileName, print, subtaskId, mapping, traits)
  }

  #assertFree(): void {
    const picture = this.#deps.getPicture()
    const { status, status_reason } = bambuState(picture, this.#deps.getTraits())
    if (!isFree(picture) || status === 'maintenance') {
      throw new DriverError('BUSY', status_reason ?? 'the printer is busy with another job')
    }
    if (status === 'error') throw new DriverError('WRONG_STATE', status_reason ?? 'the printer is in error')
  }

  /**
   * Asks for a start, and again as long as it is refused because the file is not closed yet. This one refusal is certain: what
   * could not be opened was not started, so no start is open while another one is sent.
   */
  async #startWhenSettled(
    request: BambuRequest,
    { fileName, subtaskId }: { fileName: string; subtaskId: string | null },
    signal: AbortSignal,
  ): Promise<void> {
    const { ask, waitFactor } = this.#deps
    const settlePauseMs = FILE_SETTLE_MS * waitFactor
    const settledAtMs = this.#uploadedAtMs + LONGEST_SETTLE_MS * waitFactor
    let mayHaveStarted = false
    let pauseMs = this.#uploadedAtMs + settlePauseMs - performance.now()
    // From here on, so that nothing else is started while this one waits.
    this.#lock.close(fileName, subtaskId)
    try {
      for (let isFirst = true; ; isFirst = false) {
        if (pauseMs > 0) await wait(pauseMs, signal)
        // It was seen to run, whatever the answer said.
        if (!isFirst && this.#lock.fileName === undefined) return
        // Another job may have been started at the printer meanwhile.
        this.#assertFree()
        this.#lock.close(fileName, subtaskId)
        mayHaveStarted = true
        try {
          return await ask(request, signal)
        } catch (error) {
          mayHaveStarted = !(error instanceof DriverError) || error.code === 'NO_ANSWER'
          if (!(error instanceof StorageRefusalError) || performance.now() > settledAtMs) throw error
        }
        pauseMs = settlePauseMs
      }
    } finally {
      if (!mayHaveStarted) this.#lock.open()
    }
  }

  #remember(subtaskId: string): void {
    this.#givenIds.add(subtaskId)
    for (const oldest of this.#givenIds) if (this.#givenIds.size > IDS_REMEMBERED) this.#givenIds.delete(oldest)
  }
}
