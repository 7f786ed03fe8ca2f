import type { PrinterState } from '@printyard/protocol/printer-state'
import { createUnseenStart } from '../print/unseen-start.ts'
import { type CrealityFields, crealityState, follow, freshMemory, isWhole, mergeFields } from './creality-state.ts'
import { StoredNames } from './stored-names.ts'

/** Longer than a printer takes to show a run that it was asked for. */
const START_UNSEEN_MS = 120_000

/** What the printer has reported on the present connection, else on the last one. */
export class CrealityReports {
  readonly #names = new StoredNames()
  readonly #unseen
  #fields: CrealityFields = {}
  #memory = freshMemory

  constructor(waitFactor: number) {
    this.#unseen = createUnseenStart(START_UNSEEN_MS * waitFactor)
  }

  get fields(): CrealityFields {
    return this.#fields
  }

  /** Until the printer has said what it is doing there is no state to show. */
  get hasState(): boolean {
    return this.#fields.state !== undefined
  }

  get state(): PrinterState {
    const state = crealityState(this.#fields, this.#memory, (stored) => this.#names.nameOf(stored))
    return this.#unseen.withoutStaleResult(state)
  }

  /** A new connection is made: what was true before says nothing about it. */
  clear(): void {
    this.#fields = {}
    // Only what a person has acknowledged holds for longer than a connection.
    this.#memory = { ...freshMemory, acknowledged: this.#memory.acknowledged }
  }

  merge(frame: unknown): void {
    this.#fields = mergeFields(this.#fields, frame)
    if (this.hasState && isWhole(this.#fields)) this.#memory = follow(this.#memory, this.#fields)
  }

  /** A print of this file is about to be asked for. */
  expectRun(fileName: string): void {
    this.#names.remember(fileName)
    this.#unseen.expect(fileName)
  }

  /** A person has seen the fault that is shown now. */
  acknowledgeFault(): void {
    this.#memory = { ...this.#memory, acknowledged: this.#memory.fault }
  }
}
