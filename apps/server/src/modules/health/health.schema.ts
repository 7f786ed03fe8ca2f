import { type ConnectionProblemReason, connectionProblems, readProblem } from '@printyard/protocol/connection-problems'
import Type, { type Static } from 'typebox'
import type { PrinterRow } from '../../db/rows.generated.ts'
import { answer, nullable, oneOf, timestamp } from '../../http/schema.ts'
import { blocksStarts } from '../../live/health-entries.ts'
import { entriesIn } from './health.queries.ts'

const words = connectionProblems.credentials_wrong
const reasons = Object.keys(connectionProblems) as ConnectionProblemReason[]

const HealthProblem = answer(
  {
    problem: oneOf(reasons, { description: 'Problem, as a code for programs', examples: ['credentials_wrong'] }),
    message: Type.String({ description: 'Problem, in a sentence', examples: [words.message] }),
    remedy: Type.String({ description: 'Remedy for a person', examples: [words.remedy] }),
    certificate_fingerprint: nullable(
      Type.String({
        description: 'SHA-256 of the certificate that it is about; as `pinned_fingerprint` the hub believes it',
        examples: ['A3'.repeat(32)],
      }),
    ),
    since: timestamp('Since when it is so'),
    blocks_starts: Type.Boolean({ description: 'Whether the problem keeps jobs from being started' }),
  },
  { description: 'A problem' },
)

/** Problems of a printer or a hub, the oldest first. */
export const Health = Type.Array(HealthProblem, {
  description:
    'Current problems, the oldest first; empty when there are none. A connection that drops for a moment does not count',
})

export function presentHealth(health: PrinterRow['health']): Static<typeof Health> {
  return entriesIn(health).map((entry) => {
    const { reason, message, remedy } = readProblem(entry)
    return {
      problem: reason,
      message,
      remedy,
      certificate_fingerprint: entry.certificate_fingerprint ?? null,
      since: entry.since,
      blocks_starts: blocksStarts(entry),
    }
  })
}
