/**
 * Asks for all that is asked for within one turn of the event loop in one question per group. The question is sent after the last of
 * them was asked, so none is answered by what was true before it came.
 *
 * @param find what is found, by key; a key that is not in the answer has nothing
 * @returns asks for a key of a group. What `find` throws fails all who asked with it, and no one after them
 */
export function askTogether<Group, Key, Found>(
  find: (group: Group, keys: Key[]) => Promise<ReadonlyMap<Key, Found>>,
): (group: Group, key: Key) => Promise<Found | undefined> {
  const arriving = new Map<Group, { keys: Set<Key>; answer: Promise<ReadonlyMap<Key, Found>> }>()

  function begin(group: Group) {
    const keys = new Set<Key>()
    const answer = new Promise<ReadonlyMap<Key, Found>>((resolve, reject) => {
      setImmediate(() => {
        arriving.delete(group)
        find(group, [...keys]).then(resolve, reject)
      })
    })
    const question = { keys, answer }
    arriving.set(group, question)
    return question
  }

  return async (group, key) => {
    const { keys, answer } = arriving.get(group) ?? begin(group)
    keys.add(key)
    return (await answer).get(key)
  }
}
