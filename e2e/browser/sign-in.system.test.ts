import { Secret, TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hasBrowser, owner, startDashboard, type TestDashboard, type Visitor } from './test/test-dashboard.ts'

const limits = { timeout: 240_000 }
const otherPassword = 'a horse of another colour'
const stepMs = 30_000

let dashboard: TestDashboard
beforeAll(async () => {
  if (!hasBrowser) return
  dashboard = await startDashboard()
  await dashboard.signedIn()
}, 180_000)
afterAll(() => dashboard?.end(), 60_000)

test.runIf(hasBrowser)(
  'with an authenticator app, signing in takes its code or a backup code, and each of them once',
  limits,
  async () => {
    const { page, email, context, faults } = await openMember('Careful')
    await page.goto(`${dashboard.url}/settings/profile`)
    await page.getByRole('button', { name: 'Add an authenticator app' }).click()
    const app = authenticatorApp((await page.locator('main code').innerText()).replaceAll(/\s/g, ''))

    await page.getByRole('textbox', { name: 'Code' }).fill(app.wrong())
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.getByText('This code is wrong. Is the clock of the phone right?').waitFor()
    await page.getByRole('textbox', { name: 'Code' }).fill(app.next())
    await page.getByRole('button', { name: 'Confirm' }).click()
    const shown = page.getByRole('alert').filter({ hasText: 'Backup codes: shown only now' })
    await shown.waitFor()
    const codes = await shown.getByRole('listitem').allInnerTexts()
    expect(codes).toHaveLength(10)
    await shown.getByRole('button', { name: 'I have kept them' }).click()
    await page.getByRole('button', { name: 'Remove the app' }).waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Remove the app' }).waitFor()
    const content = await page.content()
    expect(codes.filter((code) => code === '' || content.includes(code))).toEqual([])

    const [first = '', second = ''] = codes
    await signOut(page)
    await enterPassword(page, email)
    await enterCode(page, app.wrong())
    await page.getByText('This code is wrong or has been used').waitFor()
    await enterCode(page, app.next())
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()

    await signOut(page)
    await enterPassword(page, email)
    await enterCode(page, first)
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()

    await signOut(page)
    await enterPassword(page, email)
    await enterCode(page, first)
    await page.getByText('This code is wrong or has been used').waitFor()
    await enterCode(page, second.toUpperCase())
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    expect(faults).toEqual([])
    await context.close()
  },
)

test.runIf(hasBrowser)('anyone who is wrong too often is told when to try again', limits, async () => {
  const { context, email } = await openMember('Guesser')
  await context.close()
  const { page, faults, context: another } = await dashboard.open()
  for (let tries = 0; tries < 10; tries += 1) {
    const answer = await another.request.post(`${dashboard.url}/app/v1/sign-in`, {
      headers: { origin: dashboard.url },
      data: { email, password: `guess number ${tries}` },
    })
    expect(answer.status()).toBe(401)
  }
  await page.goto(`${dashboard.url}/sign-in`)
  await enterPassword(page, email)
  await page
    .getByRole('alert')
    .getByText(/^Too many tries\. Try again in \d+ min\.$/)
    .waitFor()
  expect(faults).toEqual([])
  await another.close()
})

test.runIf(hasBrowser)(
  'a link for a new password works once, ends what was signed in, and leaves people where they were',
  limits,
  async () => {
    const member = await openMember('Forgetful')
    await member.page.goto(`${dashboard.url}/history?status=failed`)
    await member.page.getByRole('heading', { level: 1, name: 'History' }).waitFor()

    const { page, url } = dashboard
    await page.goto(`${url}/settings/members`)
    await page.getByRole('button', { name: 'Change Forgetful' }).click()
    await page.getByRole('menuitem', { name: 'Link for a new password' }).click()
    await page.getByRole('button', { name: 'Make the link' }).click()
    const link = await page.getByRole('dialog').locator('code', { hasText: '/reset-password#' }).innerText()

    const fresh = await dashboard.open()
    await fresh.page.goto(link)
    await setPassword(fresh.page, otherPassword)
    await fresh.page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
    await enterPassword(fresh.page, member.email)
    await fresh.page.getByText('The e-mail address or the password is wrong.').waitFor()
    await enterPassword(fresh.page, member.email, otherPassword)
    await fresh.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()

    const again = await dashboard.open()
    await again.page.goto(link)
    await setPassword(again.page, 'a third one, by a thief')
    await again.page.getByText('This link is unknown, used or expired; ask for a new one.').waitFor()

    const ended = member.page.getByRole('dialog', { name: 'Your session has ended' })
    await ended.getByRole('textbox', { name: 'Password' }).fill(otherPassword)
    await ended.getByRole('button', { name: 'Sign in', exact: true }).click()
    await ended.waitFor({ state: 'detached' })
    expect(member.page.url()).toBe(`${url}/history?status=failed`)
    for (const { context, faults } of [member, fresh, again]) {
      expect(faults).toEqual([])
      await context.close()
    }
  },
)

test.runIf(hasBrowser)(
  'an invitation that was used or withdrawn says so, and leads to the sign-in',
  limits,
  async () => {
    const { page, faults, context, ask } = await dashboard.open()
    const used = await invite('used@example.com')
    await ask('POST', '/invitations/accept', { token: used.token, name: 'Joined', password: owner.password })
    await context.clearCookies()
    const withdrawn = await invite('withdrawn@example.com')
    await dashboard.ask('DELETE', `/invitations/${withdrawn.id}`)
    for (const token of [used.token, withdrawn.token, 'x'.repeat(43)]) {
      await page.goto('about:blank')
      await page.goto(`${dashboard.url}/invitation#${token}`)
      const refusal = page.getByRole('alert').filter({ hasText: 'This invitation cannot be used' })
      await refusal.getByText('This invitation is unknown, used, withdrawn or expired; ask for a new one.').waitFor()
      expect(await page.getByRole('button', { name: /^Join/ }).count()).toBe(0)
    }
    await page.getByRole('link', { name: 'Go to sign in' }).click()
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
    expect(faults).toEqual([])
    await context.close()
  },
)

test.runIf(hasBrowser)(
  'who is signed out from another browser signs in again and goes on where they were',
  limits,
  async () => {
    const here = await openMember('Traveller')
    const there = await dashboard.open()
    await there.page.goto(`${dashboard.url}/files`)
    await enterPassword(there.page, here.email)
    const search = there.page.getByRole('searchbox', { name: 'Search files' })
    await search.fill('bracket')
    await there.page.waitForURL(`${dashboard.url}/files?search=bracket`)

    await endOtherSession(here.page)
    // The next thing done there finds the session gone, if the page has not heard of it before.
    await search.fill('bracket of steel')
    const ended = there.page.getByRole('dialog', { name: 'Your session has ended' })
    await ended.waitFor()
    expect(await ended.getByRole('textbox', { name: 'Email' }).inputValue()).toBe(here.email)
    await ended.getByRole('textbox', { name: 'Password' }).fill(owner.password)
    await ended.getByRole('button', { name: 'Sign in', exact: true }).click()
    await ended.waitFor({ state: 'detached' })
    expect(await search.inputValue()).toBe('bracket of steel')

    await endOtherSession(here.page)
    await ended.waitFor()
    await there.page.goto(`${dashboard.url}/files?search=bracket`)
    await there.page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
    await enterPassword(there.page, here.email)
    await there.page.waitForURL(`${dashboard.url}/files?search=bracket`)
    await there.page.getByRole('heading', { level: 1, name: 'Files' }).waitFor()
    expect([...here.faults, ...there.faults]).toEqual([])
    await here.context.close()
    await there.context.close()
  },
)

test.runIf(hasBrowser)(
  'where an account asks for a second factor, a member adds one on the page that is shown instead of all others',
  limits,
  async () => {
    const { page: owners, url, ask } = dashboard
    const member = await openMember('Asked')
    await owners.goto(`${url}/settings/account`)
    await owners.getByRole('switch', { name: 'Members need a second factor' }).check()
    await owners.getByRole('button', { name: 'Save' }).first().click()
    // The owner is no exception.
    await owners.getByRole('heading', { level: 1, name: 'Add a second factor' }).waitFor()

    const { page } = member
    const asked = page.getByRole('heading', { level: 1, name: 'Add a second factor' })
    for (const path of ['/', '/files', '/settings/profile']) {
      await page.goto(`${url}${path}`)
      await asked.waitFor()
      expect(new URL(page.url()).pathname).toBe('/second-factor')
    }
    expect(await page.getByRole('navigation').count()).toBe(0)
    const goOn = page.getByRole('button', { name: 'Go on' })
    expect(await goOn.isDisabled()).toBe(true)

    // Away and back: the password alone leads here again.
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
    await enterPassword(page, member.email)
    await asked.waitFor()

    await page.getByRole('button', { name: 'Add an authenticator app' }).click()
    const app = authenticatorApp((await page.locator('main code').innerText()).replaceAll(/\s/g, ''))
    await page.getByRole('textbox', { name: 'Code' }).fill(app.next())
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.getByRole('button', { name: 'I have kept them' }).click()
    await goOn.click()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await page.goto(`${url}/settings/profile`)
    await page.getByRole('button', { name: 'Remove the app' }).waitFor()
    expect(member.faults).toEqual([])
    await member.context.close()

    // With a factor of their own the owner takes the rule back, for the tests after this one.
    const { secret } = await ask<{ secret: string }>('POST', '/totp')
    await ask('POST', '/totp/confirm', { code: authenticatorApp(secret).next() })
    await ask('PATCH', '/account', { require_second_factor: false })
    await ask('POST', '/totp/remove')
    expect(dashboard.faults).toEqual([])
  },
)

/** A member of this name in a window of their own, with the password of the owner. */
async function openMember(name: string): Promise<Visitor & { email: string }> {
  const visitor = await dashboard.openAs('operator')
  await visitor.ask('PUT', '/profile', { name })
  const { user } = await visitor.ask<{ user: { email: string } }>('GET', '/session')
  return { ...visitor, email: user.email }
}

async function invite(email: string): Promise<{ id: string; token: string }> {
  const { id, url } = await dashboard.ask<{ id: string; url: string }>('POST', '/invitations', {
    email,
    role: 'viewer',
  })
  return { id, token: new URL(url).hash.slice(1) }
}

/** An authenticator app that shows each of its codes once, as the service takes it once. */
function authenticatorApp(secret: string) {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  const codeOf = (step: number) => totp.generate({ timestamp: step * stepMs })
  const stepNow = () => Math.floor(Date.now() / stepMs)
  let last = 0
  return {
    next(): string {
      // The service takes the code of the next half minute, too.
      last = Math.max(last + 1, stepNow())
      return codeOf(last)
    },
    /** The code of no half minute near. */
    wrong(): string {
      const right = [-2, -1, 0, 1, 2, 3].map((by) => codeOf(stepNow() + by))
      return (
        ['000000', '111111', '222222', '333333', '444444', '555555', '666666'].find((each) => !right.includes(each)) ??
        ''
      )
    },
  }
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account menu of/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
}

async function enterPassword(page: Page, email: string, password = owner.password): Promise<void> {
  await page.getByLabel('Email').fill(email)
  const typed = page.getByRole('textbox', { name: 'Password' })
  // Masked, and what password managers know it by.
  expect([await typed.getAttribute('type'), await typed.getAttribute('autocomplete')]).toEqual([
    'password',
    'current-password',
  ])
  await typed.fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

async function enterCode(page: Page, code: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Code' }).fill(code)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

async function setPassword(page: Page, password: string): Promise<void> {
  await page.getByRole('textbox', { name: 'New password' }).fill(password)
  await page.getByRole('button', { name: 'Set password' }).click()
}

/** Signs the other browser of this person out, on the page of sessions. */
async function endOtherSession(page: Page): Promise<void> {
  const other = page.getByRole('button', { name: /^Sign out (?!there|everywhere)/ })
  await page.goto(`${dashboard.url}/settings/sessions`)
  await other.click()
  await page.getByRole('button', { name: 'Sign out there' }).click()
  await other.waitFor({ state: 'detached' })
}
