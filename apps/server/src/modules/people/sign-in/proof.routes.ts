import type { Context } from '../../../context/context.ts'
import { bodyFailures, envelope, failures, ok } from '../../../http/schema.ts'
import type { App } from '../../../http/types.ts'
import { personOf } from '../../../kernel/actor.ts'
import { Proof, ProofBody } from './proof.schema.ts'
import { prove, readProof } from './proof.service.ts'

const everybody = { scope: 'read', role: 'viewer', tagged: false, beforeSecondFactor: true } as const

/** Routes for what a person shows before API keys, join codes, owners, passwords and second factors are made or changed. */
export function proofRoutes(routes: App, context: Context): void {
  routes.get(
    '/proof',
    {
      config: everybody,
      schema: {
        summary: 'Get whether the person has lately proved their identity',
        response: { 200: envelope(Proof), ...failures() },
      },
    },
    async ({ actor }) => ok(await readProof(context, personOf(actor))),
  )

  routes.post(
    '/proof',
    {
      config: everybody,
      schema: {
        summary: 'Prove the identity of the person by the password or a code',
        description: 'It counts for ten minutes, in this session. What asks for it answers `PROOF_REQUIRED` without.',
        body: ProofBody,
        response: { 200: envelope(Proof), ...failures('CODE_INVALID', 'ORIGIN_REFUSED', ...bodyFailures) },
      },
    },
    async (incoming) => ok(await prove(context, incoming, personOf(incoming.actor), incoming.body)),
  )
}
