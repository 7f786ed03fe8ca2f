/**
 * Makes the pictures of the README and of every page again, from a demo farm of its own:
 * `node scripts/run.mjs node e2e/browser/pictures/make-pictures.ts`, after `npm start` has built the dashboard once.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import sharp from 'sharp'
import { launchBrowser } from '../test/browser.ts'
import { untilShown } from '../test/until-shown.ts'
import { type DemoFarm, findIds, signIn, startDemoFarm, untilFailed } from './demo-farm.ts'
import { picturedForVisitors, picturedPages, picturedViews } from './pages.ts'

const folder = new URL('../../../docs/images/', import.meta.url)

interface Picture {
  file: string
  path: string
  window: BrowserContextOptions
  /** What must be seen before the picture is taken. */
  ready: (page: Page) => Promise<unknown>
}

const onPhone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }
const onDesktop = { viewport: { width: 1440, height: 900 } }

/** In this order: what the first one waits for, a print that is done, has the others well under way. */
const ofReadme: readonly Picture[] = [
  {
    file: 'worklist-on-a-phone.png',
    path: '/worklist',
    window: { ...onPhone, colorScheme: 'dark' },
    ready: (page) =>
      page
        .getByText(/^Collect from /)
        .first()
        .waitFor(),
  },
  {
    file: 'printers.png',
    path: '/printers',
    window: { viewport: { width: 1440, height: 560 }, colorScheme: 'light' },
    ready: (page) =>
      page
        .getByRole('link', { name: /Printing/ })
        .nth(3)
        .waitFor(),
  },
  {
    file: 'queue.png',
    path: '/queue',
    window: { ...onDesktop, colorScheme: 'light' },
    ready: (page) => page.getByRole('button', { name: /^Why / }).first().waitFor(),
  },
]

/** Every page is shown in each of these. */
const windows: readonly { name: string; window: BrowserContextOptions }[] = [
  { name: 'desktop-light', window: { ...onDesktop, colorScheme: 'light' } },
  { name: 'desktop-dark', window: { ...onDesktop, colorScheme: 'dark' } },
  { name: 'phone-light', window: { ...onPhone, colorScheme: 'light' } },
  { name: 'phone-dark', window: { ...onPhone, colorScheme: 'dark' } },
]

/** Some plates are done and wait for a person only after a while. */
const longestMs = 120_000

const farm = await startDemoFarm()
try {
  const browser = await launchBrowser()
  try {
    for (const picture of ofReadme) await takeOne(browser, picture)
    await furnish(browser)
    for (const each of windows) await takeAll(browser, each)
    for (const each of windows) await takeForVisitors(browser, each)
  } finally {
    await browser.close()
  }
} finally {
  await farm.stop()
}
await writeFile(new URL('README.md', folder), gallery())

async function takeOne(browser: Browser, { file, path, window, ready }: Picture): Promise<void> {
  const { page, close } = await openSignedIn(browser, farm, window, path)
  await ready(page)
  await settle(page)
  await page.screenshot({ path: fileURLToPath(new URL(file, folder)) })
  await close()
  console.log(`docs/images/${file}`)
}

/** What a farm of several people has besides, so that no page is empty that is not in a farm that works. */
async function furnish(browser: Browser): Promise<void> {
  const { page, close } = await openSignedIn(browser, farm, onDesktop, '/')
  await untilShown(page)
  const answers = await page.evaluate(
    (asked) =>
      Promise.all(
        asked.map(async ({ path, body }) => {
          const headers = { 'content-type': 'application/json' }
          const answer = await fetch(`/app/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
          return answer.ok ? '' : `POST ${path} answered ${answer.status}: ${await answer.text()}`
        }),
      ),
    [
      { path: '/invitations', body: { email: 'operator@demo.example', role: 'operator' } },
      { path: '/invitations', body: { email: 'books@demo.example', role: 'viewer' } },
    ],
  )
  const refused = answers.filter((answer) => answer !== '')
  if (refused.length > 0) throw new Error(refused.join('\n'))
  await untilFailed(page)
  await close()
}

async function takeAll(browser: Browser, { name, window }: (typeof windows)[number]): Promise<void> {
  const { page, close } = await openSignedIn(browser, farm, window, '/')
  await untilShown(page)
  const ids = await findIds(page)
  for (const [title, path] of Object.entries(shownIn(name))) {
    const address = path.replaceAll(/\$(\w+)/g, (_, param: string) => ids[param] ?? '')
    await takePage(page, address, `${title}-${name}`)
  }
  await close()
  console.log(`docs/images/pages/*-${name}.webp`)
}

async function takeForVisitors(browser: Browser, { name, window }: (typeof windows)[number]): Promise<void> {
  const { page, close } = await openWindow(browser, window)
  for (const [title, path] of Object.entries(picturedForVisitors)) await takePage(page, path, `${title}-${name}`)
  await close()
}

/** All pages are seen in every window, and what else they show in two: the one is the desk, the other the floor at night. */
function shownIn(name: string): Record<string, string> {
  return { ...picturedPages, ...(name === 'desktop-light' || name === 'phone-dark' ? picturedViews : {}) }
}

async function takePage(page: Page, address: string, file: string): Promise<void> {
  await mkdir(new URL('pages/', folder), { recursive: true })
  await page.goto(`${farm.url}${address}`)
  await untilShown(page)
  await settle(page)
  const image = await sharp(await page.screenshot())
    .webp({ quality: 60, effort: 6 })
    .toBuffer()
  await writeFile(new URL(`pages/${file}.webp`, folder), image)
}

async function openWindow(
  browser: Browser,
  window: BrowserContextOptions,
): Promise<{ page: Page; close: () => Promise<void> }> {
  const permissions = ['notifications']
  const context = await browser.newContext({
    ...window,
    ...{ reducedMotion: 'reduce', timezoneId: 'UTC', locale: 'en-GB', permissions },
  })
  const page = await context.newPage()
  page.setDefaultTimeout(longestMs)
  return { page, close: () => context.close() }
}

async function openSignedIn(
  browser: Browser,
  { url, credentials }: DemoFarm,
  window: BrowserContextOptions,
  path: string,
): Promise<{ page: Page; close: () => Promise<void> }> {
  const opened = await openWindow(browser, window)
  await opened.page.goto(`${url}${path}`)
  await signIn(opened.page, credentials)
  return opened
}

/** Nothing shall look as if it were still on its way, or as if it were pointed at. */
async function settle(page: Page): Promise<void> {
  // What is further down may load only once it is seen.
  await page.waitForFunction(() =>
    [...document.querySelectorAll('.mantine-Skeleton-root')].every((each) => {
      const { top, bottom } = each.getBoundingClientRect()
      return bottom <= 0 || top >= innerHeight
    }),
  )
  await page.evaluate(() =>
    Promise.all(
      [...document.images]
        .filter((each) => {
          const { top, bottom } = each.getBoundingClientRect()
          return bottom > 0 && top < innerHeight
        })
        .map((each) => each.decode()),
    ),
  )
  await page.mouse.move(0, 0)
  await page.evaluate(() => document.fonts.ready)
  await page.evaluate(() => window.scrollTo(0, 0))
}

function gallery(): string {
  const shown = { ...picturedPages, ...picturedForVisitors, ...picturedViews }
  const rows = Object.entries(shown).map(([title, path]) => {
    const link = (name: string) => `[${name.replace('-', ', ')}](pages/${title}-${name}.webp)`
    const others = windows
      .slice(1)
      .filter(({ name }) => !(title in picturedViews) || title in shownIn(name))
      .map(({ name }) => link(name))
    return `## \`${path}\`\n\n![${title}](pages/${title}-desktop-light.webp)\n\n${others.join(' · ')}\n`
  })
  return `# Pages of the dashboard\n\nPictures of the demo farm, made by \`e2e/browser/pictures/make-pictures.ts\`.\n\n${rows.join('\n')}`
}
