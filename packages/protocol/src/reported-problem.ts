import Type, { type Static } from 'typebox'
import { Nullable } from './schema-tools.ts'

/**
 * A problem on its way from a hub to the service. The reason is a plain text there: a newer hub may name one that an older
 * service does not know. `message` says more than the words of the reason; null when there is no more to say.
 * `certificate_fingerprint`: the SHA-256 of the certificate that a problem is about; older hubs leave it out.
 */
export const ReportedProblem = Type.Object({
  reason: Type.String({ minLength: 1, maxLength: 64 }),
  message: Nullable(Type.String({ maxLength: 500 })),
  certificate_fingerprint: Type.Optional(Type.String({ pattern: '^[0-9A-F]{64}$' })),
})
export type ReportedProblem = Static<typeof ReportedProblem>
