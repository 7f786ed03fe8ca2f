import { startTransition, useEffect, useState } from 'react'

/**
 * How many of a long list are drawn: the first part at once, and one more after each time that the page was painted. A part is some 30 ms
 * of work on a small computer, and more than most screens show.
 */
export function useDrawnInParts(total: number, partSize = 40): number {
  const [drawn, setDrawn] = useState(partSize)
  useEffect(() => {
    if (drawn >= total) return undefined
    const timer = setTimeout(() => startTransition(() => setDrawn(drawn + partSize)))
    return () => clearTimeout(timer)
  }, [drawn, total, partSize])
  return drawn
}
