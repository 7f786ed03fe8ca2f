import { randomUUID } from 'node:crypto'
import { cp, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openDashboard } from '@printyard/server/http/pages/dashboard'
import { answerUnknownRoutes } from '@printyard/server/http/pages/unknown-routes'
import type { App } from '@printyard/server/http/types'
import Fastify from 'fastify'
import type { BrowserContext, CDPSession, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hasNotifyingBrowser, launchBrowser } from './test/browser.ts'
import { startDashboard, type TestDashboard } from './test/test-dashboard.ts'

const limits = { timeout: 240_000 }
const builtFolder = fileURLToPath(new URL('../../apps/web/dist', import.meta.url))

let dashboard: TestDashboard
beforeAll(async () => {
  if (!hasNotifyingBrowser) return
  dashboard = await startDashboard({ serviceWorkers: 'allow' }, { hasOwnPostgres: true, hasNotifications: true })
  await dashboard.signedIn()
}, 180_000)
afterAll(() => dashboard?.end(), 60_000)

/** Resolves when the worker has kept its build and answers for this page. */
async function untilControlled(page: Page): Promise<void> {
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated')
}

/** What is kept in this browser: paths by the name of the cache. */
function keptPaths(page: Page): Promise<Record<string, string[]>> {
  return page.evaluate(async () => {
    const kept: Record<string, string[]> = {}
    for (const name of await caches.keys()) {
      const requests = await (await caches.open(name)).keys()
      kept[name] = requests.map(({ url }) => new URL(url).pathname)
    }
    return kept
  })
}

test.runIf(hasNotifyingBrowser)(
  'browsers may install the dashboard: its manifest is right and its icons are there',
  limits,
  async () => {
    const { page, context, url } = dashboard
    await page.goto(url)
    await untilControlled(page)
    const wire = await context.newCDPSession(page)
    const { errors, data, url: manifestUrl } = await wire.send('Page.getAppManifest')
    expect([errors, manifestUrl]).toEqual([[], `${url}/manifest.webmanifest`])
    const { installabilityErrors } = await wire.send('Page.getInstallabilityErrors')
    // The windows of tests keep nothing, as private windows do.
    expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([])
    await wire.detach()

    const { icons, shortcuts } = JSON.parse(data ?? '{}') as {
      icons: { src: string; type: string; sizes: string; purpose: string }[]
      shortcuts: { url: string; icons: { src: string; sizes: string }[] }[]
    }
    expect(new Set(icons.map(({ purpose }) => purpose))).toEqual(new Set(['any', 'maskable']))
    for (const { src, sizes } of [...icons, ...shortcuts.flatMap((each) => each.icons)]) {
      const sizeOf = (path: string) =>
        new Promise<string>((resolve, reject) => {
          const image = new Image()
          image.onload = () => resolve(`${image.naturalWidth}x${image.naturalHeight}`)
          image.onerror = () => reject(new Error(`${path} is no image`))
          image.src = path
        })
      const size = await page.evaluate(sizeOf, src)
      if (sizes !== 'any') expect([src, size]).toEqual([src, sizes])
    }
    for (const each of shortcuts) {
      await page.goto(url + each.url)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.getByText('There is no such page').waitFor({ state: 'hidden' })
    }
  },
)

test.runIf(hasNotifyingBrowser)(
  'the worker comes with a policy of its own, and is asked for again each time',
  limits,
  async () => {
    const { context, url } = dashboard
    const answer = await context.request.get(`${url}/sw.js`)
    expect(answer.headers()).toMatchObject({
      'cache-control': 'no-cache',
      'content-security-policy': "default-src 'none'; connect-src 'self'; frame-ancestors 'none'",
      'content-type': expect.stringContaining('javascript'),
    })
    const page = await context.request.get(url, { headers: { accept: 'text/html' } })
    expect(page.headers()['content-security-policy']).toContain("worker-src 'self'; manifest-src 'self'")
  },
)

test.runIf(hasNotifyingBrowser)(
  'only the files of the build are kept, and after signing out nothing of a person',
  limits,
  async () => {
    const { page, url, context } = await dashboard.openAs('operator', { serviceWorkers: 'allow' }).then((visitor) => ({
      ...visitor,
      url: dashboard.url,
    }))
    await context.grantPermissions(['notifications'])
    await page.goto(`${url}/printers`)
    await untilControlled(page)
    for (const path of ['/files', '/orders', '/settings/profile', '/']) {
      await page.goto(url + path)
      await page.getByRole('heading', { level: 1 }).waitFor()
    }
    await page.evaluate(async () => (await navigator.serviceWorker.ready).showNotification('Private'))
    // There is no push service here that a browser could subscribe at.
    await page.evaluate(() => {
      const unsubscribe = async () => {
        sessionStorage.setItem('push', 'ended')
        return true
      }
      PushManager.prototype.getSubscription = async () => ({ unsubscribe }) as unknown as PushSubscription
    })
    await page.getByRole('button', { name: /^Account menu/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign in' }).waitFor()

    const kept = await keptPaths(page)
    expect(Object.keys(kept)).toEqual([expect.stringMatching(/^printyard-shell-[0-9a-f]{16}$/)])
    const [paths = []] = Object.values(kept)
    expect(paths.length).toBeGreaterThan(100)
    expect(
      paths.filter((path) => !/^\/(assets\/[\w.-]+\.(js|css)|favicon\.svg|icons\/icon-192\.png)?$/.test(path)),
    ).toEqual([])
    const left = await page.evaluate(async () => {
      const texts: string[] = []
      for (const name of await caches.keys()) {
        const cache = await caches.open(name)
        for (const request of await cache.keys()) texts.push((await (await cache.match(request))?.text()) ?? '')
      }
      const { length } = await (await navigator.serviceWorker.ready).getNotifications()
      const isNamed = texts.some((text) => /operator-1@example\.com|One operator/.test(text))
      return { isNamed, notices: length, push: sessionStorage.getItem('push') }
    })
    expect(left).toEqual({ isNamed: false, notices: 0, push: 'ended' })
    await context.close()
  },
)

test.runIf(hasNotifyingBrowser)('what is pushed is shown, and never leads to another site', limits, async () => {
  const { page, context, url } = dashboard
  await context.grantPermissions(['notifications'])
  await page.goto(`${url}/queue`)
  await untilControlled(page)
  const { wire, push } = await openPush(context, page, url)
  await push({
    ...{ title: 'North 1 is done', body: 'shelf-bracket', url: '/printers', tag: 'prn_1', urgency: 'high' },
    actions: [
      { action: 'clear', title: 'Plate is clear', url: '/worklist' },
      { action: 'away', title: 'Elsewhere', url: 'https://elsewhere.example' },
    ],
  })
  await push({ title: 'From afar', tag: 'afar', url: 'https://elsewhere.example/printers' })
  await push('no JSON at all')
  const shown = () =>
    page.evaluate(async () =>
      (await (await navigator.serviceWorker.ready).getNotifications())
        .map(({ title, body, tag, requireInteraction, data, ...more }) => {
          const { actions } = { actions: [], ...more } as { actions: { action: string }[] }
          return { title, body, tag, requireInteraction, path: data.path, actions: actions.map(({ action }) => action) }
        })
        .sort((one, other) => one.title.localeCompare(other.title)),
    )
  await expect.poll(shown, { timeout: 30_000 }).toMatchObject([
    { title: 'From afar', path: '/', actions: [] },
    { title: 'North 1 is done', body: 'shelf-bracket', tag: 'prn_1', requireInteraction: true, path: '/printers' },
    { title: 'Printyard', body: 'Something happened on the farm.', path: '/' },
  ])
  // Of the same tag one is shown: the newest.
  await push({ title: 'North 1 waits', tag: 'prn_1', url: '/printers' })
  await expect.poll(async () => (await shown()).map(({ title }) => title)).toContain('North 1 waits')
  expect((await shown()).map(({ title }) => title)).not.toContain('North 1 is done')
  await wire.detach()
})

test.runIf(hasNotifyingBrowser)(
  'a click on a notification brings an open page to what it is about, without loading it again',
  limits,
  async () => {
    const { page, context, url } = dashboard
    await context.grantPermissions(['notifications'])
    await page.goto(`${url}/queue`)
    await untilControlled(page)
    await page.evaluate(() => Object.assign(window, { isSamePage: true }))
    const [worker] = context.serviceWorkers()
    if (!worker) throw new Error('the page has no worker')
    // Only a hand can click a notification of the system; the event that the browser makes of it is made here.
    const click = (path: string, action = '') =>
      worker.evaluate(
        async ([to, button]) => {
          const scope = globalThis as unknown as {
            registration: ServiceWorkerRegistration
            NotificationEvent: new (type: string, of: object) => Event
            dispatchEvent(event: Event): boolean
          }
          await scope.registration.showNotification('Look', {
            tag: 'look',
            data: { path: to, actions: { other: '/files', away: 'https://elsewhere.example' } },
          })
          const [notification] = await scope.registration.getNotifications({ tag: 'look' })
          scope.dispatchEvent(new scope.NotificationEvent('notificationclick', { notification, action: button }))
        },
        [path, action] as const,
      )
    await click('/printers')
    await page.waitForURL(`${url}/printers`)
    await click('/queue', 'other')
    await page.waitForURL(`${url}/files`)
    await click('/history', 'away')
    await page.waitForURL(`${url}/history`)
    await click('//elsewhere.example')
    await page.waitForURL(`${url}/`)
    expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true)
  },
)

test.runIf(hasNotifyingBrowser)(
  'what the browser offers to install is in the account menu, and a page from before an update says so',
  limits,
  async () => {
    const { page, url } = dashboard
    await page.goto(`${url}/queue`)
    await untilControlled(page)
    const menu = page.getByRole('button', { name: /^Account menu/ })
    const install = page.getByRole('menuitem', { name: 'Install on this device' })
    await menu.click()
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
    expect(await install.count()).toBe(0)
    // Windows of tests are offered nothing, as private windows are not.
    await page.evaluate(() => {
      const offer = new Event('beforeinstallprompt', { cancelable: true })
      const prompt = async () => {
        document.title = 'asked'
      }
      window.dispatchEvent(Object.assign(offer, { prompt }))
    })
    await install.click()
    expect(await page.title()).toBe('asked')
    await menu.click()
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
    expect(await install.count()).toBe(0)
    await page.keyboard.press('Escape')

    const tell = (entry: string | null) =>
      page.evaluate((of) => {
        const told = new MessageEvent('message', { data: { type: 'build', entry: of } })
        navigator.serviceWorker.dispatchEvent(told)
      }, entry)
    const notice = page.getByRole('status').filter({ hasText: 'Printyard was updated' })
    await tell(await page.locator('script[type="module"]').first().getAttribute('src'))
    expect(await notice.count()).toBe(0)
    await tell('/assets/index-other.js')
    await notice.getByRole('button', { name: 'Reload' }).click()
    await page.getByRole('heading', { level: 1, name: 'Queue' }).waitFor()
    await notice.waitFor({ state: 'hidden' })
  },
)

test.runIf(hasNotifyingBrowser)(
  'opened while the service is away, the dashboard says so in its own words and goes on when it is back',
  limits,
  async () => {
    const { page, url } = dashboard
    await page.goto(`${url}/printers`)
    await untilControlled(page)
    await dashboard.killService()
    await page.reload()
    await page.getByRole('heading', { name: 'The service does not answer' }).waitFor()
    await page.getByText('This page opens automatically once the service answers').waitFor()
    await dashboard.startService()
    await page.getByRole('heading', { level: 1, name: 'Printers' }).waitFor()
  },
)

interface Push {
  wire: CDPSession
  push(payload: unknown): Promise<void>
}

/** Pushes as the browser does what its push service brings it. */
async function openPush(context: BrowserContext, page: Page, url: string): Promise<Push> {
  const wire = await context.newCDPSession(page)
  const registration = new Promise<string>((resolve) => {
    wire.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const own = registrations.find(({ scopeURL, isDeleted }) => scopeURL === `${url}/` && !isDeleted)
      if (own) resolve(own.registrationId)
    })
  })
  await wire.send('ServiceWorker.enable')
  const registrationId = await registration
  return {
    wire,
    async push(payload) {
      const data = typeof payload === 'string' ? payload : JSON.stringify(payload)
      await wire.send('ServiceWorker.deliverPushMessage', { origin: url, registrationId, data })
    },
  }
}

// An update of the service, as the browser sees it: the same address has another build.
test.runIf(hasNotifyingBrowser)(
  'a new build takes over whole: the open page keeps its own parts, the next one is all new, and older builds go',
  limits,
  async () => {
    const site = await startBuiltDashboard()
    const browser = await launchBrowser({ hasNotifications: true })
    try {
      const context = await browser.newContext()
      const page = await context.newPage()
      await page.goto(`${site.url}/sign-in`)
      await untilControlled(page)
      const entryOf = () => page.locator('script[type="module"]').first().getAttribute('src')
      const [first] = Object.keys(await keptPaths(page))
      const firstEntry = await entryOf()

      await site.update()
      await page.evaluate(async () => (await navigator.serviceWorker.ready).update())
      await expect.poll(async () => Object.keys(await keptPaths(page)).length, { timeout: 60_000 }).toBe(2)
      const [, second] = Object.keys(await keptPaths(page))
      expect(second).not.toBe(first)
      await expect.poll(async () => (await keptPaths(page))[second ?? ''], { timeout: 60_000 }).toContain('/')
      const isTakenOver = () =>
        page.evaluate(async () => {
          const { active, installing, waiting } = await navigator.serviceWorker.ready
          return active?.state === 'activated' && !installing && !waiting
        })
      await expect.poll(isTakenOver, { timeout: 60_000 }).toBe(true)
      // The page from before the update still finds its own parts, which the service has no more.
      expect(await entryOf()).toBe(firstEntry)
      expect((await context.request.get(site.url + firstEntry)).status()).toBe(404)
      expect(await page.evaluate(async (path) => (await fetch(path)).status, firstEntry ?? '')).toBe(200)

      await page.reload()
      expect(await entryOf()).not.toBe(firstEntry)
      await site.stop()
      await page.reload()
      // Without the service it is the new build, too, and whole.
      expect(await entryOf()).not.toBe(firstEntry)
      await page.getByRole('heading').first().waitFor()

      await site.update()
      await page.reload()
      await expect
        .poll(async () => Object.keys(await keptPaths(page)), { timeout: 60_000 })
        .toEqual([second, expect.stringMatching(/^printyard-shell-/)])
    } finally {
      await browser.close()
      await site.remove()
    }
  },
)

/** The built dashboard in a folder of its own, behind the service's own routes for it and an API in which no one is signed in. */
async function startBuiltDashboard() {
  const parent = await mkdtemp(join(tmpdir(), 'printyard-builds-'))
  const folder = join(parent, 'dist')
  await cp(builtFolder, folder, { recursive: true })
  let app: App | undefined
  let port = 0

  async function start(): Promise<void> {
    const made = Fastify() as unknown as App
    const built = openDashboard(folder)
    answerUnknownRoutes(made, built.answerPage)
    await built.routes(made)
    const refusal = { error: { code: 'UNAUTHORIZED', message: 'Sign in.' } }
    made.get('/app/v1/session', (_request, reply) => reply.code(401).send(refusal))
    made.get('/app/v1/setup', () => ({ data: { needed: false } }))
    await made.listen({ host: '127.0.0.1', port })
    ;({ port } = made.server.address() as AddressInfo)
    app = made
  }
  const stop = async () => {
    app?.server.closeAllConnections()
    await app?.close()
    app = undefined
  }
  await start()
  return {
    url: `http://127.0.0.1:${port}`,
    stop,
    async remove() {
      await stop()
      await rm(parent, { recursive: true, force: true })
    },
    /** Starts again with another build: the scripts have other names, as after any change of them. */
    async update() {
      const fresh = join(parent, randomUUID())
      await cp(folder, fresh, { recursive: true })
      const page = await readFile(join(fresh, 'index.html'), 'utf8')
      const [, entry] = /<script type="module"[^>]* src="\/assets\/([^"]+)\.js"/.exec(page) ?? []
      if (entry === undefined) throw new Error('the page names no script')
      const other = `index-${randomUUID().slice(0, 8)}`
      const worker = await readFile(join(fresh, 'sw.js'), 'utf8')
      const [cache] = /printyard-shell-[0-9a-f]{16}/.exec(worker) ?? []
      if (cache === undefined) throw new Error('the worker names no cache')
      const otherCache = `printyard-shell-${randomUUID().replaceAll('-', '').slice(0, 16)}`
      const assets = join(fresh, 'assets')
      const names = await readdir(assets)
      // Compressed copies are of the build before.
      const copies = names.filter((name) => /\.(br|gz)$/.test(name))
      await Promise.all([
        ...copies.map((name) => rm(join(assets, name))),
        ...['sw.js.br', 'sw.js.gz'].map((name) => rm(join(fresh, name), { force: true })),
      ])
      const texts = [
        ...names.filter((name) => name.endsWith('.js')).map((name) => join(assets, name)),
        ...['index.html', 'sw.js'].map((name) => join(fresh, name)),
      ]
      for (const path of texts) {
        const text = await readFile(path, 'utf8')
        const changed = text.replaceAll(entry, other).replaceAll(cache, otherCache)
        if (changed !== text) await writeFile(path, changed)
      }
      await rename(join(assets, `${entry}.js`), join(assets, `${other}.js`))
      const old = join(parent, `old-${randomUUID()}`)
      await stop()
      await rename(folder, old)
      await rename(fresh, folder)
      await start()
    },
  }
}
