import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { afterEach } from 'vitest'

const folder = fileURLToPath(new URL('../../../test-artifacts', import.meta.url))
const followed = new Set<Page>()

/** When a test fails, what this page shows then is kept in `test-artifacts`. */
export function followPage(page: Page): void {
  followed.add(page)
  page.on('close', () => followed.delete(page))
}

afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return
  mkdirSync(folder, { recursive: true })
  const name = task.name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 80)
  for (const [index, page] of [...followed].entries()) {
    const path = join(folder, `${name}-${index + 1}.png`)
    // A page that hangs is why the test failed; the picture of another may still help.
    await page.screenshot({ path, timeout: 10_000 }).catch((error) => console.warn(`no picture: ${error.message}`))
  }
})
