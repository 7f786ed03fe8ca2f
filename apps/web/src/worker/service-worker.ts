/// <reference lib="webworker" />
import { readNotice, sameOriginPath, tabFor, targetOf } from './notice.ts'
import { answerAsset, answerPage, dropOldShells, isPageOfDashboard, type Shell, storeShell } from './shell.ts'

declare const self: ServiceWorkerGlobalScope
/** Written into the built worker by `service-worker-build.ts`. */
declare const PRINTYARD_SHELL: Shell

const shell = PRINTYARD_SHELL

// A new worker takes over at once: pages come from the network while there is one, so the worker before it could only
// answer with an older shell. What a page of the build before still loads is kept beside the new one.
self.addEventListener('install', (event) => {
  event.waitUntil(storeShell(shell).then(() => self.skipWaiting()))
})

self.addEventListener('activate', (event) => {
  event.waitUntil(takeOver())
})

async function takeOver(): Promise<void> {
  await dropOldShells(shell)
  // The request for a page leaves while the worker still starts.
  await self.registration.navigationPreload?.enable()
  await self.clients.claim()
  for (const tab of await self.clients.matchAll({ type: 'window' })) {
    tab.postMessage({ type: 'build', entry: shell.entry })
  }
}

self.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method !== 'GET' || url.origin !== self.location.origin) return
  if (request.mode === 'navigate') {
    if (isPageOfDashboard(url.pathname)) event.respondWith(answerPage(shell, request, event.preloadResponse))
  } else if (shell.files.includes(url.pathname) || url.pathname.startsWith('/assets/')) {
    event.respondWith(answerAsset(request))
  }
})

self.addEventListener('push', (event) => {
  const { title, options } = readNotice(event.data?.text() ?? '', self.location.origin)
  event.waitUntil(self.registration.showNotification(title, options))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(open(targetOf(event.notification.data, event.action, self.location.origin)))
})

/** Shows a page in a tab that is open already, or in a new one. */
async function open(path: string): Promise<void> {
  const tabs = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const tab = tabFor(path, tabs)
  if (tab === undefined) {
    await self.clients.openWindow(path)
    return
  }
  // The page goes there by itself, without loading again: what is typed elsewhere in it is asked about first.
  if (sameOriginPath(tab.url, self.location.origin) !== path) tab.postMessage({ type: 'open', path })
  await tab.focus()
}
