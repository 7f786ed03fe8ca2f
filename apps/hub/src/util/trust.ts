/** Check of the certificate of the other side, in the words of `node:tls`. */
export interface Trust {
  ca?: string
  rejectUnauthorized: true
}

/**
 * Trusts this authority alone, or without one those that Node knows. Said each time, so that no variable of the environment
 * (`NODE_TLS_REJECT_UNAUTHORIZED`) can turn the check off.
 */
export function trustIn(authority: string | undefined): Trust {
  return { rejectUnauthorized: true, ...(authority !== undefined && { ca: authority }) }
}

const doubts: Record<string, string> = {
  CERT_HAS_EXPIRED: 'its certificate has ended',
  CERT_NOT_YET_VALID: 'its certificate is not good yet; look at the clock of this machine',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for other names than the one in the address',
}
const strangers = new Set([
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_SIGNATURE_FAILURE',
])

/** Answers why a certificate was refused, in a sentence for people; undefined when the error is about something else. */
export function explainDistrust(error: unknown): string | undefined {
  const { code } = (error ?? {}) as { code?: unknown }
  if (typeof code !== 'string') return undefined
  if (strangers.has(code)) {
    return 'its certificate is not from an authority that this hub trusts; join with --ca-fingerprint or --ca-file if it has one of its own'
  }
  return doubts[code]
}
