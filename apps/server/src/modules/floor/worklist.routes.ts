import Type from 'typebox'
import type { Context } from '../../context/context.ts'
import type { Sql } from '../../db/database.ts'
import { beginIfMatch } from '../../http/conditional.ts'
import { readPage } from '../../http/cursor.ts'
import { answerOnce } from '../../http/idempotency.ts'
import {
  bodyFailures,
  envelope,
  failures,
  idParams,
  ok,
  oneOf,
  page,
  pageEnvelope,
  postFailures,
  request,
} from '../../http/schema.ts'
import type { App } from '../../http/types.ts'
import type { AccountId, TaskId } from '../../kernel/ids.ts'
import { workOf } from '../events/work.ts'
import { failureTypes } from '../failures/failure-type.ts'
import { sendClearedPlate } from '../printers/send-settings.ts'
import { requireRoom } from '../quotas/quotas.service.ts'
import { countTasks, listTasks, lockTask } from '../worklist/worklist.queries.ts'
import {
  DeletedTask,
  NewTaskBody,
  presentStats,
  presentTask,
  TaskAssigneeBody,
  TaskChangesBody,
  TaskStatusBody,
  TasksQuery,
  WorklistStats,
  WorklistTask,
} from '../worklist/worklist.schema.ts'
import { assignTask, changeTask, createTask, deleteTask, getTask } from '../worklist/worklist.service.ts'
import { moveTask } from './move-task.ts'

const tags = ['Worklist']

const MoveTaskBody = request({
  ...TaskStatusBody.properties,
  failure_type: Type.Optional(
    oneOf(failureTypes, {
      description:
        'Type of the failure of bad units, when a task to collect a print is completed; the report of yield counts them under it',
    }),
  ),
})

export function worklistRoutes(app: App, context: Context): void {
  const { db, clock } = context

  app.post(
    '/worklist',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Add a worklist task',
        description:
          'It begins as pending. Without an assignee it goes to the default assignee of the account for its type.',
        body: NewTaskBody,
        response: {
          201: envelope(WorklistTask),
          ...failures('PRINTER_NOT_FOUND', 'USER_NOT_FOUND', 'QUOTA_EXCEEDED', ...postFailures),
        },
      },
    },
    (request, reply) =>
      answerOnce(context, request, reply, 201, async (sql) => {
        await requireRoom(context, sql, request.actor.accountId, 'tasks')
        return ok(presentTask(await createTask(workOf(context, request.actor, sql), request.body)))
      }),
  )

  app.get(
    '/worklist',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'List worklist tasks by priority, the newest of each first',
        description:
          'Tasks for people, made by hand and by rules: collecting prints, changing filament, assembling, checking.',
        querystring: TasksQuery,
        response: { 200: pageEnvelope(WorklistTask), ...failures() },
      },
    },
    async (request) => {
      const { rows, meta } = await readPage(context, request, (filter) =>
        listTasks(db.sql, request.actor.accountId, filter),
      )
      return page(rows.map(presentTask), meta)
    },
  )

  app.get(
    '/worklist/stats',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'Count worklist tasks',
        description: 'Open tasks by type and priority, all by status, and those that are overdue or have no assignee.',
        response: { 200: envelope(WorklistStats), ...failures() },
      },
    },
    async ({ actor }) => ok(presentStats(await countTasks(db.sql, actor.accountId, clock.now()))),
  )

  app.get(
    '/worklist/:id',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'Get a worklist task',
        description: 'With its description, its status, and the time that it took, in min.',
        params: idParams('worklistTask'),
        response: { 200: envelope(WorklistTask), ...failures('NOT_FOUND') },
      },
    },
    async ({ actor, params }) => ok(presentTask(await getTask(db.sql, actor.accountId, params.id))),
  )

  app.patch(
    '/worklist/:id',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Change a worklist task',
        description: 'Fields that are left out stay as they are. Its status and assignee have routes of their own.',
        params: idParams('worklistTask'),
        body: TaskChangesBody,
        response: {
          200: envelope(WorklistTask),
          ...failures('NOT_FOUND', 'PRINTER_NOT_FOUND', ...bodyFailures),
        },
      },
    },
    async (request, reply) => {
      const { actor, params, body } = request
      const begin = beginIfMatch(context, request, reply, (sql) => lockedTask(sql, actor.accountId, params.id))
      return ok(presentTask(await begin((sql) => changeTask(workOf(context, actor, sql), params.id, body))))
    },
  )

  app.put(
    '/worklist/:id/status',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Move a worklist task to a status',
        description:
          'A completed task is final; every other may move to any status. Completing it stamps the time and, when it was in progress, how long it took. Completing a task that the farm made also carries it out: a collection clears the plate, an assembly turns its units into ready stock, a task to pick takes all units of the order, and one to pack makes the parcel.',
        params: idParams('worklistTask'),
        body: MoveTaskBody,
        response: {
          200: envelope(WorklistTask),
          ...failures(
            'NOT_FOUND',
            'TASK_ALREADY_COMPLETED',
            'INVALID_STATE',
            'INSUFFICIENT_STOCK',
            'INSUFFICIENT_FOR_KIT',
            'ALREADY_EXISTS',
            'ORDER_ALREADY_FULFILLED',
            'ORDER_CANNOT_FULFILL',
            'ALL_ITEMS_FULFILLED',
            'ITEM_NOT_MAPPED',
            ...bodyFailures,
          ),
        },
      },
    },
    async (request, reply) => {
      const { actor, params, body } = request
      const begin = beginIfMatch(context, request, reply, (sql) => lockedTask(sql, actor.accountId, params.id))
      const { task, plate } = await begin((sql) => moveTask(context, workOf(context, actor, sql), params.id, body))
      if (plate) await sendClearedPlate(context, actor.accountId, plate)
      return ok(presentTask(task))
    },
  )

  app.put(
    '/worklist/:id/assign',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Assign a worklist task to a member, or unassign it',
        description: 'Null removes the assignee. Only while the task is not over.',
        params: idParams('worklistTask'),
        body: TaskAssigneeBody,
        response: {
          200: envelope(WorklistTask),
          ...failures('NOT_FOUND', 'USER_NOT_FOUND', 'TASK_ALREADY_COMPLETED', ...bodyFailures),
        },
      },
    },
    async (request, reply) => {
      const { actor, params, body } = request
      const begin = beginIfMatch(context, request, reply, (sql) => lockedTask(sql, actor.accountId, params.id))
      return ok(presentTask(await begin((sql) => assignTask(workOf(context, actor, sql), params.id, body.assigned_to))))
    },
  )

  app.delete(
    '/worklist/:id',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Delete a worklist task',
        description:
          'For tasks entered by mistake. Cancel a task that will not be done instead: a cancelled task stays on record.',
        params: idParams('worklistTask'),
        response: { 200: envelope(DeletedTask), ...failures('NOT_FOUND') },
      },
    },
    async ({ actor, params }) => {
      await db.beginFor(actor.accountId, (sql) => deleteTask(workOf(context, actor, sql), params.id))
      return ok({ id: params.id, deleted: true })
    },
  )

  async function lockedTask(sql: Sql, accountId: AccountId, taskId: TaskId) {
    await lockTask(sql, accountId, taskId)
    return presentTask(await getTask(sql, accountId, taskId))
  }
}
