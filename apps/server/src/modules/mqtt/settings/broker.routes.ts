import type { Context } from '../../../context/context.ts'
import type { Sql } from '../../../db/database.ts'
import { beginIfMatch } from '../../../http/conditional.ts'
import { answerOnceOutside } from '../../../http/idempotency.ts'
import { bodyFailures, envelope, failures, ok, postFailures } from '../../../http/schema.ts'
import type { App } from '../../../http/types.ts'
import type { AccountId } from '../../../kernel/ids.ts'
import { workOf } from '../../events/work.ts'
import { requireProof } from '../../people/proof/proof.ts'
import { type BrokerRow, findBroker } from './broker.queries.ts'
import { Broker, BrokerBody, BrokerTest, presentBroker, RemovedBroker } from './broker.schema.ts'
import { changeBroker, removeBroker, settingsOf, testBroker } from './broker.service.ts'

/** The MQTT broker of an account, for those who run it. */
export function brokerRoutes(routes: App, context: Context): void {
  const present = (row: BrokerRow | undefined) => presentBroker(row, row && settingsOf(context, row))
  const find = async (sql: Sql, accountId: AccountId, isLocked = false) =>
    present(await findBroker(sql, accountId, { isLocked }))

  routes.get(
    '/mqtt/broker',
    {
      config: { scope: 'read', role: 'admin', tagged: true },
      schema: {
        summary: 'Get the MQTT broker that printers are published to',
        response: { 200: envelope(Broker), ...failures('FORBIDDEN') },
      },
    },
    async ({ actor }) => ok(await find(context.db.sql, actor.accountId)),
  )

  routes.patch(
    '/mqtt/broker',
    {
      config: { scope: 'write', role: 'admin' },
      schema: {
        summary: 'Set up, change or switch the MQTT broker',
        description:
          'Fields that are left out stay as they are. User name, password and certificate are never answered.',
        body: BrokerBody,
        response: {
          200: envelope(Broker),
          ...failures('FORBIDDEN', 'PROOF_REQUIRED', 'ORIGIN_REFUSED', ...bodyFailures),
        },
      },
    },
    async (request, reply) => {
      const { actor, body } = request
      if (Object.keys(body).some((name) => name !== 'is_active')) await requireProof(context, context.db.sql, actor)
      const begin = beginIfMatch(context, request, reply, (sql) => find(sql, actor.accountId, true))
      return begin(async (sql) => ok(present(await changeBroker(context, workOf(context, actor, sql), body))))
    },
  )

  routes.post(
    '/mqtt/broker/test',
    {
      config: { scope: 'write', role: 'admin', waitsForOthers: true },
      schema: {
        summary: 'Test the connection to the MQTT broker',
        description: 'Connects with what is stored, and publishes nothing.',
        response: {
          200: envelope(BrokerTest),
          ...failures('NOT_FOUND', 'FORBIDDEN', 'ORIGIN_REFUSED', ...postFailures),
        },
      },
    },
    (request, reply) =>
      answerOnceOutside(context, request, reply, 200, async () =>
        ok(await testBroker(context, await findBroker(context.db.sql, request.actor.accountId))),
      ),
  )

  routes.delete(
    '/mqtt/broker',
    {
      config: { scope: 'write', role: 'admin' },
      schema: {
        summary: 'Remove the MQTT broker',
        description: 'The settings are erased. Published topics are cleared there while the broker is connected.',
        response: { 200: envelope(RemovedBroker), ...failures('NOT_FOUND', 'FORBIDDEN', 'ORIGIN_REFUSED') },
      },
    },
    async ({ actor }) => {
      await context.db.beginFor(actor.accountId, (sql) => removeBroker(workOf(context, actor, sql)))
      return ok({ deleted: true })
    },
  )
}
