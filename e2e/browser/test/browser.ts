import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'

/** The one without windows draws the same pages with a quarter less of the processor. */
const commands = ['chromium-headless-shell', 'chromium']

/** The Chromium to test with; undefined when there is none. */
const chromiumPath = findChromium(commands)

/** Whether tests can open the dashboard. In CI they must be able to. */
export const hasBrowser = chromiumPath !== undefined
if (!hasBrowser) {
  const sentence =
    'Chromium is not installed (apt-get install chromium-headless-shell, or its path in PRINTYARD_CHROMIUM)'
  if (process.env.CI === 'true') throw new Error(sentence)
  console.warn(`SKIPPED: ${sentence}`)
}

/** Whether tests can see notifications of the system. */
export const hasNotifyingBrowser = findChromium(['chromium']) !== undefined

export interface BrowserNeeds {
  /** Notifications of the system, which only the one with windows has. */
  hasNotifications?: boolean
}

/** A browser with a profile of its own that speaks to no one but whom its pages ask. */
export function launchBrowser({ hasNotifications = false }: BrowserNeeds = {}): Promise<Browser> {
  const executablePath = hasNotifications ? findChromium(['chromium']) : chromiumPath
  if (executablePath === undefined) throw new Error('there is no chromium')
  return chromium.launch({
    executablePath,
    timeout: 120_000,
    args: [
      // Chromium as root starts only so; and a container gives it little shared memory.
      '--no-sandbox',
      '--disable-dev-shm-usage',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // Pages of tests live for seconds: no process is started for a page that may come, and no code is compiled a second time.
      '--disable-site-isolation-trials',
      '--renderer-process-limit=1',
      '--js-flags=--no-opt',
    ],
  })
}

let shared: Promise<Browser> | undefined

/**
 * The browser of all test files of this process: windows of one context know nothing of another, and a start of Chromium costs
 * more than most of them. `release` ends what was started for these needs alone; the contexts are the borrower's to close.
 */
export async function borrowBrowser(needs: BrowserNeeds = {}): Promise<{ browser: Browser; release(): Promise<void> }> {
  if (needs.hasNotifications) {
    const browser = await launchBrowser(needs)
    return { browser, release: () => browser.close() }
  }
  const known = await shared?.catch(() => undefined)
  // It may have crashed under the file before.
  if (!known?.isConnected()) shared = launchBrowser()
  return { browser: await (shared as Promise<Browser>), release: async () => undefined }
}

function findChromium(names: readonly string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const installed = names.flatMap((name) => folders.map((folder) => join(folder, name)))
  return [process.env.PRINTYARD_CHROMIUM, ...installed].find((path) => path !== undefined && canRun(path))
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    // Absent, or not a program.
    return false
  }
}
