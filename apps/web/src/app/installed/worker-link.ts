import { safeReturn } from '../../lib/safe-return.ts'
import { recordBuild } from './newer-build.ts'

/** Absent over plain HTTP to another machine: browsers have service workers for HTTPS and this very machine alone. */
const workers = 'serviceWorker' in navigator ? navigator.serviceWorker : undefined

/** From the time when all of the page is loaded until it has been drawn, in ms, also on a small computer. */
const drawnMs = 3_000

/** Registers the service worker once the page stands, and does what it asks for. `open` shows a page of the dashboard. */
export function linkWorker(open: (path: string) => void): void {
  // `vite dev` has none.
  if (!workers || !import.meta.env.PROD) return
  workers.addEventListener('message', ({ data }: MessageEvent<{ type?: unknown; path?: unknown; entry?: unknown }>) => {
    if (data.type === 'open') open(safeReturn(data.path))
    if (data.type === 'build') recordBuild(data.entry)
  })
  workers.startMessages()
  // Its start and what it stores would double what a first page asks of a small computer.
  const register = () => {
    workers.register('/sw.js', { updateViaCache: 'none' }).catch((error: unknown) => {
      // Without it the dashboard works as before; it is neither shown offline nor told what is pushed.
      console.warn('The service worker could not be registered.', error)
    })
  }
  const plan = () => setTimeout(register, drawnMs)
  if (document.readyState === 'complete') plan()
  else window.addEventListener('load', plan, { once: true })
}

/** Asks for a newer dashboard: the service is back after it was away, which may have been an update. */
export async function lookForNewerBuild(): Promise<void> {
  const registration = await workers?.getRegistration()
  await registration?.update().catch(() => undefined)
}
