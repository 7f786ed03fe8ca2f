import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'

const lookEveryMs = 1_000

/** The part of a second that a process works in which it has better things to do than to save memory. */
const busyFrom = 0.4

/** So many of them in a row, and not a moment's work as of adding printers, are a load. */
const busySeconds = 2

/** Seconds without a busy one after which a load is over. */
const calmSeconds = 5

/** Tells when a process is under load, and when it has come to rest. At first it rests. */
export class Calm {
  #busySeconds = 0
  #calmSeconds = 0
  #isCalm = true

  /**
   * Takes in how busy the last second was, from 0 to 1.
   *
   * @returns whether it is calm now; undefined when nothing has changed
   */
  look(utilization: number): boolean | undefined {
    const isBusy = utilization >= busyFrom
    this.#busySeconds = isBusy ? this.#busySeconds + 1 : 0
    this.#calmSeconds = isBusy ? 0 : this.#calmSeconds + 1
    const isCalm = this.#isCalm ? this.#busySeconds < busySeconds : this.#calmSeconds >= calmSeconds
    if (isCalm === this.#isCalm) return undefined
    this.#isCalm = isCalm
    return isCalm
  }
}

/**
 * Has a service that has little to do keep its heap small, and one that has much to do spend memory on speed. As V8 is by itself, the heap
 * of a service with 200 printers that print is twice as large as what is in it, and after a load it may stay at four times for
 * hours: V8 gives memory back only while almost nothing is made, which is never so on a farm that prints. Saving all the time
 * would cost a list of printers half of its time again, and a start a fifth: it is called when the service is ready.
 */
export function saveMemoryWhenCalm(): void {
  const calm = new Calm()
  let last = performance.eventLoopUtilization()
  save(true)
  setInterval(() => {
    const now = performance.eventLoopUtilization()
    const saves = calm.look(performance.eventLoopUtilization(now, last).utilization)
    last = now
    if (saves !== undefined) save(saves)
  }, lookEveryMs).unref()
}

/** V8 reads it each time that it decides when to collect and how far to grow. Sizes that it implies count at its start alone. */
function save(saves: boolean): void {
  setFlagsFromString(saves ? '--optimize-for-size' : '--no-optimize-for-size')
}
