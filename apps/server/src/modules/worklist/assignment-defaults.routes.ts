import Type from 'typebox'
import type { Context } from '../../context/context.ts'
import { beginIfMatch } from '../../http/conditional.ts'
import { anyIdOf, bodyFailures, envelope, failures, nullable, ok, oneOf, request, resource } from '../../http/schema.ts'
import type { App } from '../../http/types.ts'
import { workOf } from '../events/work.ts'
import { listDefaults, lockDefaults } from './assignment-defaults.queries.ts'
import { setDefaultAssignee } from './assignment-defaults.service.ts'
import { taskTypes } from './task-assignment.ts'

const TypeOrFallback = nullable(
  oneOf(taskTypes, { description: 'Type of the tasks; null: every type without a default of its own' }),
)

const DefaultAssignee = resource('DefaultAssignee', 'Assignee of new tasks that name no one', {
  task_type: TypeOrFallback,
  assigned_to: Type.String({ description: 'User ID of the assignee' }),
  is_member: Type.Boolean({ description: 'False when they have left the account: these tasks then stay unassigned' }),
})

const DefaultAssigneeBody = request({
  task_type: TypeOrFallback,
  assigned_to: nullable(anyIdOf('user', 'User ID of a member; null removes the default')),
})

export function assignmentDefaultRoutes(app: App, context: Context): void {
  const DefaultAssignees = Type.Array(DefaultAssignee, { description: 'The fallback first; one per task type at most' })

  app.get(
    '/worklist/assignment-defaults',
    {
      config: { scope: 'read', tagged: true },
      schema: {
        tags: ['Worklist'],
        summary: 'Get the default assignees of new tasks',
        description:
          'One member per type of task, and one for types that name none. An assignee that a request names goes first.',
        response: { 200: envelope(DefaultAssignees), ...failures() },
      },
    },
    async ({ actor }) => ok(await listDefaults(context.db.sql, actor.accountId)),
  )

  app.put(
    '/worklist/assignment-defaults',
    {
      config: { scope: 'write' },
      schema: {
        tags: ['Worklist'],
        summary: 'Set the default assignee of new tasks of a type',
        description: 'Existing tasks keep their assignees.',
        body: DefaultAssigneeBody,
        response: { 200: envelope(DefaultAssignees), ...failures('USER_NOT_FOUND', ...bodyFailures) },
      },
    },
    async (request, reply) => {
      const { actor, body } = request
      const begin = beginIfMatch(context, request, reply, async (sql) => {
        await lockDefaults(sql, actor.accountId)
        return listDefaults(sql, actor.accountId)
      })
      return begin(async (sql) => {
        await setDefaultAssignee(workOf(context, actor, sql), body)
        return ok(await listDefaults(sql, actor.accountId))
      })
    },
  )
}
