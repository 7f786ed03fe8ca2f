import type { AccountId, PrinterId } from '../kernel/ids.ts'
import type { LivePrinters } from './printers.ts'

/** State kept of one moment, in °C; null where it is not known. */
interface Temperatures {
  at: Date
  nozzle: number | null
  bed: number | null
  chamber: number | null
  nozzleTarget: number | null
  bedTarget: number | null
}

const stepMs = 10_000
const keptMs = 3_600_000
/** Both ends of the hour. */
const steps = keptMs / stepMs + 1
const fields = ['nozzle', 'bed', 'chamber', 'nozzleTarget', 'bedTarget'] as const
/** Beyond it the printer that reported first is forgotten first: 5 KB each, 50 MB in all. */
const mostPrinters = 10_000
const unknown = -32_768

/** An hour of one printer in a ring: tenths of a degree, and the step that each entry belongs to. */
interface Ring {
  accountId: AccountId
  steps: Uint32Array
  values: Int16Array
  length: number
  next: number
}

/**
 * The temperatures of the last hour, one entry for ten seconds in which something changed. In memory alone: a chart that
 * starts over after a restart misleads no one.
 */
export class TemperatureHistory {
  readonly #rings = new Map<PrinterId, Ring>()
  readonly #capacity: number

  constructor(printers: Pick<LivePrinters, 'onSeen' | 'onForgotten'>, capacity = mostPrinters) {
    this.#capacity = capacity
    printers.onSeen((printerId, before, { accountId, state, reportedAt }) => {
      const now = [
        state.nozzle_temp,
        state.bed_temp,
        state.chamber_temp,
        state.target_nozzle_temp,
        state.target_bed_temp,
      ]
      const was = before && [
        before.nozzle_temp,
        before.bed_temp,
        before.chamber_temp,
        before.target_nozzle_temp,
        before.target_bed_temp,
      ]
      if (was?.every((value, index) => value === now[index])) return
      this.#add(accountId, printerId, reportedAt, now)
    })
    // Without this the line would go on through the time in which nothing was known.
    printers.onForgotten((printerId, { accountId }, at) =>
      this.#add(
        accountId,
        printerId,
        at,
        fields.map(() => null),
      ),
    )
  }

  /** From the first known moment of the last hour to `now`; a value that did not change is told at the ends of its time. */
  read(accountId: AccountId, printerId: PrinterId, now: Date): Temperatures[] {
    const ring = this.#rings.get(printerId)
    if (ring?.accountId !== accountId) return []
    const oldest = now.getTime() - keptMs
    const told: Temperatures[] = []
    let last: Temperatures | undefined
    const step = (sample: Temperatures) => {
      if (last && sample.at.getTime() - last.at.getTime() > stepMs) {
        told.push({ ...last, at: new Date(sample.at.getTime() - stepMs) })
      }
      told.push(sample)
      last = sample
    }
    for (let index = 0; index < ring.length; index += 1) {
      const at = (ring.next - ring.length + index + steps) % steps
      step(sampleOf(ring, at))
    }
    if (last && last.at < now) step({ ...last, at: now })
    // What was so at the edge of the hour is told by the entry before it.
    const first = told.findLastIndex(({ at }) => at.getTime() <= oldest)
    return told
      .slice(Math.max(0, first))
      .map((sample) => (sample.at.getTime() < oldest ? { ...sample, at: new Date(oldest) } : sample))
  }

  #add(accountId: AccountId, printerId: PrinterId, at: Date, values: (number | null)[]): void {
    let ring = this.#rings.get(printerId)
    if (ring?.accountId !== accountId) {
      ring = {
        accountId,
        steps: new Uint32Array(steps),
        values: new Int16Array(steps * fields.length),
        length: 0,
        next: 0,
      }
      this.#rings.delete(printerId)
      this.#rings.set(printerId, ring)
      this.#forgetFirst()
    }
    const step = Math.floor(at.getTime() / stepMs)
    const before = (ring.next - 1 + steps) % steps
    const isSameStep = ring.length > 0 && ring.steps[before] === step
    const place = isSameStep ? before : ring.next
    ring.steps[place] = step
    values.forEach((value, index) => {
      ring.values[place * fields.length + index] = value === null ? unknown : Math.round(value * 10)
    })
    if (isSameStep) return
    ring.next = (ring.next + 1) % steps
    ring.length = Math.min(steps, ring.length + 1)
  }

  #forgetFirst(): void {
    if (this.#rings.size <= this.#capacity) return
    for (const first of this.#rings.keys()) {
      this.#rings.delete(first)
      return
    }
  }
}

function sampleOf(ring: Ring, place: number): Temperatures {
  const value = (index: number) => {
    const tenths = ring.values[place * fields.length + index] ?? unknown
    return tenths === unknown ? null : tenths / 10
  }
  const at = new Date((ring.steps[place] ?? 0) * stepMs)
  return { at, nozzle: value(0), bed: value(1), chamber: value(2), nozzleTarget: value(3), bedTarget: value(4) }
}
