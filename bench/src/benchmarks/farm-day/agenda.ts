/** What is to happen, in the order of time. */
interface Agenda {
  add(at: number, what: () => void): void
  /** Takes out all that happens at the earliest moment, in the order in which it was added. */
  next(): { at: number; what: (() => void)[] } | undefined
}

/** A heap of moments; what happens at one of them stays in the order in which it was added. */
export function createAgenda(): Agenda {
  const moments: number[] = []
  const happenings = new Map<number, (() => void)[]>()

  function siftUp(index: number): void {
    for (let child = index; child > 0; ) {
      const parent = (child - 1) >> 1
      if (at(parent) <= at(child)) return
      swap(parent, child)
      child = parent
    }
  }

  function siftDown(): void {
    for (let parent = 0; ; ) {
      const left = parent * 2 + 1
      if (left >= moments.length) return
      const least = left + 1 < moments.length && at(left + 1) < at(left) ? left + 1 : left
      if (at(parent) <= at(least)) return
      swap(parent, least)
      parent = least
    }
  }

  const at = (index: number) => moments[index] ?? Number.POSITIVE_INFINITY
  const swap = (a: number, b: number) => {
    const moment = at(a)
    moments[a] = at(b)
    moments[b] = moment
  }

  return {
    add(moment, what) {
      const known = happenings.get(moment)
      if (known) {
        known.push(what)
        return
      }
      happenings.set(moment, [what])
      moments.push(moment)
      siftUp(moments.length - 1)
    },
    next() {
      const moment = moments[0]
      const last = moments.pop()
      if (moment === undefined || last === undefined) return undefined
      if (moments.length > 0) {
        moments[0] = last
        siftDown()
      }
      const what = happenings.get(moment) ?? []
      happenings.delete(moment)
      return { at: moment, what }
    },
  }
}
