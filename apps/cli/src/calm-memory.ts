import { constants, type NodeGCPerformanceDetail, PerformanceObserver, performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const lookEveryMs = 1_000

/** The part of a second that a process works in which it has better things to do than to save memory. */
const busyFrom = 0.4

/** So many of them in a row, and not a moment's work as of adding printers, are a load. */
const busySeconds = 2

/** With so many full collections one busy second is a load: the heap would be looked through for nothing again and again. */
const churnFrom = 2

/** A shorter time says little of how busy a process is. */
const shortestLookMs = 200

/** Seconds without a busy one after which a load is over. */
const calmSeconds = 5

/** Tells when a process is under load, and when it has come to rest. At first it rests. */
export class Calm {
  #busySeconds = 0
  #calmSeconds = 0
  #isCalm = true

  /**
   * Takes in how busy the last second was, from 0 to 1, and how often all of the heap was collected in it.
   *
   * @returns whether it is calm now; undefined when nothing has changed
   */
  look(utilization: number, fullCollections: number): boolean | undefined {
    const isBusy = utilization >= busyFrom
    if (!isBusy) this.#busySeconds = 0
    else this.#busySeconds += fullCollections >= churnFrom ? busySeconds : 1
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
 * would cost a list of printers half of its time again, and a start a fifth: it is called when the service is ready. That holds it up
 * for the 30 ms of one collection.
 */
export function saveMemoryWhenCalm(tellV8 = optimizeForSize): void {
  const calm = new Calm()
  let last = performance.eventLoopUtilization()
  let fullCollections = 0
  const observer = new PerformanceObserver((list) => {
    fullCollections += list.getEntries().filter(isFullCollection).length
    const { idle, active } = performance.eventLoopUtilization(last)
    if (fullCollections >= churnFrom && idle + active >= shortestLookMs) look()
  })
  const save = (saves: boolean) => {
    tellV8(saves)
    // Under load there are hundreds of collections a second, and nothing to learn from them.
    if (saves) observer.observe({ entryTypes: ['gc'] })
    else observer.disconnect()
  }
  const timer = setInterval(look, lookEveryMs).unref()
  save(true)
  // How far the heap may grow is only worked out at a collection: without one it grew by what suited the start.
  collectAll()

  function look(): void {
    const now = performance.eventLoopUtilization()
    const saves = calm.look(performance.eventLoopUtilization(now, last).utilization, fullCollections)
    last = now
    fullCollections = 0
    timer.refresh()
    if (saves !== undefined) save(saves)
  }
}

/** True for a collection of all of the heap that V8 found necessary, and not for one that was asked for. */
function isFullCollection(collection: object): boolean {
  const { kind, flags } = (collection as { detail: NodeGCPerformanceDetail }).detail
  return kind === constants.NODE_PERFORMANCE_GC_MAJOR && flags !== constants.NODE_PERFORMANCE_GC_FLAGS_FORCED
}

function collectAll(): void {
  setFlagsFromString('--expose-gc')
  const collect: NodeJS.GCFunction | undefined = runInNewContext('globalThis.gc')
  setFlagsFromString('--no-expose-gc')
  // The service is ready without it.
  collect?.()
}

/** V8 reads it each time that it decides when to collect and how far to grow. Sizes that it implies count at its start alone. */
function optimizeForSize(saves: boolean): void {
  setFlagsFromString(saves ? '--optimize-for-size' : '--no-optimize-for-size')
}
