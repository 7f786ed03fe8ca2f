import type { Page } from 'playwright-core'
import { createFarmClient } from 'printyard/demo/farm-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findLayoutFaults } from './test/layout-faults.ts'
import { desktop, hasBrowser, startDashboard, type TestDashboard } from './test/test-dashboard.ts'

const limits = { timeout: 180_000 }
const picture = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

let dashboard: TestDashboard
beforeAll(async () => {
  if (!hasBrowser) return
  dashboard = await startDashboard({ reducedMotion: 'reduce' })
  await dashboard.signedIn()
}, 180_000)
afterAll(() => dashboard?.end(), 60_000)

/** As a person does who has a picture in the clipboard. */
async function pastePicture(page: Page, selector: string): Promise<void> {
  await page.locator(selector).evaluate((field, content) => {
    const bytes = Uint8Array.from(atob(content), (sign) => sign.charCodeAt(0))
    const data = new DataTransfer()
    data.items.add(new File([bytes], 'nozzle.png', { type: 'image/png' }))
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
  }, picture)
}

test.runIf(hasBrowser)(
  'an article is written with pictures that are pasted, looked at before it is saved, and published',
  limits,
  async () => {
    const { page, url, ask, faults } = dashboard
    await page.goto(`${url}/wiki`)
    await page.getByRole('heading', { name: 'No article yet' }).waitFor()
    await page.getByRole('button', { name: 'Write an article' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Write an article' })
    await dialog.getByLabel('Title').fill('Change the nozzle')
    await dialog.getByLabel('Category').fill('Floor')
    await dialog.getByRole('button', { name: 'Begin' }).click()
    await page.getByRole('heading', { level: 1, name: 'Edit Change the nozzle' }).waitFor()

    const text = page.getByRole('textbox', { name: 'Text of the article' })
    await text.fill('**Heat** it first. <img src=x onerror="alert(1)"> [away](javascript:alert(1))\n\n')
    await pastePicture(page, 'textarea:below(:text("Text of the article"))')
    await expect
      .poll(() => text.inputValue(), { timeout: 30_000 })
      .toMatch(/!\[nozzle\]\(https?:\/\/\S+\/images\/[0-9a-f]{32}\)/)
    await page.getByRole('button', { name: 'Add a section' }).click()
    const section = page.getByRole('region', { name: 'Section 1' })
    await section.getByRole('textbox', { name: 'Heading' }).fill('Turn it')
    await section.getByRole('textbox', { name: 'Text', exact: true }).fill('To the left')
    await section.getByRole('textbox', { name: 'Warnings, one a line' }).fill('It is hot\n\n')
    await pastePicture(page, '.section-edited')
    await section.getByRole('img', { name: 'Section 1' }).waitFor()

    await page.getByRole('tab', { name: 'Preview' }).click()
    await page.locator('strong', { hasText: 'Heat' }).waitFor()
    await page.getByRole('heading', { name: '1. Turn it' }).waitFor()
    // What is no Markdown stays text, and what would run leads nowhere.
    await page.getByText('<img src=x onerror="alert(1)">').waitFor()
    expect(await page.getByRole('link', { name: 'away' }).count()).toBe(0)
    expect(await page.getByRole('img', { name: 'nozzle' }).count()).toBe(1)

    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { level: 1, name: 'Change the nozzle' }).waitFor()
    await page.getByRole('button', { name: 'Publish' }).click()
    await page.locator('main header .status-badge').getByText('Published', { exact: true }).waitFor()
    const [listed] = await ask<{ id: string }[]>('GET', '/wiki')
    expect(await ask('GET', `/wiki/${listed?.id}`)).toMatchObject({
      ...{ is_published: true, category: 'Floor' },
      sections: [{ type: 'step', number: 1, title: 'Turn it', warnings: ['It is hot'] }],
    })
    expect(faults).toEqual([])
  },
)

test.runIf(hasBrowser)('each change is a revision that can be compared and brought back', limits, async () => {
  const { page, url, ask, faults } = dashboard
  const { key } = await ask<{ key: string }>('POST', '/api-keys', { name: 'Writer', scopes: ['read', 'write'] })
  const writer = createFarmClient(url, key, AbortSignal.timeout(limits.timeout))
  const article = await writer.post<{ id: string }>('/wiki', {
    title: 'Dry the filament',
    content: 'Four hours\nat 50',
  })
  await ask('PATCH', `/wiki/${article.id}`, { content: 'Six hours\nat 50' })
  await page.goto(`${url}/wiki/${article.id}`)
  await page.getByRole('tab', { name: 'Revisions' }).click()
  await page.getByRole('region', { name: 'Changes of revision 2' }).waitFor()
  // Each is told by name, people as well as keys.
  const written = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: 'Revision 1' }) })
  await written.getByText('API key Writer').waitFor()
  await page.locator('.revision-diff').waitFor()
  expect(await page.locator('.revision-diff ins').allTextContents()).toEqual(['Six hours'])
  expect(await page.locator('.revision-diff del').allTextContents()).toEqual(['Four hours'])
  await page.getByRole('link', { name: 'Revision 1' }).click()
  await page.getByRole('region', { name: 'Revision 1: as it was written' }).waitFor()
  expect(new URL(page.url()).search).toBe('?tab=revisions&revision=1')
  await page.getByRole('button', { name: 'Bring it back…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Bring it back' }).click()
  await expect
    .poll(async () => (await ask<{ content: string }>('GET', `/wiki/${article.id}`)).content, { timeout: 30_000 })
    .toBe('Four hours\nat 50')
  expect(faults).toEqual([])
})

test.runIf(hasBrowser)('what others changed meanwhile is not overwritten', limits, async () => {
  const { page, url, ask, faults } = dashboard
  const article = await ask<{ id: string }>('POST', '/wiki', { title: 'Level the bed' })
  await page.goto(`${url}/wiki/${article.id}/edit`)
  await page.getByRole('textbox', { name: 'Text of the article' }).fill('Mine')
  await ask('PATCH', `/wiki/${article.id}`, { content: 'Theirs' })
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('alert').first().waitFor()
  expect((await ask<{ content: string }>('GET', `/wiki/${article.id}`)).content).toBe('Theirs')
  expect(await page.getByRole('textbox', { name: 'Text of the article' }).inputValue()).toBe('Mine')
  expect(faults).toEqual([])
})

test.runIf(hasBrowser)('on a narrow phone articles are found and read, and the editor fits', limits, async () => {
  const { page, url, ask, faults } = dashboard
  const [article] = await ask<{ id: string }[]>('GET', '/wiki?search=nozzle')
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto(`${url}/wiki?category=Floor`)
  await page.getByRole('link', { name: 'Change the nozzle' }).click()
  await page.getByRole('heading', { name: '1. Turn it' }).waitFor()
  expect(await findLayoutFaults(page)).toEqual([])
  await page.goto(`${url}/wiki/${article?.id}/edit`)
  await page.getByRole('region', { name: 'Section 1' }).waitFor()
  expect(await findLayoutFaults(page)).toEqual([])
  await page.goto(`${url}/wiki?search=nothing`)
  await page.getByRole('heading', { name: 'No article matches' }).waitFor()
  await page.setViewportSize(desktop)
  expect(faults).toEqual([])
})
