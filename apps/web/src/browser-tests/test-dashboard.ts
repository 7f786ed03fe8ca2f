import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type APIResponse, type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import {
  eventually,
  makeFarmFolder,
  printyard,
  startHubProcess,
  startServiceProcess,
} from '../../../cli/src/test/farm-processes.ts'

const chromiumPath = process.env.PRINTYARD_CHROMIUM ?? '/usr/bin/chromium'
const builtPage = fileURLToPath(new URL('../../dist/index.html', import.meta.url))

/** Whether browser tests can run here: they need a Chromium and a built dashboard. */
export const hasBrowser = existsSync(chromiumPath) && existsSync(builtPage)

export const owner = { name: 'Owner', email: 'owner@example.com', password: 'correct horse battery' }

/** A service of its own on a fresh directory, and a browser that looks at it. */
export interface TestDashboard {
  url: string
  context: BrowserContext
  page: Page
  /** What went wrong in the page without anybody having asked: errors of scripts, and what the policy refused. */
  faults: string[]
  /** Makes the owner and leaves the page on the overview. */
  signedIn(): Promise<Page>
  /** Calls the service as the page's person; the data of an answer that must be a success. */
  ask<T>(method: string, path: string, body?: unknown): Promise<T>
  /** A hub in a process of its own with this many virtual printers, clear and idle: their IDs. Needs somebody signed in. */
  addPrinters(count: number, options?: { speed?: number }): Promise<string[]>
  end(): Promise<void>
}

export async function startDashboard(
  options: { viewport?: { width: number; height: number }; colorScheme?: 'light' | 'dark' } = {},
): Promise<TestDashboard> {
  const folder = await makeFarmFolder()
  const ends: (() => Promise<unknown>)[] = [() => folder.remove()]
  const end = async () => {
    for (const each of ends.splice(0).reverse()) await each()
  }
  try {
    const dataDir = join(folder.path, 'data')
    const service = await startServiceProcess(dataDir)
    ends.push(() => service.stop())
    const browser = await launch()
    ends.push(() => browser.close())
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options })
    context.setDefaultTimeout(60_000)
    const page = await context.newPage()
    const faults: string[] = []
    page.on('pageerror', (error) => faults.push(error.message))
    page.on('console', (message) => {
      if (/Content Security Policy|Uncaught/.test(message.text())) faults.push(message.text())
    })

    const ask = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
      const answer = await context.request.fetch(`${service.url}/app/v1${path}`, {
        method,
        headers: { origin: service.url },
        ...(body !== undefined && { data: body }),
      })
      return dataOf<T>(answer, `${method} ${path}`)
    }
    return {
      url: service.url,
      context,
      page,
      faults,
      ask,
      end,
      async signedIn() {
        await ask('POST', '/setup', { ...owner, account_name: 'Farm' })
        await page.goto(service.url)
        await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
        return page
      },
      async addPrinters(count, { speed = 100 } = {}) {
        const { account } = await ask<{ account: { id: string } }>('GET', '/session')
        const hub = await printyard<{ id: string; token: string }>(
          dataDir,
          ...['hubs', 'create', '--account', account.id, '--name', `Hub ${crypto.randomUUID().slice(0, 8)}`],
        )
        const process_ = startHubProcess({
          url: service.url,
          token: hub.token,
          dataDir: join(folder.path, hub.id),
          speed,
        })
        ends.push(() => process_.stop())
        const ids: string[] = []
        for (let number = 1; number <= count; number += 1) {
          const body = { name: `Bench ${number}`, model: 'MK4S', hub_id: hub.id, connection_type: 'virtual' }
          const { id } = await ask<{ id: string }>('POST', '/printers', body)
          await ask('POST', `/printers/${id}/control`, { action: 'clear_bed' })
          await eventually(
            'the virtual printer being idle',
            () => ask<{ status: string | null }>('GET', `/printers/${id}/status`),
            ({ status }) => status === 'idle',
          )
          ids.push(id)
        }
        return ids
      },
    }
  } catch (error) {
    await end()
    throw error
  }
}

/** A browser with a profile of its own that speaks to nobody but the service. */
function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: chromiumPath,
    timeout: 60_000,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}

async function dataOf<T>(answer: APIResponse, what: string): Promise<T> {
  const text = await answer.text()
  if (!answer.ok()) throw new Error(`${what} answered ${answer.status()}: ${text}`)
  // Every success of the service is an envelope.
  return (JSON.parse(text) as { data: T }).data
}
