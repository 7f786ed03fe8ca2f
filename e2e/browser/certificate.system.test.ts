import { type BambuPeer, startBambuPeer } from '@printyard/hub/test/bambu-peer'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../test/farm-processes.ts'
import { hasBrowser, startDashboard, type TestDashboard } from './test/test-dashboard.ts'

let dashboard: TestDashboard
let peer: BambuPeer
beforeAll(async () => {
  if (!hasBrowser) return
  peer = await startBambuPeer()
  dashboard = await startDashboard()
  await dashboard.signedIn()
}, 180_000)
afterAll(async () => {
  await dashboard?.end()
  await peer?.close()
}, 60_000)

test.runIf(hasBrowser)(
  'a printer that shows another certificate says so to everybody, and is believed again once a person who may trusts it',
  { timeout: 300_000 },
  async () => {
    const { page, url, ask, faults } = dashboard
    const hub = await dashboard.addHub()
    const body = {
      name: 'Bench 1',
      model: 'P1S',
      hub_id: hub.id,
      connection_type: 'bambu',
      connection: peer.connection,
    }
    const { id } = await ask<{ id: string }>('POST', '/printers', body)
    const untilIdle = (what: string) =>
      eventually(what, () => ask<{ status: string | null }>('GET', `/printers/${id}/status`), isIdle, 90_000)
    await untilIdle('the printer being seen')

    await page.goto(`${url}/printers/${id}`)
    await page.getByRole('heading', { level: 1, name: 'Bench 1' }).waitFor()
    await peer.simulator.replaceCertificate()
    const alert = page.getByRole('alert').filter({ hasText: 'another certificate' })
    await alert.waitFor({ timeout: 120_000 })
    const viewer = await dashboard.openAs('viewer')
    await viewer.page.goto(`${url}/printers/${id}`)
    await viewer.page.getByRole('alert').filter({ hasText: 'another certificate' }).waitFor()
    expect(await viewer.page.getByRole('button', { name: /^Trust/ }).count()).toBe(0)

    await alert.getByRole('button', { name: 'Trust the new certificate…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Trust the certificate that Bench 1 shows now?' })
    expect(await dialog.locator('code').innerText()).toMatch(/^([0-9A-F]{4} ){15}[0-9A-F]{4}$/)
    await dialog.getByRole('button', { name: 'Trust this certificate' }).click()
    await page.getByText('Bench 1 is known by its new certificate').waitFor()
    await untilIdle('the printer being believed')
    await alert.waitFor({ state: 'detached', timeout: 120_000 })
    expect([...faults, ...viewer.faults]).toEqual([])
    await viewer.context.close()
  },
)

function isIdle({ status }: { status: string | null }): boolean {
  return status === 'idle'
}
