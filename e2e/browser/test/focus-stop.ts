import type { CDPSession, Page } from 'playwright-core'

/** Where the focus is, as the document has it. */
export interface FocusPlace {
  /** Nothing in the page has it. */
  isPage: boolean
  /** Opens a menu. */
  hasMenu: boolean
  /** The dialog or menu that it is in. */
  within: 'dialog' | 'menu' | undefined
  /** What it is by its element alone; undefined for one that may have any role. */
  element: 'link' | 'button' | undefined
  /** The beginning of its words. */
  text: string
}

/** Where the focus is, as the browser tells it to a screen reader. */
export interface FocusStop extends FocusPlace {
  /** As Chromium names it: `button`, `textbox`, `RootWebArea` for the page itself. */
  role: string
  name: string
}

export function readPlace(page: Page): Promise<FocusPlace> {
  return page.evaluate(placeOfFocus)
}

/** Runs in the page. */
function placeOfFocus(): FocusPlace {
  const focused = document.activeElement
  const within = focused?.closest('[role="dialog"], [role="menu"]')?.getAttribute('role')
  const isPlain = (selector: string) => focused?.matches(`${selector}:not([role])`) === true
  return {
    isPage: focused === null || focused === document.body,
    hasMenu: focused?.getAttribute('aria-haspopup') === 'menu',
    within: within === 'dialog' || within === 'menu' ? within : undefined,
    element: isPlain('a[href]') ? 'link' : isPlain('button') ? 'button' : undefined,
    text: (focused?.getAttribute('aria-label') ?? focused?.textContent ?? '').trim().slice(0, 40),
  }
}

/**
 * Reads the element that has the focus, by its role and name in the browser's accessibility tree. That tree is made for each
 * reading: where the name does not matter, `readPlace` is many times faster.
 *
 * @param place where it is, if that is known
 */
export async function readFocus(page: Page, session: CDPSession, place?: FocusPlace): Promise<FocusStop> {
  const { result } = await session.send('Runtime.evaluate', { expression: 'document.activeElement ?? document.body' })
  if (result.objectId === undefined) throw new Error('the page has no element at all')
  const { objectId } = result
  const { nodes } = await session.send('Accessibility.getPartialAXTree', { objectId, fetchRelatives: false })
  await session.send('Runtime.releaseObject', { objectId })
  const [node] = nodes
  return {
    role: String(node?.role?.value ?? ''),
    name: String(node?.name?.value ?? ''),
    ...(place ?? (await readPlace(page))),
  }
}

/**
 * Where the focus is, and why a person cannot see it there: it has no ring and no other look than without it, is outside of the window, or
 * lies beneath something. Whether its look differs is known once the focus has gone on: the answer then names the element
 * before. Nothing is a fault of the page itself, where the focus stands before the first stop.
 */
export function lookAtFocus(page: Page): Promise<{ faults: string[]; place: FocusPlace }> {
  // In one question, because a walk asks it at every stop.
  return page.evaluate(`(async () => ({ faults: await (${faultsOfFocus})(), place: (${placeOfFocus})() }))()`)
}

/** Runs in the page. */
async function faultsOfFocus(): Promise<string[]> {
  interface Look {
    element: Element
    look: string
  }
  // Kept from one stop to the next, in the page because elements are.
  const memory = window as unknown as { stopBefore?: Look | undefined }
  const faults: string[] = []
  const element = shownFor(document.activeElement)
  const before = memory.stopBefore
  if (before && before.element !== element && before.element.checkVisibility()) {
    if ((await settledLook(before.element)) === before.look) faults.push(`${nameOf(before.element)} looks unfocused`)
  }
  memory.stopBefore = undefined
  if (element === null || element === document.body) return faults

  const look = await settledLook(element)
  const { outlineStyle, outlineWidth } = getComputedStyle(element)
  const hasRing = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1
  if (!hasRing) memory.stopBefore = { element, look }

  if (!element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })) {
    return [...faults, `${nameOf(element)} is hidden`]
  }
  const [box] = element.getClientRects()
  if (!box || box.width < 2 || box.height < 2) return [...faults, `${nameOf(element)} has no size`]
  const middle = { x: box.left + Math.min(box.width / 2, 200), y: box.top + Math.min(box.height / 2, 200) }
  const isInside = middle.x >= 0 && middle.y >= 0 && middle.x <= innerWidth && middle.y <= innerHeight
  if (!isInside) faults.push(`${nameOf(element)} is outside of the window`)
  const top = document.elementFromPoint(middle.x, middle.y)
  if (isInside && top && top !== document.activeElement && !element.contains(top) && !top.contains(element)) {
    faults.push(`${nameOf(element)} lies beneath ${nameOf(top)}`)
  }
  return faults

  /** Of a switch or a segment one sees what stands beside the input, which itself is drawn by nothing. */
  function shownFor(focused: Element | null): Element | null {
    if (!(focused instanceof HTMLInputElement) || getComputedStyle(focused).opacity !== '0') return focused
    return focused.nextElementSibling ?? focused
  }

  async function settledLook(of: Element): Promise<string> {
    const own = [of, ...(of.parentElement ? [of.parentElement] : [])]
    const style = () => own.map((each) => lookOf(getComputedStyle(each))).join()
    // Reading it starts the transitions that are to be waited for.
    style()
    await Promise.allSettled(own.flatMap((each) => each.getAnimations()).map(({ finished }) => finished))
    return style()
  }

  function lookOf(style: CSSStyleDeclaration): string {
    const { outlineStyle, outlineWidth, borderColor, boxShadow, backgroundColor, textDecorationLine } = style
    return [outlineStyle, outlineWidth, borderColor, boxShadow, backgroundColor, textDecorationLine].join(' ')
  }

  function nameOf(of: Element): string {
    const words = of.getAttribute('aria-label') ?? of.textContent ?? ''
    return `${of.tagName.toLowerCase()}.${of.className} “${words.trim().slice(0, 40)}”`
  }
}
