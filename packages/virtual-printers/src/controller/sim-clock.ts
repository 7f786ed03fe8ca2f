/**
 * Simulated time as a straight line over the real clock, so that no speed factor makes it drift. A change of speed begins
 * a new line where the old one stands.
 */
export interface SimClock {
  /** The real moment, in milliseconds, at which the simulated clock stood at `seconds`. */
  wallMs: number
  seconds: number
  /** Simulated seconds for each real second. */
  speed: number
}

/** The highest speed at which the printers are tested. */
const maxSpeed = 100_000

/** Simulated seconds at a real moment. A real clock that was set back makes simulated time stand still, never return. */
export function secondsAt(clock: SimClock, wallMs: number): number {
  return clock.seconds + (Math.max(0, wallMs - clock.wallMs) / 1000) * clock.speed
}

/** The real moment, in milliseconds, at which the simulated clock shows `seconds`. */
export function wallMsAt(clock: SimClock, seconds: number): number {
  return clock.wallMs + ((seconds - clock.seconds) / clock.speed) * 1000
}

/** The same clock with another speed from `wallMs` on. Throws a `RangeError` unless 0 < speed ≤ 100,000. */
export function withSpeed(clock: SimClock, wallMs: number, speed: number): SimClock {
  assertSpeed(speed)
  if (speed === clock.speed) return clock
  return { wallMs: Math.max(wallMs, clock.wallMs), seconds: secondsAt(clock, wallMs), speed }
}

/** Throws a `RangeError` unless 0 < speed ≤ 100,000. */
export function assertSpeed(speed: number): void {
  if (!(speed > 0 && speed <= maxSpeed)) throw new RangeError(`speed must be above 0 and at most ${maxSpeed}: ${speed}`)
}
