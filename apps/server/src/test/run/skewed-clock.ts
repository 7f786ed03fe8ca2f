// Loaded before a process: its machine has a clock that is wrong by so much.
const aheadMs = Number(process.env.TEST_CLOCK_AHEAD_MS)
const RightDate = Date

globalThis.Date = class extends RightDate {
  constructor(...given: unknown[]) {
    // As of the original: no argument is now.
    super(...((given.length === 0 ? [RightDate.now() + aheadMs] : given) as [number]))
  }

  static override now(): number {
    return RightDate.now() + aheadMs
  }
} as DateConstructor
