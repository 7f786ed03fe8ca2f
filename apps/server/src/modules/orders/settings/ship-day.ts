const dayMs = 86_400_000

/**
 * The day on which an order is to be shipped: so many working days after the day of the order, and the next working day for
 * an order of none. Days are as `2026-11-20`; `workingDays` has 1 for Monday to 7 for Sunday, and at least one.
 */
export function shipDay(orderDay: string, handlingDays: number, workingDays: readonly number[]): string {
  let day = Date.parse(`${orderDay}T00:00:00Z`)
  let left = handlingDays
  const isWorking = () => workingDays.includes(new Date(day).getUTCDay() || 7)
  while (left > 0 || !isWorking()) {
    day += dayMs
    if (isWorking() && left > 0) left -= 1
  }
  return new Date(day).toISOString().slice(0, 10)
}
