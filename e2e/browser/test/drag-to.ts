import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

/**
 * Drags with the mouse as a hand does, in steps, to the upper or lower part of something. What can be dragged is made so
 * only after the page stands, so the page must say that it drags (`data-dragging`) before it is dropped; else it is tried
 * again.
 */
export async function dragTo(page: Page, from: Locator, to: Locator, part: 'above' | 'below'): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    await from.scrollIntoViewIfNeeded()
    const [start, end] = [await from.boundingBox(), await to.boundingBox()]
    if (!start || !end) throw new Error('what is dragged, or what it is dragged to, is not shown')
    const x = start.x + start.width / 2
    const y = start.y + start.height / 2
    const over = { x: end.x + end.width / 2, y: end.y + end.height * (part === 'above' ? 0.2 : 0.8) }
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x + 4, y + 4, { steps: 4 })
    await page.mouse.move(over.x, over.y, { steps: 12 })
    const isDragged = await page
      .locator('[data-dragging]')
      .waitFor({ state: 'attached', timeout: 5000 })
      .then(() => true)
      // Not followed yet: the mouse is let go without a drop, and the next try drags.
      .catch(() => false)
    if (isDragged) await untilTaken(page, over)
    else await page.keyboard.press('Escape')
    await page.mouse.up()
    if (isDragged) return
    if (tries === 5) throw new Error('nothing was dragged in five tries')
  }
}

/** A hand is never quite still: what is under it is looked for whenever it moves. */
async function untilTaken(page: Page, over: { x: number; y: number }): Promise<void> {
  let shift = 0
  const taken = async () => {
    shift = 1 - shift
    await page.mouse.move(over.x + shift, over.y)
    return await page.locator('[data-drop], [data-over]').count()
  }
  await expect.poll(taken, { timeout: 60_000 }).toBe(1)
}
