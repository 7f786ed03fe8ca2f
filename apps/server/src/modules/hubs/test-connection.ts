import {
  type ConnectionProblemReason,
  connectionProblem,
  connectionProblems,
} from '@printyard/protocol/connection-problems'
import { createSealer } from '@printyard/protocol/sealed-connection'
import { CONNECTION_TEST_CAPABILITY, CONNECTION_TEST_LIMIT_MS } from '@printyard/protocol/version'
import Type, { type Static } from 'typebox'
import type { Context } from '../../context/context.ts'
import { nullable, oneOf, request, resource } from '../../http/schema.ts'
import { AppError, notFound, validationError } from '../../kernel/errors.ts'
import { type AccountId, type HubId, newId } from '../../kernel/ids.ts'
import { ConnectionSettings, connectionErrors, connectionTypes } from '../printers/connection/connection-settings.ts'
import { findHub } from './hubs.queries.ts'
import { elsewhereUnreachable, hubAway } from './state/hub-away.ts'
import { findHubKey } from './state/hub-key.queries.ts'

/** A hub needs this long at most; the rest is the way there and back. */
const timeoutMs = CONNECTION_TEST_LIMIT_MS + 5_000

// The map is typed by the reasons, so its keys are all of them.
const reasons = Object.keys(connectionProblems) as ConnectionProblemReason[]

export const TestConnectionBody = request({
  connection_type: oneOf(connectionTypes, { description: 'Connection type by which the hub reaches the printer' }),
  connection: ConnectionSettings,
})

export const ConnectionTest = resource('ConnectionTest', 'Result of testing a connection', {
  ok: Type.Boolean({ description: 'Whether the printer can be worked with by this connection' }),
  model: nullable(Type.String({ description: 'Model, as far as the printer says' })),
  serial: nullable(Type.String({ description: 'Serial number, as far as the printer says' })),
  firmware_version: nullable(
    Type.String({ description: 'Version of its firmware or print server, as far as it says' }),
  ),
  certificate_fingerprint: nullable(
    Type.String({
      description:
        'SHA-256 of its certificate; put it into `connection` as `pinned_fingerprint` to believe only this one',
      examples: ['A3'.repeat(32)],
    }),
  ),
  is_certificate_vouched: nullable(
    Type.Boolean({ description: 'Whether an authority that the hub knows vouches for it: then it need not be pinned' }),
  ),
  problem: nullable(
    resource('ConnectionTestProblem', 'Problem that keeps the printer from being used by this connection', {
      reason: oneOf(reasons, { description: 'Problem, as a code for programs' }),
      message: Type.String({
        description: 'Problem, in a sentence',
        examples: ['Nothing answers at this address.'],
      }),
      remedy: Type.String({
        description: 'Remedy, in a sentence',
        examples: ['Check that the printer is switched on.'],
      }),
    }),
  ),
})

/** Has a connected hub try a connection; nothing is stored and nothing moves. */
export async function testConnection(
  context: Context,
  accountId: AccountId,
  hubId: HubId,
  { connection_type, connection }: Static<typeof TestConnectionBody>,
): Promise<Static<typeof ConnectionTest>> {
  if (!(await findHub(context.db.sql, accountId, hubId))) throw notFound('hub')
  const errors = connectionErrors(connection_type, connection)
  if (errors) throw validationError(errors)
  const hub = context.hubs.find(hubId)
  if (!hub) throw hubAway(context)
  if (!hub.capabilities?.has(CONNECTION_TEST_CAPABILITY)) {
    const problem = connectionProblem('not_supported', { message: 'This hub is too old to test connections.' })
    return { ok: false, ...nothingKnown, problem }
  }
  const testId = newId('command')
  const publicKey = await findHubKey(context.db.sql, accountId, hubId)
  const sealed = publicKey
    ? { connection: {}, sealed_connection: createSealer(publicKey)(connection, testId) }
    : { connection }
  const answer = await context.hubs.testConnection(hubId, { test_id: testId, connection_type, ...sealed }, timeoutMs)
  if (answer.kind === 'offline' && answer.isElsewhere) throw elsewhereUnreachable()
  const isGone = answer.kind === 'offline' || (answer.kind === 'silent' && answer.why === 'hub_lost')
  if (isGone) throw hubAway(context)
  if (answer.kind === 'silent') {
    throw new AppError('HUB_COMMAND_FAILED', { why: 'the hub did not answer in time', reason: 'timeout' })
  }
  const { printer, problem } = answer.result
  return { ok: problem === null, ...printer, problem: problem && { ...problem, reason: knownReason(problem.reason) } }
}

const nothingKnown = {
  model: null,
  serial: null,
  firmware_version: null,
  certificate_fingerprint: null,
  is_certificate_vouched: null,
}

/** A hub that is newer than the service may know reasons that this API does not. */
function knownReason(reason: string): ConnectionProblemReason {
  return reasons.find((known) => known === reason) ?? 'unknown'
}
