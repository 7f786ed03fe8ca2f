import type { AccountId } from '@printyard/server/kernel/ids'
import { createSecretBox, loadSecretKey } from '@printyard/server/kernel/secret-box'
import { createHubWithToken } from '@printyard/server/modules/hubs/hubs.service'
import { setUpCode } from '@printyard/server/modules/people/sign-in/set-up-code'
import { systemWork } from '@printyard/server/test/app/system-work'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { insertIntoDatabase, makeDataDirectory, startService } from '../farms/farm.ts'
import { connectPrintingHub } from '../farms/printing-farm.ts'
import { openBrowser } from '../harness/browser.ts'
import { atMost, type Benchmark } from '../harness/result.ts'
import { median } from '../harness/statistics.ts'
import { visitPages } from '../harness/visit-pages.ts'

const printers = 500
const loads = 3
const warmUpSeconds = 8
const defaultMinutes = 0.5
const sampleSeconds = 5

/** A small computer on a weak line: a quarter of this processor; 1.6 Mbit/s down, 750 kbit/s up, 150 ms there and back. */
const slow = { cpu: 4, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750, offline: false }

const person = { name: 'Owner', email: 'owner@example.com', password: 'correct horse battery' }

export const web: Benchmark = {
  name: 'web',
  what: `The dashboard in a browser: its first load on a slow line, and ${printers} printers live (--minutes 60: for an hour)`,
  async run(scope, { minutes = defaultMinutes }) {
    const dataDir = await makeDataDirectory(scope)
    const { url } = await startService(scope, dataDir)
    const browser = await openBrowser(scope)
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    context.setDefaultTimeout(120_000)
    const ask = async <T>(method: string, path: string, data: object): Promise<T> => {
      const answer = await context.request.fetch(`${url}/app/v1${path}`, { method, headers: { origin: url }, data })
      const body = (await answer.json()) as { success: boolean; data: T }
      if (!body.success) throw new Error(`${method} ${path} answers ${JSON.stringify(body)}`)
      return body.data
    }
    const code = setUpCode(createSecretBox(await loadSecretKey(dataDir)))
    const owner = { ...person, account_name: 'Farm', code }
    const { account } = await ask<{ account: { id: AccountId } }>('POST', '/setup', owner)
    const hub = await insertIntoDatabase(dataDir, (sql) => createHubWithToken(systemWork(sql, account.id), 'Hub'))
    const printerIds: string[] = []
    for (let number = 1; number <= printers; number += 1) {
      const name = `Printer ${String(number).padStart(3, '0')}`
      const printer = { name, model: 'MK4S', hub_id: hub.id, connection_type: 'virtual' }
      printerIds.push((await ask<{ id: string }>('POST', '/printers', printer)).id)
    }
    await connectPrintingHub(scope, url, hub.token, printerIds)

    const firstLoads: FirstLoad[] = []
    for (let load = 0; load < loads; load += 1) firstLoads.push(await loadSlowly(browser, context, url))
    const empty = await watchFrames(await context.newPage(), `${url}/settings/profile`, 0.2)
    const live = await watchFrames(await context.newPage(), `${url}/printers`, minutes)

    const wall = await watchFrames(await context.newPage(), `${url}/printers/wall`, minutes)

    const visits = await visitPages(scope, dataDir, context, { url, accountId: account.id, ask })

    const paints: FirstPaint[] = []
    for (let load = 0; load < loads; load += 1) paints.push(await paintFirst(browser, context, url))

    const scriptKb = median(firstLoads.map(({ scriptBytes }) => scriptBytes)) / 1000
    const third = Math.max(1, Math.floor(live.heapMb.length / 3))
    const heapBefore = median(live.heapMb.slice(third, 2 * third))
    const heapAfter = median(live.heapMb.slice(-third))
    return {
      name: 'web',
      times_ms: {
        'to a useful overview, slow machine and line': Math.round(median(firstLoads.map(({ usefulMs }) => usefulMs))),
        'to a useful overview of a large farm, this machine': Math.round(
          median(paints.map(({ usefulMs }) => usefulMs)),
        ),
        ...Object.fromEntries(
          visits.map(({ name, usefulMs }) => [`click to ${name}, large farm`, Math.round(usefulMs)]),
        ),
      },
      compared: {
        'a page at rest': describeFrames(empty),
        [`${printers} printers live`]: {
          ...describeFrames(live),
          'JS heap, MB, collected': `${heapBefore.toFixed(1)} in the middle, ${heapAfter.toFixed(1)} at the end`,
        },
        [`${printers} on the wall`]: describeFrames(wall),
      },
      goals: [
        atMost('KB of script for the overview, as sent', scriptKb, 250),
        atMost('ms to the first contentful paint, large farm', median(paints.map(({ paintMs }) => paintMs)), 1_000),
        atMost('% of frames over 50 ms', live.longPercent, 1),
        atMost('% of frames over 50 ms, wall', wall.longPercent, 1),
        atMost('heap of the last third over the middle', heapAfter / heapBefore, 1.1),
        atMost(
          'ms from a click to a page of a large farm, the slowest',
          Math.max(...visits.map((v) => v.usefulMs)),
          500,
        ),
      ],
    }
  },
}

interface FirstLoad {
  scriptBytes: number
  usefulMs: number
}

/** With nothing in the cache, until the counts of the overview are there. */
async function loadSlowly(browser: Browser, signedIn: BrowserContext, url: string): Promise<FirstLoad> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    storageState: await signedIn.storageState(),
  })
  context.setDefaultTimeout(120_000)
  const page = await context.newPage()
  const wire = await context.newCDPSession(page)
  const { cpu, ...network } = slow
  await wire.send('Network.enable')
  await wire.send('Network.emulateNetworkConditions', network)
  await wire.send('Emulation.setCPUThrottlingRate', { rate: cpu })
  const scripts = new Map<string, number>()
  const urls = new Map<string, string>()
  wire.on('Network.responseReceived', ({ requestId, response }) => urls.set(requestId, response.url))
  wire.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const address = urls.get(requestId) ?? ''
    if (address.endsWith('.js')) scripts.set(address, encodedDataLength)
  })
  const startedAt = performance.now()
  await page.goto(url, { waitUntil: 'commit' })
  await page.getByRole('list', { name: 'Counts' }).waitFor()
  const usefulMs = performance.now() - startedAt
  await context.close()
  return { usefulMs, scriptBytes: [...scripts.values()].reduce((sum, bytes) => sum + bytes, 0) }
}

interface FirstPaint {
  /** As the browser tells it: from the beginning of the navigation. */
  paintMs: number
  usefulMs: number
}

/** On this machine as it is, with nothing in the cache: until something is drawn, and until the counts of the overview are there. */
async function paintFirst(browser: Browser, signedIn: BrowserContext, url: string): Promise<FirstPaint> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    storageState: await signedIn.storageState(),
  })
  const page = await context.newPage()
  const startedAt = performance.now()
  await page.goto(url, { waitUntil: 'commit' })
  await page.getByRole('list', { name: 'Counts' }).waitFor()
  const usefulMs = performance.now() - startedAt
  const paintMs = await page.evaluate<number>(`performance.getEntriesByName('first-contentful-paint')[0]?.startTime`)
  await context.close()
  return { paintMs, usefulMs }
}

interface Frames {
  count: number
  p50Ms: number
  p95Ms: number
  longestMs: number
  /** Of all frames, those that took more than 50 ms. */
  longPercent: number
  /** Tasks of 50 ms and more, as the browser counts them. */
  longTasksPerMinute: number
  heapMb: number[]
}

/** Runs in the page, as the two below: notes when each frame is drawn, and each task that is long to the browser. */
const beginWatching = `
  globalThis.seen = { frames: [], longTasks: 0 }
  new PerformanceObserver((list) => { seen.longTasks += list.getEntries().length }).observe({ type: 'longtask' })
  let before = performance.now()
  const onFrame = (now) => {
    seen.frames.push(now - before)
    before = now
    requestAnimationFrame(onFrame)
  }
  requestAnimationFrame(onFrame)`

const takeSeen = `(() => {
  const taken = { frames: seen.frames, longTasks: seen.longTasks }
  Object.assign(seen, { frames: [], longTasks: 0 })
  return taken
})()`

/** Collecting garbage is the benchmark's doing, and so is the frame that it held up. */
const forgetNextFrames = `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => {
  Object.assign(seen, { frames: [], longTasks: 0 })
  resolve()
})))`

/** Looks at a page for a while: when each of its frames was drawn, and what its heap holds after collecting garbage. */
async function watchFrames(page: Page, url: string, minutes: number): Promise<Frames> {
  const wire = await page.context().newCDPSession(page)
  await page.goto(url)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await new Promise((resolve) => setTimeout(resolve, warmUpSeconds * 1000))
  await page.evaluate(beginWatching)
  const frames: number[] = []
  const heapMb: number[] = []
  let longTasks = 0
  for (const end = performance.now() + minutes * 60_000; performance.now() < end; ) {
    await new Promise((resolve) => setTimeout(resolve, sampleSeconds * 1000))
    const part = await page.evaluate<{ frames: number[]; longTasks: number }>(takeSeen)
    frames.push(...part.frames)
    longTasks += part.longTasks
    await wire.send('HeapProfiler.collectGarbage')
    const { usedSize } = await wire.send('Runtime.getHeapUsage')
    heapMb.push(usedSize / 1e6)
    // Collecting is ours, and so is the frame that it held up.
    await page.evaluate(forgetNextFrames)
  }
  await page.close()
  const sorted = [...frames].sort((a, b) => a - b)
  return {
    count: frames.length,
    p50Ms: median(frames),
    p95Ms: sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN,
    longestMs: sorted.at(-1) ?? Number.NaN,
    longPercent: (frames.filter((ms) => ms > 50).length / frames.length) * 100,
    longTasksPerMinute: longTasks / minutes,
    heapMb,
  }
}

function describeFrames({ count, p50Ms, p95Ms, longestMs, longPercent, longTasksPerMinute }: Frames) {
  return {
    frames: String(count),
    'ms between frames': `p50 ${p50Ms.toFixed(1)}, p95 ${p95Ms.toFixed(1)}, max ${longestMs.toFixed(0)}`,
    '% over 50 ms': longPercent.toFixed(2),
    'long tasks a minute': longTasksPerMinute.toFixed(1),
  }
}
