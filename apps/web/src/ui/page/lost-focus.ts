/** Places to go back to: the dialog and the menu before, and what opened these. */
const mostPlaces = 20

/**
 * Keeps the focus in the page. An element that is removed or disabled takes the focus with it, and who works with the
 * keyboard would start over at the top of the page: after a dialog that a menu opened, at a button that was busy for a
 * moment, in a row that was moved. The focus then goes back to the last place that is still there; within a dialog it stays
 * there. Anyone who takes the focus away themselves, by a click beside everything, is left alone. Answers what ends it.
 */
export function keepFocus(page: Document): () => void {
  let places: HTMLElement[] = []
  let isLost = false

  const note = ({ target }: FocusEvent) => {
    isLost = false
    if (!(target instanceof HTMLElement)) return
    places = [target, ...places.filter((each) => each !== target)].slice(0, mostPlaces)
  }
  const leaveAlone = () => {
    isLost = false
  }
  const watch = new MutationObserver((records) => {
    const [last] = places
    if (!last || (page.activeElement !== null && page.activeElement !== page.body)) return
    isLost ||= records.some((record) => takesFocus(record, last))
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

function placeToGo(page: Document, places: readonly HTMLElement[]): HTMLElement | undefined {
  const dialogs = [...page.querySelectorAll<HTMLElement>('[role="dialog"][aria-modal="true"]')]
  const place = places.find(
    (each) =>
      each.isConnected &&
      each.checkVisibility({ checkVisibilityCSS: true }) &&
      (!each.matches(':disabled') || each.matches('[data-loading]')) &&
      (dialogs.length === 0 || dialogs.some((dialog) => dialog.contains(each))),
  )
  return place ?? dialogs.at(-1) ?? page.getElementById('page-title') ?? undefined
}
