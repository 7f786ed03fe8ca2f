import type { Page } from 'playwright-core'

/** Resolves when the page shows what it is about: its heading, and nothing that is still on its way or in motion. */
export async function untilShown(page: Page): Promise<void> {
  await page.getByRole('heading').first().waitFor()
  await page.waitForFunction(() => {
    const isMoving = document.getAnimations().some(({ playState, effect }) => {
      const isEndless = effect?.getTiming().iterations === Number.POSITIVE_INFINITY
      return playState === 'running' && !isEndless
    })
    return !isMoving && document.querySelector('[aria-busy="true"]') === null
  })
}
