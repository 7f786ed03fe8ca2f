import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { type FocusPlace, type FocusStop, lookAtFocus, readFocus, readPlace } from './focus-stop.ts'

/** The name of a control, whole or by a pattern. */
type Name = string | RegExp

/** No page of the farm of a test has as many stops; anyone who needs more walks in a circle. */
const mostStops = 150

/** Longer than a toast stays, which may lie over a control for that while. */
const seenWithinMs = 30_000

/** A person who never touches the mouse. Whatever they do fails where they could not see where the focus is. */
export interface KeyboardPerson {
  /** Where the focus is. */
  focus(): Promise<FocusStop>
  press(key: string): Promise<void>
  /** One step on, or back, whatever it is called there. */
  step(way?: 'on' | 'back'): Promise<FocusPlace>
  /** One step on, or back. */
  tab(way?: 'on' | 'back'): Promise<FocusStop>
  /** Goes on until this control has the focus. */
  tabTo(role: string, name: Name): Promise<FocusStop>
  /** Goes to a control and presses Enter. */
  follow(role: 'link' | 'button', name: Name): Promise<void>
  /** Goes to a field and types in place of what is in it. */
  fill(name: Name, text: string, role?: string): Promise<void>
  /** Goes to a field with a list, and chooses from it by the arrows. */
  choose(field: Name, option: string): Promise<void>
  /** Opens the menu of a button and chooses from it by the arrows. */
  chooseFromMenu(button: Name, item: Name): Promise<void>
  /** Waits for a dialog and for the focus to be in it. */
  inDialog(name: Name): Promise<void>
  /** Escape closes the dialog, and the focus is where it was when it was opened. */
  escapeTo(role: string, name: Name): Promise<void>
  /** Waits until the focus is on this control without anybody having moved it there. */
  isTakenTo(role: string, name: Name): Promise<void>
  /** Waits for a page, and for the focus to be at its beginning. */
  arrives(title: string): Promise<void>
}

export async function keyboardOf(page: Page): Promise<KeyboardPerson> {
  const session = await page.context().newCDPSession(page)
  const focus = () => readFocus(page, session)
  const matches = (stop: FocusStop, role: string, name: Name) =>
    stop.role === role && (typeof name === 'string' ? stop.name === name : name.test(stop.name))
  const told = ({ role, name }: FocusStop) => `${role} “${name}”`

  async function press(key: string): Promise<void> {
    await page.keyboard.press(key)
  }

  async function isSeen(): Promise<FocusPlace> {
    let seen = await lookAtFocus(page)
    if (seen.faults.length === 0) return seen.place
    const lookAgain = async () => {
      seen = await lookAtFocus(page)
      return seen.faults
    }
    await expect.poll(lookAgain, { timeout: seenWithinMs }).toEqual([])
    return seen.place
  }

  async function step(way: 'on' | 'back' = 'on'): Promise<FocusPlace> {
    await press(way === 'on' ? 'Tab' : 'Shift+Tab')
    return await isSeen()
  }

  async function tab(way: 'on' | 'back' = 'on'): Promise<FocusStop> {
    return await readFocus(page, session, await step(way))
  }

  async function tabTo(role: string, name: Name): Promise<FocusStop> {
    const passed = new Set<string>()
    for (let place = await readPlace(page), count = 0; ; place = await step(), count += 1) {
      // A link or a button is asked for its name only where one is looked for.
      if (place.element === undefined || place.element === role) {
        const stop = await readFocus(page, session, place)
        if (matches(stop, role, name)) return stop
        passed.add(told(stop))
      } else {
        passed.add(`${place.element} “${place.text}”`)
      }
      if (count > mostStops) throw new Error(`no ${role} ${name} by Tab, only ${[...passed].join(', ')}`)
    }
  }

  /** What the arrows are at: in a list the focus stays in its field. */
  async function arrowTo(read: () => Promise<string>, name: Name): Promise<void> {
    const passed: string[] = []
    for (;;) {
      const text = await read()
      if (typeof name === 'string' ? text.startsWith(name) : name.test(text)) return
      if (passed.length > mostStops) throw new Error(`no ${name} by the arrows, only ${passed.join(', ')}`)
      passed.push(text)
      await press('ArrowDown')
    }
  }

  async function isTakenTo(role: string, name: Name): Promise<void> {
    const wanted = typeof name === 'string' ? name : expect.stringMatching(name)
    await expect.poll(focus, { timeout: 60_000 }).toMatchObject({ role, name: wanted })
    await isSeen()
  }

  return {
    focus,
    step,
    press,
    tab,
    tabTo,
    isTakenTo,
    async follow(role, name) {
      await tabTo(role, name)
      await press('Enter')
    },
    async fill(name, text, role = 'textbox') {
      await tabTo(role, name)
      await press('Control+A')
      await page.keyboard.type(text)
    },
    async choose(field, option) {
      await tabTo('combobox', field)
      await press('ArrowDown')
      await page.getByRole('listbox').waitFor()
      await arrowTo(() => activeOption(page), option)
      await press('Enter')
      await page.getByRole('listbox').waitFor({ state: 'hidden' })
    },
    async chooseFromMenu(button, item) {
      await tabTo('button', button)
      await press('Enter')
      await page.getByRole('menu').waitFor()
      await expect.poll(focus, { timeout: 60_000 }).toMatchObject({ within: 'menu' })
      await arrowTo(async () => {
        const { role, name } = await focus()
        return role === 'menuitem' ? name : ''
      }, item)
      await isSeen()
      await press('Enter')
    },
    async inDialog(name) {
      await page.getByRole('dialog', { name }).waitFor()
      await expect.poll(focus, { timeout: 60_000 }).toMatchObject({ within: 'dialog' })
      await isSeen()
    },
    async escapeTo(role, name) {
      await press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
      await isTakenTo(role, name)
    },
    async arrives(title) {
      await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor()
      await expect.poll(focus, { timeout: 60_000 }).toMatchObject({ role: 'heading', name: title })
    },
  }
}

/** The option that Enter would choose now; empty: none. */
function activeOption(page: Page): Promise<string> {
  return page.evaluate(() => {
    const id = document.activeElement?.getAttribute('aria-activedescendant')
    return (id && document.getElementById(id)?.textContent) || ''
  })
}
