import type { Context } from '../../../context/context.ts'
import { beginIfMatch } from '../../../http/conditional.ts'
import { readPage } from '../../../http/cursor.ts'
import { answerOnce } from '../../../http/idempotency.ts'
import {
  bodyFailures,
  envelope,
  failures,
  idParams,
  ok,
  page,
  pageEnvelope,
  postFailures,
} from '../../../http/schema.ts'
import type { App } from '../../../http/types.ts'
import { workOf } from '../../events/work.ts'
import { requireRoom } from '../../quotas/quotas.service.ts'
import { listRules } from './rules.queries.ts'
import { NewRuleBody, presentRule, RemovedRule, Rule, RuleChangesBody, RulesQuery } from './rules.schema.ts'
import { changeRule, createRule, getRule, removeRule } from './rules.service.ts'

/** Routes for what the farm does by itself, for those who run the account. */
export function automationRuleRoutes(routes: App, context: Context): void {
  routes.post(
    '/automation-rules',
    {
      config: { scope: 'write', role: 'admin' },
      schema: {
        summary: 'Add an automation rule',
        body: NewRuleBody,
        response: {
          201: envelope(Rule),
          ...failures('FORBIDDEN', 'ORIGIN_REFUSED', 'QUOTA_EXCEEDED', ...postFailures),
        },
      },
    },
    (request, reply) =>
      answerOnce(context, request, reply, 201, async (sql) => {
        await requireRoom(context, sql, request.actor.accountId, 'automation_rules')
        return ok(presentRule(await createRule(workOf(context, request.actor, sql), request.body)))
      }),
  )

  routes.get(
    '/automation-rules',
    {
      config: { scope: 'read', role: 'admin' },
      schema: {
        summary: 'List the automation rules, the newest first',
        querystring: RulesQuery,
        response: { 200: pageEnvelope(Rule), ...failures('FORBIDDEN') },
      },
    },
    async (request) => {
      const { rows, meta } = await readPage(context, request, (bounds) =>
        listRules(context.db.sql, request.actor.accountId, bounds),
      )
      return page(
        rows.map(({ page_key: _, ...row }) => presentRule(row)),
        meta,
      )
    },
  )

  routes.get(
    '/automation-rules/:id',
    {
      config: { scope: 'read', role: 'admin' },
      schema: {
        summary: 'Get an automation rule',
        params: idParams('automationRule'),
        response: { 200: envelope(Rule), ...failures('NOT_FOUND', 'FORBIDDEN') },
      },
    },
    async ({ actor, params }) => ok(presentRule(await getRule(context.db.sql, actor.accountId, params.id))),
  )

  routes.patch(
    '/automation-rules/:id',
    {
      config: { scope: 'write', role: 'admin' },
      schema: {
        summary: 'Change an automation rule',
        description: 'Fields that are left out stay as they are; `actions` replaces all of them.',
        params: idParams('automationRule'),
        body: RuleChangesBody,
        response: { 200: envelope(Rule), ...failures('NOT_FOUND', 'FORBIDDEN', 'ORIGIN_REFUSED', ...bodyFailures) },
      },
    },
    async (request, reply) => {
      const { actor, params, body } = request
      const begin = beginIfMatch(context, request, reply, async (sql) =>
        presentRule(await getRule(sql, actor.accountId, params.id, { isLocked: true })),
      )
      return begin(async (sql) => ok(presentRule(await changeRule(workOf(context, actor, sql), params.id, body))))
    },
  )

  routes.delete(
    '/automation-rules/:id',
    {
      config: { scope: 'write', role: 'admin' },
      schema: {
        summary: 'Delete an automation rule',
        params: idParams('automationRule'),
        response: { 200: envelope(RemovedRule), ...failures('NOT_FOUND', 'FORBIDDEN', 'ORIGIN_REFUSED') },
      },
    },
    async ({ actor, params }) => {
      await context.db.beginFor(actor.accountId, (sql) => removeRule(workOf(context, actor, sql), params.id))
      return ok({ id: params.id, deleted: true })
    },
  )
}
