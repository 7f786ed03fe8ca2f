/**
 * What is typed on the machine that becomes the hub. A hub refuses an address without encryption beyond its own machine unless it is
 * told otherwise: a person who opened this page at such an address has decided so already. A certificate of a local authority is named by
 * the fingerprint of that: no hub knows it by itself.
 */
export function joinCommand(serviceUrl: string, code: string, caFingerprint: string | null = null): string {
  const { protocol } = new URL(serviceUrl)
  const isPlainText = protocol === 'http:' && !isOnlyHere(serviceUrl)
  const authority = caFingerprint !== null && protocol === 'https:' ? ` --ca-fingerprint ${caFingerprint}` : ''
  return `${isPlainText ? 'PRINTYARD_HUB_PLAIN_TEXT=on ' : ''}${program} hub join ${serviceUrl} ${code}${authority}`
}

/** What is typed next, at the same address. */
export function runCommand(serviceUrl: string): string {
  const isPlainText = new URL(serviceUrl).protocol === 'http:' && !isOnlyHere(serviceUrl)
  return `${isPlainText ? 'PRINTYARD_HUB_PLAIN_TEXT=on ' : ''}${program} hub run`
}

/** Works in a fresh clone on any Node from 20: it fetches what is missing before the program starts. */
const program = 'node scripts/run.mjs printyard'

/** Other machines do not reach the service at an address that means "this machine". */
export function isOnlyHere(serviceUrl: string): boolean {
  const { hostname } = new URL(serviceUrl)
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.')
}
