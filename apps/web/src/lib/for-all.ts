/** Requests in flight at one time, when something is done with many. */
const atOnce = 4

interface Failure<Thing> {
  thing: Thing
  error: unknown
}

/** Calls for each thing, a few at a time, on to the last whatever comes of each. Answers those that failed, in their order. */
export async function forAll<Thing>(
  things: readonly Thing[],
  call: (thing: Thing) => Promise<unknown>,
): Promise<Failure<Thing>[]> {
  const failures: (Failure<Thing> | undefined)[] = things.map(() => undefined)
  const left = [...things.entries()]
  const work = async () => {
    for (let next = left.shift(); next; next = left.shift()) {
      const [place, thing] = next
      await call(thing).catch((error: unknown) => {
        failures[place] = { thing, error }
      })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return failures.filter((failure) => failure !== undefined)
}
