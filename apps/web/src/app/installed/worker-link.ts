import { whenPageStands } from '../../lib/page-stands.ts'
import { safeReturn } from '../../lib/safe-return.ts'
import { recordBuild } from './newer-build.ts'

/** Absent over plain HTTP to another machine: browsers have service workers for HTTPS and this very machine alone. */
const workers = 'serviceWorker' in navigator ? navigator.serviceWorker : undefined

/** Registers the service worker once the page stands, and does what it asks for. `open` shows a page of the dashboard. */
export function linkWorker(open: (path: string) => void): void {
  // `vite dev` has none.
  if (!workers || !import.meta.env.PROD) return
  workers.addEventListener('message', ({ data }: MessageEvent<{ type?: unknown; path?: unknown; entry?: unknown }>) => {
    if (data.type === 'open') open(safeReturn(data.path))
    if (data.type === 'build') recordBuild(data.entry)
  })
  workers.startMessages()
  whenPageStands(() => {
    workers.register('/sw.js', { updateViaCache: 'none' }).catch((error: unknown) => {
      // Without it the dashboard works as before; it is neither shown offline nor told what is pushed.
      console.warn('The service worker could not be registered.', error)
    })
  })
}

/** Asks for a newer dashboard: the service is back after it was away, which may have been an update. */
export async function lookForNewerBuild(): Promise<void> {
  const registration = await workers?.getRegistration()
  await registration?.update().catch(() => undefined)
}
