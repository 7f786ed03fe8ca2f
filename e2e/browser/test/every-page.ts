import { QueryClient } from '@tanstack/react-query'
import type { Page } from 'playwright-core'
import { createDashboardRouter } from '../../../apps/web/src/app/router.tsx'
import type { FarmIds } from './busy-farm.ts'

const { routesById } = createDashboardRouter(new QueryClient())

/** Every page that the router knows, as it is written there; `isForVisitors`: shown to who is not signed in. */
export const everyPage: { path: string; isForVisitors: boolean }[] = Object.values(routesById)
  .filter((route) => !route.children)
  .map((route) => ({ path: String(route.fullPath), isForVisitors: route.id.startsWith('/visitor/') }))

/** The address of a page in this farm. */
export function addressOf(path: string, ids: FarmIds): string {
  return path.replaceAll(/\$(\w+)/g, (_, name: string) => {
    const id = ids[name]
    if (id === undefined) throw new Error(`busy-farm.ts does not say which $${name} to look at`)
    return id
  })
}

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
