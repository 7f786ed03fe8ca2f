/** What is typed on the machine that becomes the hub. */
export function joinCommand(serviceUrl: string, code: string): string {
  return `npx printyard hub join ${serviceUrl} ${code}`
}

/** Other machines do not reach the service at an address that means "this machine". */
export function isOnlyHere(serviceUrl: string): boolean {
  const { hostname } = new URL(serviceUrl)
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.')
}
