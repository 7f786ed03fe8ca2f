import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { FocusPlace } from './focus-stop.ts'
import type { KeyboardPerson } from './keyboard-person.ts'

/** More stops than any page of a small farm has. */
const mostStops = 200

/**
 * Goes by Tab from the beginning of a page that was just loaded to its end (or back from there), into every menu on the way and out of it by
 * Escape. Answers the name of its first stop, and what is wrong: what cannot be reached, what stands in another order than
 * that of the page, and a walk that does not end.
 */
export async function walkPage(
  page: Page,
  keys: KeyboardPerson,
  way: 'on' | 'back' = 'on',
): Promise<{ first: string; faults: string[] }> {
  // A page may begin at the field that it is there for.
  let stop: FocusPlace = await keys.focus()
  for (let count = 0; count < mostStops && !stop.isPage; count += 1) stop = await keys.step()
  await rememberStops(page)
  const first = await keys.tab(way)
  stop = first
  for (let count = 0; count < mostStops; count += 1) {
    if (stop.hasMenu) {
      const { role, name } = await keys.focus()
      await keys.press('Enter')
      await expect.poll(keys.focus, { timeout: 60_000 }).toMatchObject({ within: 'menu' })
      await keys.press('Escape')
      await keys.isTakenTo(role, name)
    }
    stop = await keys.step(way)
    if (stop.isPage) return { first: first.name, faults: await missedStops(page) }
  }
  const { role, name } = await keys.focus()
  return { first: first.name, faults: [`no end after ${mostStops} stops, at ${role} “${name}”`] }
}

/** Kept in the page, because elements are. */
interface Walk {
  stops: Element[]
  reached: Set<Element>
}

async function rememberStops(page: Page): Promise<void> {
  await page.evaluate(() => {
    const candidates = document.querySelectorAll<HTMLElement>(
      'a[href], button, input, select, textarea, summary, [tabindex]',
    )
    const stops = [...candidates].filter(
      (each) => each.tabIndex >= 0 && each.matches(':enabled, a, summary, [tabindex]'),
    )
    const walk: Walk = { stops: stops.filter((each) => each.checkVisibility()), reached: new Set() }
    document.addEventListener('focusin', ({ target }) => walk.reached.add(target as Element))
    Object.assign(window, { walk })
  })
}

function missedStops(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { stops, reached } = (window as unknown as { walk: Walk }).walk
    const isMissed = (each: Element) => !reached.has(each) && each.isConnected && each.checkVisibility()
    // Of radios of one name Tab stops at one, and the arrows go on.
    const isOtherRadio = (each: Element) => each.matches('input[type="radio"]:not(:checked)')
    const told = (each: Element) => `${each.tagName} “${each.getAttribute('aria-label') ?? each.textContent}”`
    return [
      ...stops.filter((each) => isMissed(each) && !isOtherRadio(each)).map((each) => `${told(each)} is not reached`),
      ...[...document.querySelectorAll<HTMLElement>('[tabindex]')]
        .filter((each) => each.tabIndex > 0)
        .map((each) => `${told(each)} stands out of the order of the page`),
    ]
  })
}
