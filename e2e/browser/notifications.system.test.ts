import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { seriousViolations } from './test/serious-violations.ts'
import { hasBrowser, startDashboard, type TestDashboard } from './test/test-dashboard.ts'

const limits = { timeout: 120_000 }

let dashboard: TestDashboard
beforeAll(async () => {
  if (!hasBrowser) return
  dashboard = await startDashboard({}, { settings: { PRINTYARD_OUTBOUND_NETWORKS: '127.0.0.1' } })
  await dashboard.signedIn()
}, 180_000)
afterAll(() => dashboard?.end(), 60_000)

test.runIf(hasBrowser)(
  'a channel is added, tested and named by a rule; what was entered is shown nowhere',
  limits,
  async () => {
    const { page, url } = dashboard
    await page.goto(`${url}/settings/notifications`)
    await page.getByText('None of your devices is notified').waitFor()
    await page.getByRole('button', { name: 'Add a channel' }).click()
    const adding = page.getByRole('dialog', { name: 'Add a channel' })
    await adding.getByRole('textbox', { name: 'Name' }).fill('Workshop')
    await adding.getByLabel('Topic').fill('secret-topic')
    // Nothing leaves the machine: names below .invalid exist nowhere.
    await adding.getByLabel('Server').fill('https://ntfy.invalid')
    await adding.getByRole('button', { name: 'Add the channel' }).click()
    const channel = page.getByRole('row', { name: /Workshop .*ntfy\.invalid .*Active/ })
    await channel.waitFor()
    await channel.getByRole('button', { name: 'More about the channel Workshop' }).click()
    await page.getByRole('menuitem', { name: 'Send a test' }).click()
    await page.getByText(/Workshop did not take the test/).waitFor()
    await page.getByRole('row', { name: /Test of Printyard .*Workshop .*Failed/ }).waitFor()

    await page.getByRole('button', { name: 'Add a rule' }).click()
    const rule = page.getByRole('dialog', { name: 'Add a rule' })
    await rule.getByRole('textbox', { name: 'Name' }).fill('Night shift')
    await rule.getByLabel('Quiet from').fill('22:00')
    await rule.getByLabel('Quiet until').fill('07:00')
    await rule.getByRole('button', { name: 'Add the rule' }).click()
    await page.getByRole('row', { name: /Night shift .*Needs a person/ }).waitFor()
    expect(await page.content()).not.toContain('secret-topic')
  },
)

/** Where messages arrive, until the test ends: what came, and the address. */
async function openReceiver() {
  const came: { type: string; data: { title: string } }[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      came.push(JSON.parse(Buffer.concat(chunks).toString('utf8')))
      response.writeHead(204).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return { came, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/secret-path` }
}

test.runIf(hasBrowser)('a test of a channel that is taken arrives, and the page says both', limits, async () => {
  const { page, url } = dashboard
  const receiver = await openReceiver()
  await page.goto(`${url}/settings/notifications`)
  // Until it is there, what is below still moves.
  await page.getByText('None of your devices is notified').waitFor()
  await page.getByRole('button', { name: 'Add a channel' }).click()
  const adding = page.getByRole('dialog', { name: 'Add a channel' })
  await adding.getByRole('combobox', { name: 'Service' }).click()
  await page.getByRole('option', { name: 'Webhook' }).click()
  await adding.getByRole('textbox', { name: 'Name' }).fill('ERP')
  await adding.getByLabel('URL').fill(receiver.url)
  await adding.getByRole('button', { name: 'Add the channel' }).click()
  await adding.getByText('Give it to the receiver').waitFor()
  await adding.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'More about the channel ERP' }).click()
  await page.getByRole('menuitem', { name: 'Send a test' }).click()
  await page.getByText(/^ERP answered /).waitFor()
  await page.getByRole('row', { name: /Test of Printyard .*ERP .*Sent/ }).waitFor()
  expect(receiver.came).toMatchObject([{ type: 'notification', data: { title: 'Test of Printyard' } }])
  expect(await page.content()).not.toContain('secret-path')
})

test.runIf(hasBrowser)('a rule of automation is added with two actions, turned on and deleted', limits, async () => {
  const { page, url } = dashboard
  await page.goto(`${url}/settings/automation`)
  await page.getByRole('heading', { name: 'No rule yet' }).waitFor()
  await page.getByRole('button', { name: 'Add a rule' }).click()
  const adding = page.getByRole('dialog', { name: 'Add a rule' })
  await adding.getByRole('textbox', { name: 'Name' }).fill('Three failures')
  await adding.getByLabel('Times').fill('3')
  await adding.getByRole('combobox', { name: 'Action 1' }).click()
  await page.getByRole('option', { name: 'Take the printer out of service' }).click()
  await adding.getByRole('button', { name: 'Add an action' }).click()
  await adding.getByRole('combobox', { name: 'Action 2' }).click()
  await page.getByRole('option', { name: 'Send a message' }).click()
  await adding.getByRole('combobox', { name: 'Channels' }).focus()
  await page.keyboard.press('ArrowDown')
  await page.getByRole('option', { name: 'Workshop' }).click()
  await adding.getByRole('textbox', { name: 'Name' }).click()
  expect(await seriousViolations(page)).toEqual([])
  await adding.getByRole('button', { name: 'Add the rule' }).click()
  const row = page.getByRole('row', {
    name: /Three failures 3 × Print failed in 24h Take the printer out of service, Send a message On trial/,
  })
  await row.waitFor()
  await row.getByRole('button', { name: 'More about the rule Three failures' }).click()
  await page.getByRole('menuitem', { name: 'Turn on' }).click()
  await page.getByText('The rule Three failures is on').waitFor()
  await page.getByRole('button', { name: 'More about the rule Three failures' }).click()
  await page.getByRole('menuitem', { name: 'Delete…' }).click()
  await page.getByRole('button', { name: 'Delete the rule' }).click()
  await page.getByRole('heading', { name: 'No rule yet' }).waitFor()
})

test.runIf(hasBrowser)('on a phone the page fits, and no rule of accessibility is broken', limits, async () => {
  const { page, url } = dashboard
  await page.setViewportSize({ width: 360, height: 760 })
  await page.goto(`${url}/settings/notifications`)
  await page.getByRole('heading', { name: 'Sent notifications' }).waitFor()
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect(overflow).toBeLessThanOrEqual(0)
  expect(await seriousViolations(page)).toEqual([])
})
