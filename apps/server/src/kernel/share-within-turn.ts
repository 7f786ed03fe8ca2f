/**
 * Questions with the same key that are asked in the same turn of the event loop share one lookup, sent when the turn is over.
 * Under load that is one statement for many requests; each still gets an answer that was read after it arrived.
 */
export function shareWithinTurn<Key extends string, T>(find: (key: Key) => Promise<T>): (key: Key) => Promise<T> {
  const arriving = new Map<Key, Promise<T>>()

  return (key) => {
    const shared = arriving.get(key)
    if (shared) return shared
    const lookup = new Promise<T>((resolve, reject) => {
      setImmediate(() => {
        // Before the statement is sent: anyone who comes later must not be answered by it.
        arriving.delete(key)
        find(key).then(resolve, reject)
      })
    })
    arriving.set(key, lookup)
    return lookup
  }
}
