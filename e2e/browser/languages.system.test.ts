import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sampleOf } from '@printyard/protocol/test/sample'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../test/farm-processes.ts'
import { type FarmIds, fillFarm } from './test/busy-farm.ts'
import { goTo } from './test/go-to.ts'
import { findLayoutFaults } from './test/layout-faults.ts'
import { desktop, hasBrowser, owner, startDashboard, type TestDashboard } from './test/test-dashboard.ts'
import { untilShown } from './test/until-shown.ts'

const limits = { timeout: 240_000 }
const narrowPhone = { width: 360, height: 740 }

let dashboard: TestDashboard
let ids: FarmIds
beforeAll(async () => {
  if (!hasBrowser) return
  dashboard = await startDashboard({ reducedMotion: 'reduce', locale: 'en-GB' })
  await dashboard.signedIn()
  ids = await fillFarm(dashboard)
}, 240_000)
afterAll(() => dashboard?.end(), 60_000)

test.runIf(hasBrowser)(
  'who chooses German reads German, whole and unclipped, wherever they sign in',
  limits,
  async () => {
    const { page, url, faults } = dashboard
    expect(await page.locator('html').getAttribute('lang')).toBe('en')
    await page.goto(`${url}/settings/profile`)
    await page.getByRole('combobox', { name: 'Language' }).click()
    await page.getByRole('option', { name: 'Deutsch' }).click()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Profil', exact: true }).waitFor()

    const pages = {
      ...{ '/': 'Übersicht', '/queue': 'Warteschlange', '/worklist': 'Aufgaben' },
      [`/orders/${ids.orderId}`]: 'Bestellung 2041',
      ...{ '/settings/account': 'Konto', '/reports?report=idle': 'Berichte', '/production': 'Produktion' },
      ...{ '/settings/notifications': 'Meldungen', '/settings/automation': 'Automatik' },
      [`/printers/${ids.printerId}`]: 'North 1',
    }
    for (const [path, heading] of sampleOf(Object.entries(pages), 2)) {
      await goTo(page, new URL(path, url))
      for (const size of [desktop, narrowPhone]) {
        await page.setViewportSize(size)
        await page.getByRole('heading', { level: 1, name: heading }).waitFor()
        await untilShown(page)
        await untilSaid(page, 50)
        expect(await page.locator('html').getAttribute('lang')).toBe('de')
        expect(await englishTexts(page), `${path} at ${size.width} px`).toEqual([])
        // What the service says, too.
        expect(
          await page.getByText(/The (printer|plate|file|hub|job) |^(Collect from|Assemble|Load) /).allTextContents(),
        ).toEqual([])
        expect(await findLayoutFaults(page), `${path} at ${size.width} px`).toEqual([])
      }
    }
    expect(faults).toEqual([])

    // Another device, whose browser asks for English.
    const elsewhere = await dashboard.open({ locale: 'en-GB' })
    await elsewhere.page.goto(`${url}/sign-in`)
    await elsewhere.page.getByRole('textbox', { name: 'Email' }).fill(owner.email)
    await elsewhere.page.getByRole('textbox', { name: 'Password' }).fill(owner.password)
    await elsewhere.page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await elsewhere.page.getByRole('heading', { level: 1, name: 'Übersicht' }).waitFor()
    await elsewhere.context.close()
  },
)

test.runIf(hasBrowser)(
  'who has chosen nothing reads as the browser asks, and may choose before signing in',
  limits,
  async () => {
    const { url } = dashboard
    const { page, context } = await dashboard.open({ locale: 'de-AT' })
    await page.goto(`${url}/sign-in`)
    await page.getByRole('button', { name: 'Anmelden', exact: true }).waitFor()
    await page.getByRole('button', { name: 'English' }).click()
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('en')
    await context.close()
  },
)

test.runIf(hasBrowser)('where the German texts cannot be fetched, the page is there in English', limits, async () => {
  const { page, context } = await dashboard.open({ locale: 'de-DE' })
  await page.route(/\/assets\/catalogue-/, (route) => route.abort())
  await page.goto(`${dashboard.url}/sign-in`)
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
  expect(await page.locator('html').getAttribute('lang')).toBe('en')
  await context.close()
})

/** Sources of texts that German says otherwise: each as the whole of what a place on the page says. */
const sources = readSources()

function readSources(): RegExp[] {
  const folder = join(import.meta.dirname, '../../apps/web/src/lib/i18n/de')
  const entries = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => Object.entries(JSON.parse(readFileSync(join(folder, name), 'utf8')) as Record<string, string>))
  return entries.flatMap(([key, german]) => {
    const text = key.replace(/^[^|{]*\|/, '').replaceAll(/<\/?\w+>/g, '')
    if (text === german || /, plural,/.test(text)) return []
    const words = text.trim().split(/\{\w+\}/)
    // `{quantity} of {total}` is also what people write; three words in a row are ours.
    if (words.length > 1 && !words.some((part) => /\w+ \w+ \w+/.test(part))) return []
    return [new RegExp(`^${words.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.+')}$`)]
  })
}

/** Parts of the overview are fetched by themselves, after the page around them is there. */
async function untilSaid(page: Page, atLeast: number): Promise<void> {
  await eventually(
    `the page saying more than ${atLeast} things`,
    () => textsOf(page),
    (texts) => texts.length > atLeast,
  )
}

/** What the page says in English, of all that it shows and names. */
async function englishTexts(page: Page): Promise<string[]> {
  return (await textsOf(page)).filter((text) => sources.some((source) => source.test(text)))
}

function textsOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const texts = new Set<string>()
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const isCode = node.parentElement?.closest('script, style, noscript')
      if (!isCode) texts.add((node.textContent ?? '').trim())
    }
    for (const element of document.body.querySelectorAll('[aria-label], [title], [placeholder], [alt]')) {
      for (const name of ['aria-label', 'title', 'placeholder', 'alt']) {
        texts.add((element.getAttribute(name) ?? '').trim())
      }
    }
    return [...texts, document.title].filter((text) => /\p{L}{2}/u.test(text))
  })
}
