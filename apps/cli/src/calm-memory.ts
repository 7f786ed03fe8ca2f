import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'

const lookEveryMs = 1_000

/** The part of a second that a process works in which it has better things to do than to save memory. */
const busyFrom = 0.4

/** Seconds without such a one after which it has nothing better to do. */
const calmSeconds = 5

/** Tells when a process has come to rest, or has left it. */
export class Calm {
  #calmSeconds = 0
  #isCalm = false

  /**
   * Takes in how busy the last second was, from 0 to 1.
   *
   * @returns whether it is calm now; undefined when nothing has changed
   */
  look(utilization: number): boolean | undefined {
    this.#calmSeconds = utilization < busyFrom ? this.#calmSeconds + 1 : 0
    const isCalm = this.#calmSeconds >= calmSeconds
    if (isCalm === this.#isCalm) return undefined
    this.#isCalm = isCalm
    return isCalm
  }
}

/**
 * Has a service that has little to do keep its heap small, and one that has much to do spend memory on speed. As V8 is by itself, the heap
 * of a service with 200 printers that print is twice as large as what is in it, and after a load it may stay at four times for
 * hours: V8 gives memory back only while almost nothing is made, which is never so on a farm that prints. Saving all the time
 * would cost a list of printers half of its time again.
 */
export function saveMemoryWhenCalm(): void {
  const calm = new Calm()
  let last = performance.eventLoopUtilization()
  setInterval(() => {
    const now = performance.eventLoopUtilization()
    const saves = calm.look(performance.eventLoopUtilization(now, last).utilization)
    last = now
    // V8 reads it each time that it decides when to collect and how far to grow. Sizes that it implies count at the start alone.
    if (saves !== undefined) setFlagsFromString(saves ? '--optimize-for-size' : '--no-optimize-for-size')
  }, lookEveryMs).unref()
}
