import { useEffect, useRef, useState } from 'react'

type Tell = (isNear: boolean) => void

const told = new Map<Element, Tell>()
let observer: IntersectionObserver | undefined

/** One observer for all: five hundred of them would cost more than they spare. */
function observe(element: Element, tell: Tell): () => void {
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) told.get(target)?.(isIntersecting)
    },
    { rootMargin: '400px 0px' },
  )
  told.set(element, tell)
  observer.observe(element)
  return () => {
    told.delete(element)
    observer?.unobserve(element)
  }
}

/** Whether an element is on the screen or about to be: `const [ref, isNear] = useNearScreen<HTMLDivElement>()`. */
export function useNearScreen<E extends Element>() {
  const ref = useRef<E>(null)
  const [isNear, setIsNear] = useState(false)
  useEffect(() => {
    const element = ref.current
    return element ? observe(element, setIsNear) : undefined
  }, [])
  return [ref, isNear] as const
}

/**
 * A value as it is while the element is on the screen or about to be, and as it was last seen otherwise:
 * `const [ref, shown, isNear] = useFreshNearScreen<HTMLLIElement, LivePrinter>(row)`.
 */
export function useFreshNearScreen<E extends Element, Value>(value: Value) {
  const [ref, isNear] = useNearScreen<E>()
  const [kept, setKept] = useState(value)
  useEffect(() => {
    // What is shown when it leaves the screen is what is kept.
    if (!isNear) return undefined
    return () => setKept(() => value)
  }, [isNear, value])
  return [ref, isNear ? value : kept, isNear] as const
}
