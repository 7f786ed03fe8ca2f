/** Where the time comes from, passed in so that tests need not wait. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }
