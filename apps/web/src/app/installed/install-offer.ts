import { useSyncExternalStore } from 'react'

/** As Chromium has it; other browsers install from a menu of their own and say nothing. */
interface InstallPrompt extends Event {
  prompt(): Promise<unknown>
}

let offered: InstallPrompt | undefined
const listeners = new Set<() => void>()

function change(prompt: InstallPrompt | undefined): void {
  offered = prompt
  for (const listener of listeners) listener()
}

/** Keeps the browser's offer to install the dashboard until a person asks for it, in place of a bar of the browser's own. */
export function followInstallOffer(): void {
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    change(event as InstallPrompt)
  })
  window.addEventListener('appinstalled', () => change(undefined))
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Installs the dashboard on this device; undefined where it is installed or the browser does not offer it. */
export function useInstall(): (() => void) | undefined {
  const prompt = useSyncExternalStore(subscribe, () => offered)
  if (!prompt) return undefined
  return () => {
    // A prompt asks once.
    change(undefined)
    void prompt.prompt()
  }
}
