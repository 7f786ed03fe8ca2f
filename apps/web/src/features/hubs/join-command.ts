/**
 * What is typed on the machine that becomes the hub. A hub refuses an address without encryption beyond its own machine unless it is
 * told otherwise: a person who opened this page at such an address has decided so already.
 */
export function joinCommand(serviceUrl: string, code: string): string {
  const isPlainText = new URL(serviceUrl).protocol === 'http:' && !isOnlyHere(serviceUrl)
  return `${isPlainText ? 'PRINTYARD_HUB_PLAIN_TEXT=on ' : ''}npx printyard hub join ${serviceUrl} ${code}`
}

/** Other machines do not reach the service at an address that means "this machine". */
export function isOnlyHere(serviceUrl: string): boolean {
  const { hostname } = new URL(serviceUrl)
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.')
}
