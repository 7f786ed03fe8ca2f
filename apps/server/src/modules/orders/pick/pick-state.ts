/** A line of an order that is due, in units of its SKU. */
interface OpenLine {
  open: number
  picked: number
}

/** What people are to do next for an order: take its units off the shelves, make the parcel, or nothing yet. */
type PickStage = 'pick' | 'pack' | 'none'

/** @param isReady whether units for all that is due of the order lie on the shelves */
export function stageOf(lines: readonly OpenLine[], isReady: boolean): PickStage {
  if (lines.length === 0) return 'none'
  if (lines.every(({ open, picked }) => picked >= open)) return 'pack'
  // What was started is finished, also when something was taken from under it meanwhile.
  return isReady || lines.some(({ picked }) => picked > 0) ? 'pick' : 'none'
}
