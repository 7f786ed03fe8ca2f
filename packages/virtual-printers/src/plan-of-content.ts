import type { PrintPlan } from './virtual-printer.ts'

const defaultPlan: PrintPlan = { printTimeSeconds: 600, layerCount: 50, nozzleTemp: 215, bedTemp: 60 }
/** Slicers write what they know at the beginning or at the end of a file. */
const LOOK_BYTES = 64 * 1024

/**
 * Answers how long a simulated printer prints a file: what PrusaSlicer and its kin write into plain G-code as the estimated time,
 * else ten minutes. Nothing else in the file is looked at.
 */
export function planOfContent(_fileName: string, content: Buffer): PrintPlan {
  const ends = [content.subarray(0, LOOK_BYTES), content.subarray(-LOOK_BYTES)]
  const text = ends.map((end) => end.toString('latin1')).join('\n')
  const estimate = /; estimated printing time \(normal mode\) = ([\dhdms ]+)/.exec(text)?.[1] ?? ''
  let seconds = 0
  for (const [, count, unit] of estimate.matchAll(/(\d+)([dhms])/g)) {
    seconds += Number(count) * (secondsOf[unit ?? ''] ?? 0)
  }
  return seconds > 0 ? { ...defaultPlan, printTimeSeconds: seconds } : defaultPlan
}

const secondsOf: Record<string, number> = { d: 86_400, h: 3_600, m: 60, s: 1 }
