import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium } from 'playwright-core'

const builtPage = fileURLToPath(new URL('../../../apps/web/dist/index.html', import.meta.url))
const candidates = [process.env.PRINTYARD_CHROMIUM, '/usr/bin/chromium', '/usr/bin/google-chrome']

/** A Chromium as a person has it, but without a screen and a graphics card. */
export async function openBrowser(scope: AsyncDisposableStack): Promise<Browser> {
  if (!existsSync(builtPage)) throw new Error('The dashboard is not built: `npm start` builds it')
  const executablePath = candidates.find((path) => path !== undefined && existsSync(path))
  if (executablePath === undefined) throw new Error('There is no Chromium here (apt-get install chromium)')
  const browser = await chromium.launch({
    executablePath,
    timeout: 60_000,
    args: [
      '--no-sandbox',
      '--disable-dev-shm-usage',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // What is measured is seen by no one, and would be slowed down for it.
      '--disable-renderer-backgrounding',
      '--disable-backgrounding-occluded-windows',
      '--enable-precise-memory-info',
    ],
  })
  scope.defer(() => browser.close())
  return browser
}
