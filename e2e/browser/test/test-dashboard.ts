import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Sql } from '@printyard/server/db/database'
import type { AccountId } from '@printyard/server/kernel/ids'
import { createHubWithToken } from '@printyard/server/modules/hubs/hubs.service'
import { systemWork } from '@printyard/server/test/app/system-work'
import { createTestDatabase } from '@printyard/server/test/run/test-database'
import type { APIResponse, Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { startHubHere, startServiceHere } from '../../test/farm-here.ts'
import { eventually, makeFarmFolder, printyard, startServiceProcess } from '../../test/farm-processes.ts'
import { readSetUpCode } from '../../test/read-set-up-code.ts'
import { type BrowserNeeds, borrowBrowser } from './browser.ts'
import { followPage } from './failure-pictures.ts'

export { hasBrowser } from './browser.ts'

const builtPage = fileURLToPath(new URL('../../../apps/web/dist/index.html', import.meta.url))

export const owner = { name: 'Owner', email: 'owner@example.com', password: 'correct horse battery' }

export const desktop = { width: 1440, height: 900 }
export const phone = { width: 390, height: 844 }

export type MemberRole = 'owner' | 'admin' | 'operator' | 'viewer'

/** One person's window: cookies and storage of its own. */
export interface Visitor {
  context: BrowserContext
  page: Page
  /**
   * What went wrong in the page without anybody having asked: errors of scripts, what the policy refused, and requests to
   * anybody but the service.
   */
  faults: string[]
  /** Calls the service as the page's person; the data of an answer that must be a success. */
  ask<T>(method: string, path: string, body?: unknown): Promise<T>
}

/** A service of its own on a fresh directory and an empty database, and windows of a browser that look at it. */
export interface TestDashboard extends Visitor {
  url: string
  dataDir: string
  /** The database of a service that has none of its own, for what no call makes in a test's time. */
  sql: Sql | undefined
  /** Makes the owner and leaves the page on the overview. */
  signedIn(): Promise<Page>
  /** Another window, in which no one is signed in. */
  open(options?: BrowserContextOptions): Promise<Visitor>
  /** Another window, in which a new member of the farm is signed in. Needs the owner signed in. */
  openAs(role: MemberRole, options?: BrowserContextOptions): Promise<Visitor>
  /** A hub, connected soon. Needs a person signed in. */
  addHub(options?: { speed?: number }): Promise<{ id: string; stop(): Promise<unknown> }>
  /** Such a hub with this many virtual printers, clear and idle: their IDs. */
  addPrinters(count: number, options?: { speed?: number }): Promise<string[]>
  /** Ends the service as a power cut would. */
  killService(): Promise<void>
  /** Starts it again where it was. */
  startService(): Promise<void>
  end(): Promise<void>
}

/**
 * @param hasOwnPostgres as of a farm of tests, and a process of its own: for those that kill the service
 * @param settings more of the service's variables, where it has no process of its own
 */
export async function startDashboard(
  options: BrowserContextOptions = {},
  {
    hasOwnPostgres = false,
    settings = {},
    ...needs
  }: { hasOwnPostgres?: boolean; settings?: Record<string, string> } & BrowserNeeds = {},
): Promise<TestDashboard> {
  if (!existsSync(builtPage)) throw new Error('the dashboard is not built: `npm test` and `npm start` build it')
  const folder = await makeFarmFolder()
  const ends: (() => Promise<unknown>)[] = [() => folder.remove()]
  const end = async () => {
    for (const each of ends.splice(0).reverse()) await each()
  }
  try {
    const dataDir = join(folder.path, 'data')
    const db = hasOwnPostgres ? undefined : await createTestDatabase()
    if (db) ends.push(() => db.close())
    const started = db ? await startServiceHere(dataDir, db.url, settings) : await startServiceProcess(dataDir)
    const { url } = started
    let service: { stop(): Promise<unknown>; kill?(): Promise<void> } = started
    ends.push(() => service.stop())
    const { browser, release } = await borrowBrowser(needs)
    ends.push(release)
    const openThis = async (ofWindow?: BrowserContextOptions) => {
      const window = await openWindow(browser, url, ofWindow)
      ends.push(() => window.context.close())
      return window
    }
    const visitor = await openThis(options)
    const { page, ask } = visitor
    let members = 0

    async function addHub({ speed = 100 }: { speed?: number } = {}) {
      const { account } = await ask<{ account: { id: AccountId } }>('GET', '/session')
      const name = `Hub ${crypto.randomUUID().slice(0, 8)}`
      const args = ['hubs', 'create', '--account', account.id, '--name', name]
      const { id, token } = db
        ? await createHubWithToken(systemWork(db.sql, account.id), name)
        : await printyard<{ id: string; token: string }>(dataDir, ...args)
      const { stop } = startHubHere({ url, token, dataDir: join(folder.path, id), speed })
      ends.push(stop)
      return { id, stop }
    }

    return {
      ...visitor,
      url,
      dataDir,
      sql: db?.sql,
      end,
      open: openThis,
      async openAs(role, ofWindow) {
        members += 1
        const email = `${role}-${members}@example.com`
        const { password } = owner
        // The sign-in of before the tests may be longer ago than a proof counts.
        await ask('POST', '/proof', { password })
        const invited = await ask<{ url: string }>('POST', '/invitations', { email, role })
        const token = new URL(invited.url).hash.slice(1)
        const window = await openThis(ofWindow)
        await window.ask('POST', '/invitations/accept', { token, name: `One ${role}`, password })
        return window
      },
      async signedIn() {
        await ask('POST', '/setup', { ...owner, account_name: 'Farm', code: await readSetUpCode(dataDir) })
        await page.goto(url)
        await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
        return page
      },
      addHub,
      async addPrinters(count, ofHub) {
        const hub = await addHub(ofHub)
        const ids: string[] = []
        for (let number = 1; number <= count; number += 1) {
          const body = { name: `Bench ${number}`, model: 'MK4S', hub_id: hub.id, connection_type: 'virtual' }
          const { id } = await ask<{ id: string }>('POST', '/printers', body)
          await eventually(
            'the virtual printer being idle',
            () => ask<{ status: string | null }>('GET', `/printers/${id}/status`),
            ({ status }) => status === 'idle',
            60_000,
          )
          await ask('POST', `/printers/${id}/control`, { action: 'clear_bed' })
          ids.push(id)
        }
        return ids
      },
      async killService() {
        if (!service.kill) throw new Error('the service has no process of its own: hasOwnPostgres')
        await service.kill()
      },
      async startService() {
        service = await startServiceProcess(dataDir, { port: Number(new URL(url).port) })
      },
    }
  } catch (error) {
    await end()
    throw error
  }
}

async function openWindow(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Visitor> {
  const context = await browser.newContext({
    viewport: desktop,
    // Requests of a service worker pass by what tests do to those of a page; tests of it ask for it.
    serviceWorkers: 'block',
    // Each frame of a motion is drawn by the processor; tests of motion ask for it.
    reducedMotion: 'reduce',
    ...options,
  })
  context.setDefaultTimeout(60_000)
  const page = await context.newPage()
  followPage(page)
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('console', (message) => {
    if (/Content Security Policy|Uncaught/.test(message.text())) faults.push(message.text())
  })
  context.on('request', (request) => {
    const asked = new URL(request.url())
    if (asked.protocol.startsWith('http') && asked.origin !== url) faults.push(`a request to ${asked.origin}`)
  })

  const ask = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const answer = await context.request.fetch(`${url}/app/v1${path}`, {
      method,
      headers: { origin: url },
      timeout: 60_000,
      ...(body !== undefined && { data: body }),
    })
    return dataOf<T>(answer, `${method} ${path}`)
  }
  return { context, page, faults, ask }
}

async function dataOf<T>(answer: APIResponse, what: string): Promise<T> {
  const text = await answer.text()
  if (!answer.ok()) throw new Error(`${what} answered ${answer.status()}: ${text}`)
  // Every success of the service is an envelope.
  return (JSON.parse(text) as { data: T }).data
}
