import type { ProbedPrinter } from '@printyard/protocol/messages'

/** What a family needs to try a connection. */
export interface ProbeRequest {
  connection: Record<string, unknown>
  /** The hub's own folder, where certificates that were seen before are kept. */
  dataDir: string
  /** Ends the attempt; every wait of a probe listens to it. */
  signal: AbortSignal
  /** Called with what is already known, so that a failure later on does not lose it. */
  report(seen: Partial<ProbedPrinter>): void
}

/**
 * Connects as the family's driver would, reads what the printer says of itself, moves nothing, and lets go. Rejects with
 * what `problemOf` understands. Each family has one, in its `probe.ts`.
 */
export type Probe = (request: ProbeRequest) => Promise<void>

export const nothingSeen: ProbedPrinter = {
  model: null,
  serial: null,
  firmware_version: null,
  certificate_fingerprint: null,
  is_certificate_vouched: null,
}
