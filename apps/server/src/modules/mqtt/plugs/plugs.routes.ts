import type { Context } from '../../../context/context.ts'
import type { Sql } from '../../../db/database.ts'
import { isForeignKeyViolation, isUniqueViolation } from '../../../db/database-errors.ts'
import { beginIfMatch } from '../../../http/conditional.ts'
import { answerOnce, answerOnceOutside } from '../../../http/idempotency.ts'
import { bodyFailures, envelope, failures, idParams, ok, postFailures } from '../../../http/schema.ts'
import type { App } from '../../../http/types.ts'
import { AppError, notFound, validationError } from '../../../kernel/errors.ts'
import { type AccountId, newId, readId, type SmartPlugId } from '../../../kernel/ids.ts'
import { changedFields } from '../../events/changed-fields.ts'
import { type Work, workOf } from '../../events/work.ts'
import { requireProof } from '../../people/proof/proof.ts'
import { type BrokerLink, BrokerProblem } from '../link/broker-link.ts'
import { findBroker } from '../settings/broker.queries.ts'
import { withOwnLink } from '../settings/broker.service.ts'
import { findTopicProblem } from '../topics/topics.ts'
import { openPlugLinks } from './plug-keeper.ts'
import { deletePlug, findPlug, insertPlug, listPlugs, type PlugRow, updatePlug } from './plugs.queries.ts'
import {
  type NewPlug,
  NewPlugBody,
  type PlugChanges,
  PlugChangesBody,
  presentPlug,
  RemovedPlug,
  SmartPlug,
  SmartPlugs,
  SwitchBody,
  SwitchedPlug,
} from './plugs.schema.ts'
import { switchOff, switchOn } from './switch-plug.ts'

/** What says what is sent where. */
const switchingNames = ['command_topic', 'payload_on', 'payload_off', 'state_topic']

/** Smart plugs of an account, for those who run it. */
export function plugRoutes(routes: App, context: Context): void {
  routes.get(
    '/smart-plugs',
    {
      config: { scope: 'read', role: 'admin' },
      schema: {
        summary: 'List the smart plugs, by the names of their printers',
        response: { 200: envelope(SmartPlugs), ...failures('FORBIDDEN') },
      },
    },
    async ({ actor }) => ok({ plugs: (await listPlugs(context.db.sql, actor.accountId)).map(presentPlug) }),
  )

  routes.post(
    '/smart-plugs',
    {
      config: { scope: 'write', role: 'admin', needsProof: true },
      schema: {
        summary: 'Add a smart plug to a printer',
        body: NewPlugBody,
        response: {
          201: envelope(SmartPlug),
          ...failures('FORBIDDEN', 'NOT_FOUND', 'ALREADY_EXISTS', 'PROOF_REQUIRED', 'ORIGIN_REFUSED', ...postFailures),
        },
      },
    },
    (request, reply) =>
      answerOnce(context, request, reply, 201, async (sql) =>
        ok(presentPlug(await addPlug(workOf(context, request.actor, sql), request.body))),
      ),
  )

  routes.patch(
    '/smart-plugs/:id',
    {
      config: { scope: 'write', role: 'admin' },
      schema: {
        summary: 'Change a smart plug',
        params: idParams('smartPlug'),
        body: PlugChangesBody,
        response: {
          200: envelope(SmartPlug),
          ...failures('FORBIDDEN', 'NOT_FOUND', 'PROOF_REQUIRED', 'ORIGIN_REFUSED', ...bodyFailures),
        },
      },
    },
    async (request, reply) => {
      const { actor, params, body } = request
      // A session that was left open could else have anything switched that listens to the broker.
      if (switchingNames.some((name) => name in body)) await requireProof(context, context.db.sql, actor)
      const begin = beginIfMatch(context, request, reply, async (sql) =>
        presentPlug(await getPlug(sql, actor.accountId, params.id, true)),
      )
      return begin(async (sql) => ok(presentPlug(await changePlug(workOf(context, actor, sql), params.id, body))))
    },
  )

  routes.post(
    '/smart-plugs/:id/switch',
    {
      config: { scope: 'control', role: 'admin', waitsForOthers: true },
      schema: {
        summary: 'Switch the power of a printer',
        description:
          'It is switched off only while it is seen idle and cool, and no job is starting or printing there.',
        params: idParams('smartPlug'),
        body: SwitchBody,
        response: {
          200: envelope(SwitchedPlug),
          ...failures('FORBIDDEN', 'NOT_FOUND', 'INVALID_STATE', 'ORIGIN_REFUSED', ...postFailures),
        },
      },
    },
    (request, reply) =>
      answerOnceOutside(context, request, reply, 200, async () => {
        const { actor, params, body } = request
        const plug = await getPlug(context.db.sql, actor.accountId, params.id)
        const turn = body.on ? switchOn : switchOff
        await overBroker(context, actor.accountId, (link) =>
          turn(context, actor.accountId, plug, link, { actor: actor.label, reason: 'A person switched it.' }),
        )
        return ok({ id: plug.id, on: body.on })
      }),
  )

  routes.delete(
    '/smart-plugs/:id',
    {
      config: { scope: 'write', role: 'admin' },
      schema: {
        summary: 'Take the smart plug from a printer',
        description: 'Its power stays as it is.',
        params: idParams('smartPlug'),
        response: { 200: envelope(RemovedPlug), ...failures('FORBIDDEN', 'NOT_FOUND', 'ORIGIN_REFUSED') },
      },
    },
    async ({ actor, params }) => {
      await context.db.beginFor(actor.accountId, async (sql) => {
        const work = workOf(context, actor, sql)
        const { printer_id } = await getPlug(sql, actor.accountId, params.id, true)
        await deletePlug(work, params.id)
        await work.record({ type: 'smart_plug.removed', subjectId: params.id, data: { printer_id } })
      })
      return ok({ id: params.id, deleted: true })
    },
  )
}

async function getPlug(sql: Sql, accountId: AccountId, id: SmartPlugId, isLocked = false): Promise<PlugRow> {
  const row = await findPlug(sql, accountId, id, { isLocked })
  if (!row) throw notFound('smart plug')
  return row
}

async function addPlug(work: Work, body: NewPlug): Promise<PlugRow> {
  refuseTopics(body)
  const printerId = readId('printer', body.printer_id)
  if (printerId === undefined) throw notFound('printer')
  const id = newId('smartPlug', work.now.getTime())
  const { command_topic, state_topic, payload_on = 'ON', payload_off = 'OFF' } = body
  const row = {
    ...{ id, printer_id: printerId, command_topic, state_topic, payload_on, payload_off },
    off_after_minutes: body.off_after_minutes ?? null,
    switches_on: body.switches_on ?? false,
  }
  await insertPlug(work, row).catch((error: unknown) => {
    if (isUniqueViolation(error, 'smart_plugs_printer_key')) {
      throw new AppError('ALREADY_EXISTS', { resource: 'smart plug of this printer' })
    }
    if (isForeignKeyViolation(error)) throw notFound('printer')
    throw error
  })
  await work.record({ type: 'smart_plug.added', subjectId: id, data: { printer_id: printerId } })
  return getPlug(work.sql, work.accountId, id)
}

async function changePlug(work: Work, id: SmartPlugId, changes: PlugChanges): Promise<PlugRow> {
  refuseTopics(changes)
  const before = await getPlug(work.sql, work.accountId, id, true)
  const fields = changedFields(before, changes)
  if (fields.length === 0) return before
  await updatePlug(work, id, changes)
  await work.record({ type: 'smart_plug.updated', subjectId: id, data: { fields } })
  return getPlug(work.sql, work.accountId, id)
}

/** @throws AppError `VALIDATION_ERROR` */
function refuseTopics(body: PlugChanges): void {
  const problems: Record<string, string[]> = {}
  for (const name of ['command_topic', 'state_topic'] as const) {
    const problem = body[name] === undefined ? undefined : findTopicProblem(body[name])
    if (problem !== undefined) problems[name] = [problem]
  }
  if (Object.keys(problems).length > 0) throw validationError(problems)
}

/** Works over the connection that publishes where this process has it, and else over one of its own. @throws AppError `INVALID_STATE` */
async function overBroker(
  context: Context,
  accountId: AccountId,
  work: (link: BrokerLink) => Promise<void>,
): Promise<void> {
  const held = context.memory.hold(openPlugLinks, undefined).get(accountId)
  const row = await findBroker(context.db.sql, accountId)
  try {
    if (held) return await work(held)
    if (row?.is_active) return await withOwnLink(context, row, work)
  } catch (error) {
    if (!(error instanceof BrokerProblem)) throw error
    context.log.info(
      { err: error, account_id: accountId },
      'a plug was not told: there is no connection with its broker',
    )
  }
  throw new AppError('INVALID_STATE', {}, { message: 'The MQTT broker is not connected.', details: {} })
}
