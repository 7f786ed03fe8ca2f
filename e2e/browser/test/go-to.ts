import type { Page } from 'playwright-core'

/** Goes there within the dashboard as by one of its links: only what is not in it yet, or is there already, is loaded as a whole. */
export async function goTo(page: Page, there: URL): Promise<void> {
  const here = new URL(page.url())
  if (here.origin === there.origin && here.pathname !== there.pathname && here.pathname !== '/setup') {
    await page.evaluate((address) => history.pushState({}, '', address), there.pathname + there.search + there.hash)
    return
  }
  // Another page in between, because a change behind # alone loads nothing.
  await page.goto('about:blank')
  await page.goto(there.href)
}
