import type { Context } from '../../../../context/context.ts'
import type { Sql } from '../../../../db/database.ts'
import { beginIfMatch } from '../../../../http/conditional.ts'
import { answerOnce, answerOnceOutside } from '../../../../http/idempotency.ts'
import { bodyFailures, envelope, failures, idParams, ok, postFailures } from '../../../../http/schema.ts'
import type { App } from '../../../../http/types.ts'
import type { AccountId } from '../../../../kernel/ids.ts'
import { workOf } from '../../../events/work.ts'
import { requireProof } from '../../../people/proof/proof.ts'
import { type ConnectionRow, countSpools, findConnection, listTroubledUsages } from './spoolman.queries.ts'
import {
  NewSpoolmanBody,
  presentConnection,
  presentTroubled,
  RemovedSpoolman,
  SettledUsage,
  SettleUsageBody,
  SpoolmanAsked,
  SpoolmanChangesBody,
  SpoolmanConnection,
  SpoolmanState,
  SpoolmanTest,
  SpoolmanTestBody,
  TroubledUsages,
} from './spoolman.schema.ts'
import {
  askSpoolman,
  changeSpoolman,
  connectSpoolman,
  disconnectSpoolman,
  getConnection,
  settleTroubledUsage,
  testSpoolman,
} from './spoolman.service.ts'

const refusals = ['FORBIDDEN', 'ORIGIN_REFUSED'] as const

/** The Spoolman of an account, for those who run it. */
export function spoolmanRoutes(routes: App, context: Context): void {
  const presented = async (sql: Sql, accountId: AccountId, row: ConnectionRow) =>
    presentConnection(row, await countSpools(sql, accountId))

  routes.get(
    '/spoolman',
    {
      config: { scope: 'read', role: 'admin' },
      schema: {
        summary: 'Get the connection to Spoolman',
        description: 'Null where there is none.',
        response: { 200: envelope(SpoolmanState), ...failures('FORBIDDEN') },
      },
    },
    async ({ actor: { accountId } }) => {
      const { sql } = context.db
      const row = await findConnection(sql, accountId)
      return ok({ connection: row === undefined ? null : await presented(sql, accountId, row) })
    },
  )

  routes.post(
    '/spoolman',
    {
      config: { scope: 'write', role: 'admin', needsProof: true },
      schema: {
        summary: 'Connect Spoolman',
        description: 'Its spools are read from now on.',
        body: NewSpoolmanBody,
        response: {
          201: envelope(SpoolmanConnection),
          ...failures('ALREADY_EXISTS', 'PROOF_REQUIRED', ...refusals, ...postFailures),
        },
      },
    },
    (request, reply) =>
      answerOnce(context, request, reply, 201, async (sql) => {
        const made = await connectSpoolman(context, workOf(context, request.actor, sql), request.body)
        return ok(await presented(sql, request.actor.accountId, made))
      }),
  )

  routes.patch(
    '/spoolman',
    {
      config: { scope: 'write', role: 'admin' },
      schema: {
        summary: 'Change, pause or resume the connection to Spoolman',
        description:
          'Fields that are left out stay as they are. Another address is taken for the same Spoolman, which has moved.',
        body: SpoolmanChangesBody,
        response: {
          200: envelope(SpoolmanConnection),
          ...failures('NOT_FOUND', 'PROOF_REQUIRED', ...refusals, ...bodyFailures),
        },
      },
    },
    async (request, reply) => {
      const { actor, body } = request
      // A session that was left open could else have what is used told elsewhere, and spools made up.
      if (body.url !== undefined) await requireProof(context, context.db.sql, actor)
      const begin = beginIfMatch(context, request, reply, async (sql) =>
        presented(sql, actor.accountId, await getConnection(sql, actor.accountId, { isLocked: true })),
      )
      return begin(async (sql) =>
        ok(await presented(sql, actor.accountId, await changeSpoolman(context, workOf(context, actor, sql), body))),
      )
    },
  )

  routes.post(
    '/spoolman/test',
    {
      config: { scope: 'write', role: 'admin', waitsForOthers: true },
      schema: {
        summary: 'Test an address of Spoolman',
        description: 'Asks whether it answers as Spoolman does, and waits for its answer. It changes nothing there.',
        body: SpoolmanTestBody,
        response: { 200: envelope(SpoolmanTest), ...failures(...refusals, ...postFailures) },
      },
    },
    (request, reply) =>
      answerOnceOutside(context, request, reply, 200, async () => ok(await testSpoolman(context, request.body.url))),
  )

  routes.post(
    '/spoolman/read',
    {
      config: { scope: 'write', role: 'admin' },
      schema: {
        summary: 'Read Spoolman now',
        response: { 200: envelope(SpoolmanAsked), ...failures('NOT_FOUND', ...refusals, ...postFailures) },
      },
    },
    (request, reply) =>
      answerOnce(context, request, reply, 200, async (sql) => {
        await askSpoolman(workOf(context, request.actor, sql))
        return ok({ asked: true })
      }),
  )

  routes.get(
    '/spoolman/usages',
    {
      config: { scope: 'read', role: 'admin' },
      schema: {
        summary: 'List usage of which a person has to decide whether Spoolman has it',
        response: { 200: envelope(TroubledUsages), ...failures('FORBIDDEN') },
      },
    },
    async ({ actor }) => ok(presentTroubled(await listTroubledUsages(context.db.sql, actor.accountId))),
  )

  routes.post(
    '/spoolman/usages/:id/settle',
    {
      config: { scope: 'write', role: 'admin' },
      schema: {
        summary: 'Decide whether Spoolman has some usage',
        params: idParams('spoolmanUsage'),
        body: SettleUsageBody,
        response: { 200: envelope(SettledUsage), ...failures('NOT_FOUND', ...refusals, ...postFailures) },
      },
    },
    (request, reply) =>
      answerOnce(context, request, reply, 200, async (sql) => {
        const { id } = request.params
        const { is_told_again } = request.body
        await settleTroubledUsage(workOf(context, request.actor, sql), id, is_told_again)
        return ok({ id, is_told_again })
      }),
  )

  routes.delete(
    '/spoolman',
    {
      config: { scope: 'write', role: 'admin' },
      schema: {
        summary: 'Disconnect Spoolman',
        description: 'The spools that came from there stay.',
        response: { 200: envelope(RemovedSpoolman), ...failures('NOT_FOUND', ...refusals) },
      },
    },
    async ({ actor }) => {
      await context.db.beginFor(actor.accountId, (sql) => disconnectSpoolman(workOf(context, actor, sql)))
      return ok({ disconnected: true })
    },
  )
}
