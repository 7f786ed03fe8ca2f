import { useEffect, useState } from 'react'
import { formatCountdown } from '../lib/format.ts'

/** Seconds left until `at`, counted down each second; 0 from then on. The clock is that of this device. */
export function useSecondsLeft(at: string): number {
  const secondsLeft = () => Math.max(0, Math.ceil((Date.parse(at) - Date.now()) / 1000))
  const [left, setLeft] = useState(secondsLeft)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the function is made again with each drawing, and reads only `at`
  useEffect(() => {
    setLeft(secondsLeft())
    const timer = setInterval(() => setLeft(secondsLeft()), 1000)
    return () => clearInterval(timer)
  }, [at])
  return left
}

/** `9:41`, for eyes; a reader that speaks is not interrupted each second. */
export function Countdown({ seconds }: { seconds: number }) {
  return <span role="timer">{formatCountdown(seconds)}</span>
}
