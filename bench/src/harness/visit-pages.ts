import type { AccountId } from '@printyard/server/kernel/ids'
import type { BrowserContext, Page } from 'playwright-core'
import { insertIntoDatabase } from '../farms/farm.ts'
import { fillFullFarm } from '../farms/full-farm.ts'
import { connectPrintingHub } from '../farms/printing-farm.ts'
import { median } from './statistics.ts'

interface Destination {
  path: string
  /** What is there when there is something to read. */
  useful: string
  /** What leads there; default: the link of the navigation. */
  link?: string
}

const history = { path: '/history', useful: 'table[aria-label="Jobs that ended"] tbody tr' }

/** The areas, and pages that one comes to from them. */
const areas: (Destination & { name: string; from?: Destination })[] = [
  { name: 'overview', path: '/', useful: 'ul[aria-label="Counts"] li' },
  { name: 'printers', path: '/printers', useful: 'ul[aria-label="Printers"] li' },
  { name: 'queue', path: '/queue', useful: 'ol[aria-label^="Jobs that wait"] li' },
  { name: 'worklist', path: '/worklist', useful: 'article' },
  { name: 'history', ...history },
  {
    name: 'one job',
    from: history,
    path: '/jobs/',
    link: 'table[aria-label="Jobs that ended"] a[href^="/jobs/"]',
    useful: 'main a[href^="/files/"]',
  },
  { name: 'reports', path: '/reports', useful: 'main table tbody tr' },
  { name: 'files', path: '/files', useful: 'table[aria-label="Files"] tbody tr' },
  { name: 'hubs', path: '/hubs', useful: 'main table tbody tr' },
]
const resting = { path: '/settings', useful: '#page-title' }
const rounds = 5
const settleMs = 500

interface Visit {
  name: string
  /** From the click on its link until the first of it is drawn, in ms: the median of the rounds, what is read being known. */
  usefulMs: number
}

interface Service {
  url: string
  accountId: AccountId
  ask<T>(method: string, path: string, data: object): Promise<T>
}

/** Goes from page to page of a large farm, as a person does who uses it all day, while its printers print. */
export async function visitPages(
  scope: AsyncDisposableStack,
  dataDir: string,
  context: BrowserContext,
  { url, accountId, ask }: Service,
): Promise<Visit[]> {
  const farm = await insertIntoDatabase(dataDir, (_sql, database) =>
    fillFullFarm(database, accountId, async (printer) => (await ask<{ id: string }>('POST', '/printers', printer)).id),
  )
  for (const { token, printerIds } of farm.hubs) await connectPrintingHub(scope, url, token, printerIds)
  const page = await context.newPage()
  await page.goto(url)
  await page.waitForSelector(areas[0]?.useful ?? '')
  const times = new Map(areas.map(({ name }) => [name, [] as number[]]))
  // The first round fetches what the later ones have.
  for (let round = 0; round <= rounds; round += 1) {
    for (const { name, from = resting, ...to } of areas) {
      if (from !== resting) await follow(page, resting)
      await follow(page, from)
      await page.waitForTimeout(settleMs)
      const ms = await follow(page, to)
      await page.waitForTimeout(settleMs)
      if (round > 0) times.get(name)?.push(ms)
    }
  }
  await page.close()
  return [...times].map(([name, each]) => ({ name, usefulMs: median(each) }))
}

/** Presses a link of the navigation and waits until what it leads to has been drawn; answers how long that took, in ms. */
async function follow(page: Page, { path, useful, link = `nav a[href="${path}"]` }: Destination): Promise<number> {
  return await page.evaluate<number>(`(async ({ path, useful, link }) => {
    const drawn = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
    const before = new Set(document.querySelectorAll(useful))
    const beganAt = performance.now()
    document.querySelector(link).click()
    while (performance.now() - beganAt < 60000) {
      await drawn()
      if ([...document.querySelectorAll(useful)].some((element) => !before.has(element))) {
        await drawn()
        return performance.now() - beganAt
      }
    }
    throw new Error(path + ' shows nothing')
  })(${JSON.stringify({ path, useful, link })})`)
}
