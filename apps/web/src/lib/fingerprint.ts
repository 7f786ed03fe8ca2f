/** A SHA-256 in groups of four, as people compare it. */
export function groupFingerprint(fingerprint: string): string {
  return (
    fingerprint
      .replaceAll(':', '')
      .toUpperCase()
      .match(/.{1,4}/g) ?? []
  ).join(' ')
}

/** The SHA-256 that a hub names in what it says of a certificate; undefined when it names none. */
export function findFingerprint(message: string): string | undefined {
  return /\b[0-9A-F]{64}\b/.exec(message)?.[0]
}
