/** A SHA-256 in groups of four, as people compare it. */
export function groupFingerprint(fingerprint: string): string {
  return (
    fingerprint
      .replaceAll(':', '')
      .toUpperCase()
      .match(/.{1,4}/g) ?? []
  ).join(' ')
}
