import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hasBrowser, owner, startDashboard, type TestDashboard } from './test/test-dashboard.ts'

const limits = { timeout: 240_000 }

let dashboard: TestDashboard
/** Passkeys are bound to a name, never to an IP address. */
let url: string
beforeAll(async () => {
  if (!hasBrowser) return
  dashboard = await startDashboard()
  await dashboard.signedIn()
  url = dashboard.url.replace('127.0.0.1', 'localhost')
}, 180_000)
afterAll(() => dashboard?.end(), 60_000)

/** A device with a screen lock that its person always opens. */
async function addAuthenticator(context: BrowserContext, page: Page): Promise<void> {
  const devtools = await context.newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

async function signInByPassword(page: Page): Promise<void> {
  await page.goto(`${url}/sign-in`)
  await page.getByLabel('Email').fill(owner.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(owner.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
}

test.runIf(hasBrowser)(
  'what could take the account over asks who it is, and goes on by itself once that was shown',
  limits,
  async () => {
    const { page, context } = await dashboard.open()
    await signInByPassword(page)
    await page.goto(`${url}/settings/api-keys`)
    // As the service answers ten minutes after the sign-in.
    await page.route(
      '**/app/v1/api-keys',
      (route) =>
        route.fulfill({
          status: 403,
          json: {
            success: false,
            error: {
              code: 'PROOF_REQUIRED',
              message: 'Confirm your identity first.',
              details: { methods: ['password'] },
            },
          },
        }),
      { times: 1 },
    )
    await page.getByRole('button', { name: 'Make an API key' }).click()
    const making = page.getByRole('dialog', { name: 'Make an API key' })
    await making.getByLabel('Name').fill('Shop')
    expect(await making.getByLabel('Ends').inputValue()).toBe('After 90 days')
    await making.getByRole('button', { name: 'Make the key' }).click()
    const asking = page.getByRole('dialog', { name: 'Is it you?' })
    await asking.getByRole('textbox', { name: 'Your password' }).fill('not the password')
    await asking.getByRole('button', { name: 'Go on' }).click()
    await asking.getByText('is not your password').waitFor()
    await asking.getByRole('textbox', { name: 'Your password' }).fill(owner.password)
    await asking.getByRole('button', { name: 'Go on' }).click()
    await making.getByText('Key of Shop: shown only now').waitFor()
    await context.close()
  },
)

test.runIf(hasBrowser)('a passkey that was added under Profile signs its person in', limits, async () => {
  const { page, context, faults } = await dashboard.open()
  await addAuthenticator(context, page)
  await signInByPassword(page)
  await page.goto(`${url}/settings/profile`)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  const row = page.getByRole('table', { name: 'Passkeys' }).getByRole('row').nth(1)
  await row.waitFor()
  await row.getByRole('button', { name: /^Rename the passkey / }).click()
  await page.getByRole('textbox', { name: 'Name of the passkey' }).fill('Desk')
  await row.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Remove the passkey Desk' }).waitFor()

  await context.clearCookies()
  await page.goto(`${url}/sign-in`)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()

  await page.goto(`${url}/settings/profile`)
  await page.getByRole('button', { name: 'Remove the passkey Desk' }).click()
  await page
    .getByRole('dialog', { name: 'Remove the passkey Desk?' })
    .getByRole('button', { name: 'Remove the passkey' })
    .click()
  await row.waitFor({ state: 'detached' })
  // The service by its name is no other place.
  expect(faults.filter((fault) => fault !== `a request to ${url}`)).toEqual([])
  await context.close()
})
