import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'

/** The one without windows draws the same pages with a quarter less of the processor. */
const commands = ['chromium-headless-shell', 'chromium']

/** The Chromium to test with; undefined when there is none. */
const chromiumPath = [
  process.env.PRINTYARD_CHROMIUM,
  ...commands.flatMap((command) => (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, command))),
].find((path) => path !== undefined && canRun(path))

/** Whether tests can open the dashboard. In CI they must be able to. */
export const hasBrowser = chromiumPath !== undefined
if (!hasBrowser) {
  const sentence =
    'Chromium is not installed (apt-get install chromium-headless-shell, or its path in PRINTYARD_CHROMIUM)'
  if (process.env.CI === 'true') throw new Error(sentence)
  console.warn(`SKIPPED: ${sentence}`)
}

/** A browser with a profile of its own that speaks to no one but whom its pages ask. */
export function launchBrowser(): Promise<Browser> {
  if (chromiumPath === undefined) throw new Error('there is no chromium')
  return chromium.launch({
    executablePath: chromiumPath,
    timeout: 120_000,
    args: [
      // Chromium as root starts only so; and a container gives it little shared memory.
      '--no-sandbox',
      '--disable-dev-shm-usage',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
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
