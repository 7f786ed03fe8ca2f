/**
 * Makes the pictures of the README again, from a demo farm of its own:
 * `node scripts/run.mjs node e2e/browser/make-pictures.ts`, after `npm start` has built the dashboard once.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { launchBrowser } from './test/browser.ts'

const folder = new URL('../../docs/images/', import.meta.url)

interface Picture {
  file: string
  path: string
  window: BrowserContextOptions
  /** What must be seen before the picture is taken. */
  ready: (page: Page) => Promise<unknown>
}

/** In this order: what the first one waits for, a print that is done, has the others well under way. */
const pictures: readonly Picture[] = [
  {
    file: 'worklist-on-a-phone.png',
    path: '/worklist',
    window: { viewport: { width: 390, height: 844 }, colorScheme: 'dark', isMobile: true, hasTouch: true },
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
    window: { viewport: { width: 1440, height: 900 }, colorScheme: 'light' },
    ready: (page) => page.getByRole('button', { name: /^Why / }).first().waitFor(),
  },
]

/** Some plates are done and wait for a person only after a while. */
const longestMs = 120_000

const dataDir = await mkdtemp(join(tmpdir(), 'printyard-pictures-'))
const cli = fileURLToPath(new URL('../../apps/cli/src/main.ts', import.meta.url))
const service = spawn(process.execPath, [cli, 'serve', '--demo', '--port', '0', '--data-dir', dataDir], {
  stdio: ['ignore', 'pipe', 'pipe'],
})
const ended = once(service, 'exit')
try {
  const [[, url = ''], [, email = '', password = '']] = await Promise.all([
    heard(service.stdout, /ready at (\S+)/),
    heard(service.stderr, /owner of the demo farm: (\S+), password (\S+)/),
  ])
  const browser = await launchBrowser()
  try {
    for (const picture of pictures) await take(browser, url, { email, password }, picture)
  } finally {
    await browser.close()
  }
} finally {
  service.kill('SIGTERM')
  await ended
  await rm(dataDir, { recursive: true, force: true, maxRetries: 3 })
}

/** What the service writes that matches; it is read to its end, so that the service is never held up. */
function heard(stream: Readable, wanted: RegExp): Promise<RegExpExecArray> {
  return new Promise((resolve, reject) => {
    let written = ''
    let isHeard = false
    stream.setEncoding('utf8').on('data', (text: string) => {
      if (isHeard) return
      written += text
      const found = wanted.exec(written)
      if (!found) return
      isHeard = true
      resolve(found)
    })
    stream.on('end', () => reject(new Error(`The service ended and wrote:\n${written}`)))
  })
}

async function take(
  browser: Browser,
  url: string,
  { email, password }: { email: string; password: string },
  { file, path, window, ready }: Picture,
): Promise<void> {
  const context = await browser.newContext({ ...window, reducedMotion: 'reduce', timezoneId: 'UTC', locale: 'en-GB' })
  const page = await context.newPage()
  page.setDefaultTimeout(longestMs)
  await page.goto(`${url}${path}`)
  await page.getByLabel('Email').fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await ready(page)
  // Nothing shall look as if it were pointed at.
  await page.mouse.move(0, 0)
  await page.evaluate(() => document.fonts.ready)
  await page.screenshot({ path: fileURLToPath(new URL(file, folder)) })
  await context.close()
  console.log(`docs/images/${file}`)
}
