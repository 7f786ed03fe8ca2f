import { useSyncExternalStore } from 'react'

let isNewer = false
const listeners = new Set<() => void>()

/** The service worker of a build has taken over; `entry` is the script that pages of it start with. */
export function recordBuild(entry: unknown): void {
  const own = document.querySelector('script[type="module"][src]')?.getAttribute('src')
  // A page that was loaded after the update is of the new build already.
  if (own == null || entry === own) return
  isNewer = true
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Whether the service has a newer dashboard than this page. */
export function useIsOutdated(): boolean {
  return useSyncExternalStore(subscribe, () => isNewer)
}
