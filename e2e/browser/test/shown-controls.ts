import type { Locator, Page, Request } from 'playwright-core'
import { eventually } from '../../test/farm-processes.ts'
import { untilShown } from './until-shown.ts'

/** What a person acts with, as assistive technology hears of it. */
const actingRoles =
  'button|checkbox|combobox|menuitem|menuitemcheckbox|menuitemradio|radio|searchbox|slider|spinbutton|switch|tab|textbox'
const line = new RegExp(`^\\s*- '?(?:${actingRoles})\\b(?: "((?:[^"\\\\]|\\\\.)*)")?`)

/**
 * The names of all controls within `root`, each once: buttons and links that look so, inputs, the entries of every menu,
 * what takes files and what can be dragged. Links in the text only lead elsewhere.
 */
export async function shownControls(page: Page, root: Locator): Promise<string[]> {
  await untilShown(page)
  const names = await namesWithin(root)
  for (const menu of await root.locator('button[aria-haspopup="menu"]:visible').all()) {
    await menu.click()
    const entries = page.getByRole('menu')
    await entries.waitFor()
    names.push(...(await namesWithin(entries)))
    // At the menu itself: the focus comes to it only a moment after it is shown.
    await entries.press('Escape')
    await entries.waitFor({ state: 'detached' })
  }
  return [...new Set(names)].sort()
}

async function namesWithin(root: Locator): Promise<string[]> {
  const names = namesOf(await root.ariaSnapshot())
  const others = await root.evaluate((element) => [
    ...[...element.querySelectorAll<HTMLElement>('a.mantine-Button-root, a.mantine-ActionIcon-root, a.area-link')]
      .filter((link) => link.checkVisibility())
      .map((link) => link.getAttribute('aria-label') ?? link.innerText.trim()),
    ...(element.querySelector('input[type="file"]') ? ['takes files'] : []),
    ...(element.querySelector('[draggable="true"]') ? ['can be dragged'] : []),
  ])
  return [...names, ...others]
}

/** The names that a snapshot of the accessibility tree tells of controls. */
export function namesOf(snapshot: string): string[] {
  return snapshot.split('\n').flatMap((each) => {
    const [whole, name] = line.exec(each) ?? []
    if (whole === undefined) return []
    if (name === undefined) return [`without a name: ${each.trim()}`]
    // In the quotes of YAML, and within them in those of the name.
    return [name.replaceAll("''", "'").replaceAll(/\\(.)/g, '$1')]
  })
}

/** Follows what the page asks for from now on; what it returns resolves once the page shows itself and everything is answered. */
export function followRequests(page: Page): () => Promise<void> {
  const open = new Set<Request>()
  const begin = (request: Request) => {
    // The stream of events never ends.
    if (!request.url().includes('/events/stream')) open.add(request)
  }
  const end = (request: Request) => void open.delete(request)
  page.on('request', begin)
  page.on('requestfinished', end)
  page.on('requestfailed', end)
  return async () => {
    await untilShown(page)
    await eventually(
      'all requests of the page being answered',
      async () => [...open].map((each) => each.url()),
      (left) => left.length === 0,
    )
    page.off('request', begin)
    page.off('requestfinished', end)
    page.off('requestfailed', end)
  }
}
