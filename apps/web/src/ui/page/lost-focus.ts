/** Places to go back to: the dialog and the menu before, and what opened these. */
const mostPlaces = 20

/** What had the focus, and where it stood among the buttons of its group. */
interface Place {
  element: HTMLElement
  group: Element | undefined
  index: number
}

/**
 * Keeps the focus in the page. An element that is removed or disabled takes the focus with it, and who works with the
 * keyboard would start over at the top of the page: after a dialog that a menu opened, at a button that was busy for a
 * moment, in a row that was moved. The focus then goes back to the last place that is still there; within a dialog it stays
 * there. Of a named group of buttons that come and go, it goes to the one that now stands where the removed one stood: not
 * to what stands before the group, which may be of quite another kind. Anyone who takes the focus away themselves, by a
 * click beside everything, is left alone. Answers what ends it.
 */
export function keepFocus(page: Document): () => void {
  let places: Place[] = []
  let isLost = false

  const note = ({ target }: FocusEvent) => {
    isLost = false
    if (!(target instanceof HTMLElement)) return
    const group = target.closest('[role="group"]') ?? undefined
    const place: Place = { element: target, group, index: group ? buttonsOf(group).indexOf(target) : -1 }
    places = [place, ...places.filter(({ element }) => element !== target)].slice(0, mostPlaces)
  }
  const leaveAlone = () => {
    isLost = false
  }
  const watch = new MutationObserver((records) => {
    const [last] = places
    if (!last || (page.activeElement !== null && page.activeElement !== page.body)) return
    isLost ||= records.some((record) => takesFocus(record, last.element))
    if (!isLost) return
    const place = placeToGo(page, places)
    // A button that is busy gets it back when it is done: that is a change of its own.
    if (place?.matches('[data-loading]')) return
    place?.focus()
    isLost = false
  })

  page.addEventListener('focusin', note)
  page.addEventListener('pointerdown', leaveAlone)
  watch.observe(page, { childList: true, subtree: true, attributeFilter: ['disabled'] })
  return () => {
    page.removeEventListener('focusin', note)
    page.removeEventListener('pointerdown', leaveAlone)
    watch.disconnect()
  }
}

/** An element that is moved is removed for a moment. One that was disabled has lost it when it is enabled again. */
function takesFocus({ type, target, removedNodes }: MutationRecord, last: Element): boolean {
  if (type === 'attributes') return target.contains(last) && !last.matches(':disabled')
  return [...removedNodes].some((node) => node.contains(last))
}

function placeToGo(page: Document, places: readonly Place[]): HTMLElement | undefined {
  const dialogs = [...page.querySelectorAll<HTMLElement>('[role="dialog"][aria-modal="true"]')]
  const canTake = (each: HTMLElement) =>
    each.isConnected &&
    each.checkVisibility({ checkVisibilityCSS: true }) &&
    (!each.matches(':disabled') || each.matches('[data-loading]')) &&
    (dialogs.length === 0 || dialogs.some((dialog) => dialog.contains(each)))
  for (const { element, group, index } of places) {
    if (canTake(element)) return element
    if (element.isConnected || !group || index < 0) continue
    const others = buttonsOf(group).filter(canTake)
    const other = others[Math.min(index, others.length - 1)]
    if (other) return other
  }
  return dialogs.at(-1) ?? page.getElementById('page-title') ?? undefined
}

const buttonsOf = (group: Element): HTMLElement[] => [...group.querySelectorAll('button')]
