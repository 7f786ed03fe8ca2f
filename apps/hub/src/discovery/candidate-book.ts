import type { Candidate } from '@printyard/protocol/messages'
import type { Clock } from '../util/clock.ts'
import type { Sighting } from './sighting.ts'

/** A printer that was not seen for so long is not offered any more. */
const FORGOTTEN_AFTER_MS = 30 * 60_000
/** A network that shows more is making them up. */
const MOST_CANDIDATES = 100
const MOST_EVIDENCE = 5

interface Entry {
  sighting: Sighting
  evidence: string[]
  firstSeenMs: number
  lastSeenMs: number
}

/** What was seen on the network and no one has adopted yet, each printer once. */
interface CandidateBook {
  /** True when this changes what is known, and not only when it was last seen. */
  record(sighting: Sighting): boolean
  list(): Candidate[]
  /** True when something was forgotten. */
  forgetOld(): boolean
}

/**
 * Kept by serial number where there is one, else by family, address and port: a printer that is found in two ways, or that got
 * another address, is one candidate.
 */
export function createCandidateBook(clock: Clock): CandidateBook {
  const entries = new Map<string, Entry>()

  const find = (sighting: Sighting): string | undefined => {
    const key = keyOf(sighting)
    if (entries.has(key)) return key
    // Seen at the same place with and without a serial number: what has one knows more.
    for (const [known, { sighting: other }] of entries) {
      const isSamePlace = placeOf(other) === placeOf(sighting)
      if (isSamePlace && (other.serial === null || sighting.serial === null)) return known
    }
    return undefined
  }

  return {
    record(sighting) {
      const now = clock()
      const key = find(sighting)
      const known = key === undefined ? undefined : entries.get(key)
      if (!known && entries.size >= MOST_CANDIDATES) return false
      const merged = known ? merge(known.sighting, sighting) : sighting
      const evidence = known?.evidence.includes(sighting.evidence)
        ? known.evidence
        : [...(known?.evidence ?? []), sighting.evidence].slice(-MOST_EVIDENCE)
      if (key !== undefined) entries.delete(key)
      entries.set(keyOf(merged), {
        sighting: merged,
        evidence,
        firstSeenMs: known?.firstSeenMs ?? now,
        lastSeenMs: now,
      })
      return !known || evidence !== known.evidence || JSON.stringify(merged) !== JSON.stringify(known.sighting)
    },
    list: () => [...entries.values()].map(candidateOf),
    forgetOld() {
      const before = entries.size
      const oldest = clock() - FORGOTTEN_AFTER_MS
      for (const [key, { lastSeenMs }] of entries) if (lastSeenMs < oldest) entries.delete(key)
      return entries.size < before
    },
  }
}

/** The later sighting says where it is now; what it leaves out is kept. */
function merge(before: Sighting, now: Sighting): Sighting {
  return {
    ...now,
    port: now.port ?? (before.address === now.address ? before.port : null),
    serial: now.serial ?? before.serial,
    name: now.name ?? before.name,
    model: now.model ?? before.model,
  }
}

const placeOf = ({ connection_type, address, port }: Sighting) => `${connection_type} ${address} ${port ?? ''}`
const keyOf = (sighting: Sighting) =>
  sighting.serial === null ? placeOf(sighting) : `${sighting.connection_type} ${sighting.serial.toUpperCase()}`

function candidateOf({ sighting, evidence, firstSeenMs, lastSeenMs }: Entry): Candidate {
  const { connection_type, name, model, address, serial, port } = sighting
  return {
    connection_type,
    name: (name ?? model ?? address).slice(0, 120),
    model,
    address,
    port,
    serial,
    evidence: evidence[0] ?? '',
    all_evidence: evidence,
    first_seen_at: new Date(firstSeenMs).toISOString(),
    last_seen_at: new Date(lastSeenMs).toISOString(),
  }
}
