import { QueryClient } from '@tanstack/react-query'
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
