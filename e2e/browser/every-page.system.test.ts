import { sampleOf, walkedOneIn } from '@printyard/protocol/test/sample'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FarmIds, fillFarm } from './test/busy-farm.ts'
import { addressOf, everyPage } from './test/every-page.ts'
import { goTo } from './test/go-to.ts'
import { findLayoutFaults } from './test/layout-faults.ts'
import { seriousViolations } from './test/serious-violations.ts'
import { desktop, hasBrowser, phone, startDashboard, type TestDashboard, type Visitor } from './test/test-dashboard.ts'
import { untilShown } from './test/until-shown.ts'

const schemes = ['light', 'dark'] as const
const windows = { desktop, phone }

/** Nothing is lost in these: a desktop, the same at 200 %, a tablet on its side, and a narrow phone. */
const layouts = {
  'on a desktop': desktop,
  'at 200 %': { width: 720, height: 450 },
  'at 1024 px': { width: 1024, height: 768 },
  'at 360 px': { width: 360, height: 740 },
}

let dashboard: TestDashboard
let visitor: Visitor
let ids: FarmIds
let invitationToken: string
let setupFindings: string[]
beforeAll(async () => {
  if (!hasBrowser) return
  dashboard = await startDashboard({ reducedMotion: 'reduce' })
  visitor = await dashboard.open({ reducedMotion: 'reduce' })
  // Once there is an owner, no one sees this page again.
  await visitor.page.goto(`${dashboard.url}/setup`)
  setupFindings = await lookAtPage(visitor.page)
  await dashboard.signedIn()
  ids = await fillFarm(dashboard)
  const invitation = { email: 'visitor@example.com', role: 'viewer' }
  const { url } = await dashboard.ask<{ url: string }>('POST', '/invitations', invitation)
  invitationToken = new URL(url).hash
}, 240_000)
afterAll(() => dashboard?.end(), 60_000)

test.runIf(hasBrowser).each(sampleOf(everyPage, walkedOneIn))(
  '$path can be read and used in both appearances, on a desktop, a phone and at 200 %',
  { timeout: 120_000 },
  async ({ path, isForVisitors }) => {
    const { page, faults } = isForVisitors ? visitor : dashboard
    if (path === '/setup') return expect(setupFindings).toEqual([])
    await page.setViewportSize(desktop)
    await goTo(page, new URL(`${addressOf(path, ids)}${path === '/invitation' ? invitationToken : ''}`, dashboard.url))
    expect(await lookAtPage(page)).toEqual([])
    expect(faults).toEqual([])
  },
)

test.runIf(hasBrowser)(
  'an address that no page has says so, and can be left by a link that is seen as one',
  { timeout: 120_000 },
  async () => {
    const { page, url, faults } = dashboard
    await page.setViewportSize(desktop)
    await page.goto(`${url}/no/such/page`)
    await page.getByRole('heading', { name: 'No page has this address' }).waitFor()
    expect(await lookAtPage(page)).toEqual([])
    await page.getByRole('link', { name: 'Go to the overview' }).click()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    expect(faults).toEqual([])
  },
)

async function lookAtPage(page: Page): Promise<string[]> {
  await untilShown(page)
  const findings: string[] = []
  for (const [name, viewport] of Object.entries(windows)) {
    await page.setViewportSize(viewport)
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme })
      // The page follows a moment later, and only then do its colours begin to change.
      await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor({ state: 'attached' })
      await untilShown(page)
      const judged = colorScheme === schemes[0] ? 'all' : 'colors'
      for (const each of await seriousViolations(page, judged)) findings.push(`${colorScheme}, ${name}: ${each}`)
    }
  }
  for (const [name, viewport] of Object.entries(layouts)) {
    await page.setViewportSize(viewport)
    await untilShown(page)
    for (const each of await lastingLayoutFaults(page)) findings.push(`${name}: ${each}`)
  }
  return findings
}

/** A chart is drawn again for another width only after the page has been laid out for it. */
async function lastingLayoutFaults(page: Page): Promise<string[]> {
  let faults = await findLayoutFaults(page)
  for (let tries = 0; tries < 40 && faults.length > 0; tries += 1) {
    await page.waitForTimeout(250)
    faults = await findLayoutFaults(page)
  }
  return faults
}
