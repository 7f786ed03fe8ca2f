import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { Page } from 'playwright-core'
import { commandLine } from '../../test/command-line.ts'

interface Credentials {
  email: string
  password: string
}

/** A demo farm that runs for the pictures alone. */
export interface DemoFarm {
  url: string
  credentials: Credentials
  stop(): Promise<void>
}

export async function startDemoFarm(): Promise<DemoFarm> {
  const dataDir = await mkdtemp(join(tmpdir(), 'printyard-pictures-'))
  const service = spawn(process.execPath, [commandLine, 'serve', '--demo', '--port', '0', '--data-dir', dataDir], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(service, 'exit')
  async function stop(): Promise<void> {
    service.kill('SIGTERM')
    await ended
    await rm(dataDir, { recursive: true, force: true, maxRetries: 3 })
  }
  try {
    const [[, url = ''], [, email = '', password = '']] = await Promise.all([
      matchOf(service.stdout, /ready at (\S+)/),
      matchOf(service.stderr, /owner of the demo farm: (\S+), password (\S+)/),
    ])
    return { url, credentials: { email, password }, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** What the service writes that matches; it is read to its end, so that the service is never held up. */
function matchOf(stream: Readable, wanted: RegExp): Promise<RegExpExecArray> {
  return new Promise((resolve, reject) => {
    let written = ''
    let isFound = false
    stream.setEncoding('utf8').on('data', (text: string) => {
      if (isFound) return
      written += text
      const found = wanted.exec(written)
      if (!found) return
      isFound = true
      resolve(found)
    })
    stream.on('end', () => reject(new Error(`The service ended and wrote:\n${written}`)))
  })
}

/** Fills in the form to sign in, on whatever page it stands; resolves once it is gone. */
export async function signIn(page: Page, { email, password }: Credentials): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  const button = page.getByRole('button', { name: 'Sign in', exact: true })
  await button.click()
  await button.waitFor({ state: 'detached' })
}

/** Where the things are found that pages with a parameter show, in the words of the routes. */
const lists: Readonly<Record<string, string>> = {
  printerId: '/printers',
  jobId: '/jobs',
  fileId: '/files',
  productId: '/products',
  // One of which the cost is known; the newest are parts of a kit.
  skuId: '/skus?search=BRACKET-ORANGE',
  itemId: '/inventory',
  materialId: '/materials/filament',
  orderId: '/orders',
  assemblyId: '/assembly',
  articleId: '/wiki',
  hubId: '/hubs',
  webhookId: '/webhooks',
}

/** The demo's customers order one thing after another. */
const longestMs = 120_000
const lookAgainMs = 2_000

/** Until the first print of the unlucky printer has failed: pages and reports have it to show. */
export async function untilFailed(page: Page): Promise<void> {
  const until = Date.now() + longestMs
  while (Date.now() < until) {
    const failures = await page.evaluate(async () => {
      const answer = await fetch('/app/v1/analytics/failures')
      const { data } = (await answer.json()) as { data: { total_failures: number } }
      return data.total_failures
    })
    if (failures > 0) return
    await page.waitForTimeout(lookAgainMs)
  }
  throw new Error('No print of the demo farm has failed.')
}

/** The first thing of each kind that is at work, else the first of all, by the name of its parameter. */
export async function findIds(page: Page): Promise<Record<string, string>> {
  const ids: Record<string, string> = { kind: 'filament' }
  const until = Date.now() + longestMs
  for (const [name, path] of Object.entries(lists)) {
    let id = await findFirst(page, path)
    while (id === undefined && Date.now() < until) {
      await page.waitForTimeout(lookAgainMs)
      id = await findFirst(page, path)
    }
    if (id === undefined) throw new Error(`The demo farm has nothing at ${path}.`)
    ids[name] = id
  }
  return ids
}

function findFirst(page: Page, path: string): Promise<string | undefined> {
  return page.evaluate(async (address) => {
    const answer = await fetch(`/app/v1${address}`)
    const { data } = (await answer.json()) as { data?: { id: string; status?: string }[] }
    const atWork = data?.find(({ status }) => status === 'printing' || status === 'processing')
    return (atWork ?? data?.[0])?.id
  }, path)
}
