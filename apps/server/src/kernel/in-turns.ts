import { setImmediate as nextTurn } from 'node:timers/promises'

/** Few enough to be done with within a few ms, whatever it is. */
const mostInATurn = 500

/** The items in parts: between two of them others have their turn in the process. */
export async function* inTurns<Item>(items: readonly Item[], most = mostInATurn): AsyncGenerator<Item[], void> {
  for (let from = 0; from < items.length; from += most) {
    if (from > 0) await nextTurn()
    yield items.slice(from, from + most)
  }
}
