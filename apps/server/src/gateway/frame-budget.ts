import { createBucket } from '../kernel/bucket.ts'

/** What a connection, or all those of one account, may send in the long run and at once. */
interface FrameBudgetLimits {
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
  byteBurst: 8 * 1024 * 1024,
  logLinesPerSecond: 5,
  logLineBurst: 100,
}

/** What all hubs of one account may send together, however many there are. */
export const limitsOfAccount: FrameBudgetLimits = {
  framesPerSecond: 2_000,
  frameBurst: 10_000,
  bytesPerSecond: 32 * 1024 * 1024,
  byteBurst: 128 * 1024 * 1024,
  logLinesPerSecond: 20,
  logLineBurst: 1_000,
}

/** Counts what a connection has sent; `nowMs` is of a clock that no one sets. */
export interface FrameBudget {
  /** Takes one frame into account; answers for how many ms nothing more shall be read, 0 for not at all. */
  take(bytes: number, nowMs: number): number
  /** Answers whether a line of a hub is still written to the log; `left_out` lines were not since the last that was. */
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
