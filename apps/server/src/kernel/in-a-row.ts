/**
 * Works on what arrives within one turn of the event loop in a row, once all of it has arrived. Answers then leave together, so that
 * callers are not woken for each of them alone, and less is done between one and the next.
 *
 * @param work what it throws ends neither the row nor what waits in it: it is thrown on, and the others are worked on in the next turn
 */
export function inARow<T>(work: (each: T) => void): (each: T) => void {
  let arrived: T[] = []

  function workOff(): void {
    const row = arrived
    arrived = []
    let done = 0
    try {
      for (const each of row) {
        done += 1
        work(each)
      }
    } finally {
      for (const each of row.slice(done)) take(each)
    }
  }

  function take(each: T): void {
    if (arrived.push(each) === 1) setImmediate(workOff)
  }
  return take
}
