const requestsAtOnce = 6

/** Does something for each, a few at once. */
export async function atOnce<T>(values: readonly T[], work: (value: T) => Promise<void>): Promise<void> {
  const rest = [...values]
  await Promise.all(
    Array.from({ length: requestsAtOnce }, async () => {
      for (let value = rest.shift(); value !== undefined; value = rest.shift()) await work(value)
    }),
  )
}
