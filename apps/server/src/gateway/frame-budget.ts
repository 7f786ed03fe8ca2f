/** What one connection of a hub may send, in the long run and at once. */
export interface FrameBudgetLimits {
  framesPerSecond: number
  /** Frames that may come at once, such as what a hub kept while the service was away. */
  frameBurst: number
  bytesPerSecond: number
  byteBurst: number
  logLinesPerSecond: number
  logLineBurst: number
}

/**
 * Generous: a hub of 500 printers sends some ten frames a second and a megabyte of pictures. What it kept while it was away
 * waits a little at most.
 */
const generousLimits: FrameBudgetLimits = {
  framesPerSecond: 200,
  frameBurst: 1_000,
  bytesPerSecond: 8 * 1024 * 1024,
  byteBurst: 32 * 1024 * 1024,
  logLinesPerSecond: 5,
  logLineBurst: 100,
}

/** Counts what a connection has sent; `nowMs` is of a clock that nobody sets. */
export interface FrameBudget {
  /** Takes one frame into account; answers for how many ms nothing more shall be read, 0 for not at all. */
  take(bytes: number, nowMs: number): number
  /** Whether a line of a hub is still written to the log; `left_out` lines were not since the last that was. */
  takeLogLine(nowMs: number): { isWritten: true; leftOut: number } | { isWritten: false }
}

export function createFrameBudget(limits: FrameBudgetLimits = generousLimits): FrameBudget {
  const frames = createBucket(limits.frameBurst, limits.framesPerSecond)
  const bytes = createBucket(limits.byteBurst, limits.bytesPerSecond)
  const lines = createBucket(limits.logLineBurst, limits.logLinesPerSecond)
  let leftOut = 0
  return {
    take(size, nowMs) {
      return Math.max(frames.take(1, nowMs), bytes.take(size, nowMs))
    },
    takeLogLine(nowMs) {
      if (!lines.has(1, nowMs)) {
        leftOut += 1
        return { isWritten: false }
      }
      lines.take(1, nowMs)
      const before = leftOut
      leftOut = 0
      return { isWritten: true, leftOut: before }
    },
  }
}

/** A bucket that fills at a steady rate up to its size. It can be overdrawn: what has come cannot be sent back. */
function createBucket(size: number, perSecond: number) {
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
