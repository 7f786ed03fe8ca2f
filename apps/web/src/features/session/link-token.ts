/** The token of a link that was mailed: after the `#`, which no browser sends to a service and no log keeps. */
export function readLinkToken(hash: string): string | undefined {
  const token = hash.replace(/^#/, '').trim()
  return /^[\w-]{16,200}$/.test(token) ? token : undefined
}
