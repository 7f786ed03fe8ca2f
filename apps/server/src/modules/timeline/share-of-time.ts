/**
 * Parts of a time in whole units (minutes, seconds) whose sum is the whole time in that unit, rounded: each part is
 * rounded down, and the units that are then missing go to the parts that lost most. `partsMs` are whole milliseconds ≥ 0.
 */
export function shareOut(partsMs: readonly number[], unitMs: number): number[] {
  const wholeMs = partsMs.reduce((sum, part) => sum + part, 0)
  const shares = partsMs.map((part) => Math.floor(part / unitMs))
  let missing = Math.round(wholeMs / unitMs) - shares.reduce((sum, share) => sum + share, 0)
  const byLoss = partsMs.map((part, index) => ({ index, loss: part % unitMs })).sort((a, b) => b.loss - a.loss)
  for (const { index } of byLoss) {
    if (missing <= 0) break
    shares[index] = (shares[index] ?? 0) + 1
    missing -= 1
  }
  return shares
}
