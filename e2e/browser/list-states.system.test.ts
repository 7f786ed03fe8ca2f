import { sampleOf } from '@printyard/protocol/test/sample'
import type { Route } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { goTo } from './test/go-to.ts'
import { type ListStates, lists } from './test/list-states.ts'
import { hasBrowser, startDashboard, type TestDashboard } from './test/test-dashboard.ts'

let dashboard: TestDashboard
beforeAll(async () => {
  if (!hasBrowser) return
  dashboard = await startDashboard({ reducedMotion: 'reduce' })
  await dashboard.signedIn()
}, 120_000)
afterAll(() => dashboard?.end(), 60_000)
afterEach(() => dashboard?.page.unrouteAll({ behavior: 'ignoreErrors' }))

const broken = {
  status: 500,
  contentType: 'application/json',
  headers: { 'x-request-id': 'req-of-the-test' },
  body: JSON.stringify({ success: false, error: { code: 'INTERNAL_ERROR', message: 'Something went wrong.' } }),
}

const nameOf = ({ at, route }: ListStates) => `${at} (${route})`

type Answer = (route: Route) => Promise<void>

/** Holds the answers with the rows of a list, until it is said how all of them are answered. */
async function holdAnswers({ route: path }: ListStates) {
  const { page } = dashboard
  const held: Route[] = []
  const arrived = Promise.withResolvers<void>()
  let answer: Answer | undefined
  await page.route(
    (url) => url.pathname === `/app/v1${path}`,
    (route) => {
      if (route.request().method() !== 'GET') return route.fallback()
      if (answer) return answer(route)
      held.push(route)
      arrived.resolve()
      return undefined
    },
  )
  return {
    arrived: arrived.promise,
    /** Answers what came and what comes. */
    async answerAll(next: Answer) {
      answer = next
      await Promise.all(held.splice(0).map(next))
    },
  }
}

const letThrough: Answer = (route) => route.continue()
describe.runIf(hasBrowser)(
  'a list shows that it is on its way, that it could not be read, and that it is empty',
  () => {
    test.each(sampleOf(lists, 4).map((list) => [nameOf(list), list] as const))(
      '%s',
      { timeout: 30_000 },
      async (_, list) => {
        const { page, url } = dashboard
        const main = page.locator('main')
        const answers = await holdAnswers(list)
        await page.goto(url + list.at)
        await answers.arrived
        await main.locator('[aria-busy="true"]').first().waitFor()
        expect(await main.getByText(list.empty).count()).toBe(0)

        await answers.answerAll((route) => route.fulfill(broken))
        const alert = main.getByRole('alert').filter({ hasText: list.failed })
        await alert.waitFor()
        expect(await main.getByText(list.empty).count()).toBe(0)
        await alert.getByText(/req-of-the-test/).waitFor()

        await answers.answerAll(letThrough)
        await alert.getByRole('button', { name: 'Try again' }).click()
        await main.getByText(list.empty).first().waitFor()
        expect(await alert.count()).toBe(0)
      },
    )
  },
)

describe.runIf(hasBrowser)('a list whose filters nothing matches says so, and shows all again', () => {
  const withFilters = lists.flatMap((list) => (list.filtered ? [[nameOf(list), list, list.filtered] as const] : []))
  test.each(sampleOf(withFilters, 4, 1))('%s', { timeout: 30_000 }, async (_, list, { at, none, clear }) => {
    const { page, url } = dashboard
    const main = page.locator('main')
    await goTo(page, new URL(url + at))
    await main.getByText(none).first().waitFor()
    expect(await main.getByText(list.empty).count()).toBe(0)
    const here = main.getByRole('link', { name: clear, exact: true })
    await here
      .or(main.getByRole('button', { name: clear, exact: true }))
      .first()
      .click()
    await main.getByText(list.empty).first().waitFor()
    expect(await main.getByText(none).count()).toBe(0)
  })

  test('printers, once there is one', { timeout: 30_000 }, async () => {
    const { page, url, ask } = dashboard
    const body = { name: 'Bench 1', model: 'MK4S', connection_type: 'virtual' }
    const { id } = await ask<{ id: string }>('POST', '/printers', body)
    const main = page.locator('main')
    await page.goto(`${url}/printers?search=nothing`)
    await main.getByText('No printer matches').waitFor()
    await main.getByRole('button', { name: 'Show all printers' }).click()
    await main.getByText('Bench 1').first().waitFor()
    await ask('DELETE', `/printers/${id}`)
  })

  test('failures, once all were looked into', { timeout: 30_000 }, async () => {
    const { page, url } = dashboard
    const main = page.locator('main')
    // One that was looked into counts among all of them, and is none of those that are open.
    await page.route(
      (there) => there.pathname === '/app/v1/analytics/failures' && !there.searchParams.has('resolved'),
      async (route) => {
        const answer = await route.fetch()
        const body = await answer.json()
        await route.fulfill({ response: answer, json: { ...body, data: { ...body.data, total_failures: 1 } } })
      },
    )
    await page.goto(`${url}/failures`)
    await main.getByText('Every failure was looked into').waitFor()
    await main.getByRole('link', { name: 'Show all' }).click()
    await page.waitForURL(`${url}/failures?show=all`)
  })

  test('deliveries of a webhook', { timeout: 30_000 }, async () => {
    const { page, url, ask } = dashboard
    await ask('POST', '/proof', { password: 'correct horse battery' })
    const { id } = await ask<{ id: string }>('POST', '/webhooks', { url: 'https://erp.example.com/hook' })
    const main = page.locator('main')
    await page.goto(`${url}/settings/webhooks/${id}?status=delivered`)
    await main.getByText('None in this state').waitFor()
    await main.getByRole('button', { name: 'Show all' }).click()
    await page.waitForURL(`${url}/settings/webhooks/${id}`)
  })
})

test.runIf(hasBrowser)(
  'a list that is read while the service cannot be reached says so, and is there once it can be',
  { timeout: 60_000 },
  async () => {
    const { page, url } = dashboard
    const main = page.locator('main')
    const list = lists.find(({ at }) => at === '/orders') as ListStates
    const answers = await holdAnswers(list)
    await page.goto(url + list.at)
    await answers.arrived
    await answers.answerAll((route) => route.abort('internetdisconnected'))
    const alert = main.getByRole('alert').filter({ hasText: list.failed })
    await alert.waitFor()
    await answers.answerAll(letThrough)
    await alert.getByRole('button', { name: 'Try again' }).click()
    await main.getByText(list.empty).first().waitFor()
  },
)
