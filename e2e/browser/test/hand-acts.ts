import type { Locator, Page } from 'playwright-core'

/** What a person does with the hand. */
export interface HandActs {
  /** Clicks, or taps where the page is touched. */
  press(target: Locator): Promise<void>
  /** Chooses a file: one click that opens the dialog of the system, and one in it. */
  chooseFile(field: Locator, name: string, content: string): Promise<void>
  count(): number
}

/** Counts what the page itself is told: whatever presses it, and each submission by the keyboard. */
export async function countActs(page: Page, { isTouch = false } = {}): Promise<HandActs> {
  let count = 0
  await page.exposeFunction('recordAct', () => {
    count += 1
  })
  const follow = () => {
    const note = (window as unknown as { recordAct(): Promise<void> }).recordAct
    addEventListener('pointerdown', () => void note(), { capture: true })
    addEventListener('keydown', ({ key }) => void (key === 'Enter' && note()), { capture: true })
  }
  await page.addInitScript(follow)
  const press = (target: Locator) => (isTouch ? target.tap() : target.click())
  return {
    press,
    async chooseFile(field, name, content) {
      count += 2
      await field.setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) })
    },
    count: () => count,
  }
}
