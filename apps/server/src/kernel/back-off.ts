/** Answers how long to wait after so many failures in a row: `firstMs` after the first, doubled with each further one. */
export function backOffMs(failures: number, { firstMs, longestMs }: { firstMs: number; longestMs: number }): number {
  return Math.min(longestMs, firstMs * 2 ** Math.max(0, failures - 1))
}
