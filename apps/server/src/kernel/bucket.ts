/** A bucket that fills at a steady rate up to its size. It can be overdrawn: what has come cannot be sent back. */
export function createBucket(size: number, perSecond: number) {
  let level = size
  let filledAtMs: number | undefined
  const fill = (nowMs: number) => {
    const passedMs = Math.max(0, nowMs - (filledAtMs ?? nowMs))
    filledAtMs = nowMs
    level = Math.min(size, level + (passedMs / 1000) * perSecond)
  }
  return {
    has(amount: number, nowMs: number): boolean {
      fill(nowMs)
      return level >= amount
    },
    /** Answers in how many ms the bucket is not empty any more. */
    take(amount: number, nowMs: number): number {
      fill(nowMs)
      level -= amount
      return level >= 0 ? 0 : Math.ceil((-level / perSecond) * 1000)
    },
  }
}
