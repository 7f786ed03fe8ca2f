import Type, { type Static } from 'typebox'
import { answer, idOf, nullable, oneOf, pageQuery, request, resource, text, timestamp } from '../../http/schema.ts'
import type { ArticleOfSku, AssemblyCounts, AssemblyRow } from './assembly.queries.ts'

const kinds = ['print_assembly', 'kit_assembly'] as const
const statuses = ['pending', 'in_progress', 'completed', 'cancelled'] as const

const assignee = idOf('user', 'User ID (`usr_…`) of the member who is to do it')
const notes = text(0, 2000, 'Anything worth knowing')
const units = (minimum: number, description: string) => Type.Integer({ minimum, maximum: 1_000_000, description })

export const NewAssemblyBody = request({
  product_sku_id: idOf('sku', 'The SKU to put together'),
  quantity: units(1, 'How many units'),
  assigned_to: Type.Optional(assignee),
  notes: Type.Optional(notes),
})

export const AssemblyChangesBody = request(
  Type.Partial(
    Type.Object({
      status: oneOf(['pending', 'in_progress', 'cancelled'], {
        description: 'Where it is to stand; it is completed at an address of its own',
      }),
      assigned_to: nullable(assignee),
      notes,
    }),
  ).properties,
  { minProperties: 1 },
)

export const CompleteAssemblyBody = request({
  quantity_completed: Type.Optional(units(0, 'Units that were put together; default: all that are left')),
  quantity_rejected: Type.Optional(units(0, 'Units that turned out bad; default: none')),
  notes: Type.Optional(notes),
})

export const AssembliesQuery = request({
  status: Type.Optional(oneOf(statuses, { description: 'Only tasks with this status' })),
  kind: Type.Optional(oneOf(kinds, { description: 'Only tasks of this kind' })),
  ...pageQuery,
})

const count = (description: string) => Type.Integer({ minimum: 0, description })

const fields = {
  id: Type.String({ description: 'ID of the assembly task' }),
  kind: oneOf(kinds, { description: 'Whether printed units are finished, or a kit is put together' }),
  status: oneOf(statuses, { description: 'Where it stands; completed and cancelled are final' }),
  product_sku_id: Type.String({ description: 'The SKU to put together' }),
  product_name: Type.String({ description: 'Name of its product when the task was made' }),
  sku: Type.String({ description: 'Code of the SKU when the task was made' }),
  quantity: count('Units in all'),
  quantity_completed: count('Units that were put together by now'),
  quantity_rejected: count('Units that turned out bad by now'),
  assigned_to: nullable(Type.String({ description: 'User ID of the member who has it' })),
  notes: Type.String({ description: 'Notes; empty for none' }),
  created_at: timestamp('When it was made'),
  updated_at: timestamp('When it last changed'),
  completed_at: nullable(timestamp('When the last unit was done')),
}

export const AssemblyTask = resource('AssemblyTask', 'Units to put together', fields)

export const AssemblyTaskDetail = resource('AssemblyTaskDetail', 'Units to put together, and how it is done', {
  ...fields,
  wiki_article: nullable(
    answer(
      {
        id: Type.String({ description: 'ID of the article' }),
        title: Type.String({ description: 'Its title' }),
        slug: Type.String({ description: 'Its readable address' }),
        content: Type.String({ description: 'Its text' }),
      },
      { description: 'The published article about the SKU, or else about its product; null for none' },
    ),
  ),
})

export const DeletedAssembly = resource('DeletedAssemblyTask', 'The assembly task that is gone', {
  id: Type.String({ description: 'ID of the task that was deleted' }),
  deleted: Type.Boolean({ description: 'Always true' }),
})

export const AssemblyStats = resource('AssemblyStats', 'Assembly tasks, counted', {
  pending: count('Tasks that wait'),
  in_progress: count('Tasks in progress'),
  completed: count('Tasks that are done'),
  cancelled: count('Tasks that were called off'),
  units_open: count('Units that are still to be put together'),
  units_completed: count('Units that were put together'),
  units_rejected: count('Units that turned out bad'),
})

export function presentAssembly(task: AssemblyRow): Static<typeof AssemblyTask> {
  return {
    id: task.id,
    kind: task.kind,
    status: task.status,
    product_sku_id: task.product_sku_id,
    product_name: task.product_name,
    sku: task.sku,
    quantity: task.quantity,
    quantity_completed: task.quantity_completed,
    quantity_rejected: task.quantity_rejected,
    assigned_to: task.assigned_to,
    notes: task.notes,
    created_at: task.created_at.toISOString(),
    updated_at: task.updated_at.toISOString(),
    completed_at: task.completed_at?.toISOString() ?? null,
  }
}

export function presentAssemblyDetail(
  task: AssemblyRow,
  article: ArticleOfSku | undefined,
): Static<typeof AssemblyTaskDetail> {
  return { ...presentAssembly(task), wiki_article: article ? { ...article } : null }
}

export function presentAssemblyStats(counts: AssemblyCounts): Static<typeof AssemblyStats> {
  return { ...counts }
}
