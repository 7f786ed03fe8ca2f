import Type, { type Static, type TInteger, type TObject } from 'typebox'
import {
  answer,
  clearableText,
  idOf,
  nullable,
  oneOf,
  optionalRequest,
  pageQuery,
  request,
  resource,
  text,
  timestamp,
} from '../../http/schema.ts'
import { imageUrl } from '../catalogue/images/product-images.schema.ts'
import type { ServedLine } from '../planning/pegs/served-lines.queries.ts'
import { presentServed, ServedLines } from '../planning/pegs/served-lines.schema.ts'
import type { ArticleRow } from '../wiki/wiki.queries.ts'
import { Article, presentArticle } from '../wiki/wiki.schema.ts'
import type { AssemblyCounts, AssemblyPart, AssemblyRow } from './assembly.queries.ts'

const kinds = ['print_assembly', 'kit_assembly'] as const
const statuses = ['pending', 'in_progress', 'completed', 'cancelled'] as const

const assignee = idOf('user', 'User ID (`usr_…`) of the assignee')
const notes = text(0, 2000, 'Anything worth knowing')
const mostUnits = 1_000_000
const units = (minimum: number, description: string) => Type.Integer({ minimum, maximum: mostUnits, description })

export const NewAssemblyBody = request(
  {
    product_sku_id: Type.Optional(idOf('sku', 'The SKU to put together; needed unless finished_good_id is given')),
    finished_good_id: Type.Optional(
      idOf('inventoryItem', 'The inventory item whose SKU is put together, in the place of product_sku_id'),
    ),
    kind: Type.Optional(
      oneOf(kinds, {
        description:
          'print_assembly: printed units are finished; kit_assembly: kits are put together from their bill of materials, as for /skus/{id}/assemble. Default: kit_assembly for a SKU made of other SKUs or components, unless as many printed units of it wait',
      }),
    ),
    quantity: Type.Integer({ minimum: 1, maximum: mostUnits, default: 1, description: 'Number of units' }),
    assigned_to: Type.Optional(assignee),
    notes: Type.Optional(notes),
  },
  { examples: [{ product_sku_id: 'sku_01kaxq3v7m2e8h5t9w4c6y0b1d', quantity: 2 }] },
)

export const NewKitAssemblyBody = optionalRequest({
  quantity: Type.Integer({ minimum: 1, maximum: mostUnits, default: 1, description: 'Number of units' }),
  assigned_to: Type.Optional(assignee),
  notes: Type.Optional(notes),
})

export const AssemblyChangesBody = request(
  Type.Partial(
    Type.Object({
      status: oneOf(statuses, {
        description: 'New status; completed: all units that are left are put together',
      }),
      assigned_to: nullable(assignee),
      quantity: units(1, 'Total number of units; more than are done already'),
      notes: clearableText(2000, 'Anything worth knowing; null or empty: nothing'),
    }),
  ).properties,
  { minProperties: 1 },
)

export const CompleteAssemblyBody = optionalRequest({
  quantity_completed: Type.Optional(units(0, 'Units that were put together; default: all that are left')),
  quantity_rejected: Type.Optional(units(0, 'Units that turned out bad; default: none')),
  notes: Type.Optional(text(0, 2000, 'Added to the notes of the task, after a line `---`')),
})

export const AssembliesQuery = request({
  status: Type.Optional(oneOf(statuses, { description: 'Only tasks with this status' })),
  kind: Type.Optional(oneOf(kinds, { description: 'Only tasks of this kind' })),
  ...pageQuery,
})

const count = (description: string) => Type.Integer({ minimum: 0, description })

const fields = {
  id: Type.String({ description: 'ID of the assembly task' }),
  kind: oneOf(kinds, { description: 'Kind of the task: printed units are finished, or a kit is put together' }),
  status: oneOf(statuses, { description: 'Status of the task; completed and cancelled are final' }),
  product_sku_id: Type.String({ description: 'The SKU to put together' }),
  product_name: Type.String({ description: 'Name of its product when the task was made' }),
  sku: Type.String({ description: 'Code of the SKU when the task was made' }),
  quantity: count('Units in all'),
  quantity_completed: count('Units that were put together by now'),
  quantity_rejected: count('Units that turned out bad by now'),
  assigned_to: nullable(Type.String({ description: 'User ID of the assignee' })),
  notes: Type.String({ description: 'Notes; empty for none' }),
  created_at: timestamp('Time of creation'),
  updated_at: timestamp('Time of the last change'),
  completed_at: nullable(timestamp('Time at which the last unit was done')),
}

export const AssemblyTask = resource('AssemblyTask', 'Units to put together', fields)

export const ListedAssembly = resource(
  'ListedAssemblyTask',
  'Units to put together, and the orders that they are for',
  {
    ...fields,
    for_orders: ServedLines,
  },
)

const AssemblyPartAnswer = resource('AssemblyPart', 'A part that units take, with where it lies', {
  product_sku_id: nullable(Type.String({ description: 'The SKU of a printed part; null for a component' })),
  material_id: nullable(Type.String({ description: 'The component; null for a printed part' })),
  sku: Type.String({ description: 'Code of the SKU; empty for a component' }),
  name: Type.String({ description: 'Name of the product or of the component' }),
  bin: Type.String({ description: 'Bin that it lies in; empty when not given' }),
  image_url: Type.String({ description: 'Address of its picture; empty for none' }),
  per_unit: count('Pieces in one unit'),
  needed: count('Pieces for the units that are left'),
  available: count('Pieces in stock that are not held for orders without units to assemble'),
  missing: count('Pieces that are missing for the units that are left'),
})

export const AssemblyTaskDetail = resource('AssemblyTaskDetail', 'Units to put together, and how it is done', {
  ...fields,
  image_url: Type.String({ description: 'Address of the first picture of the product; empty for none' }),
  parts: Type.Array(AssemblyPartAnswer, {
    description: 'Parts that the units take by their bill of materials: printed parts, then components',
  }),
  for_orders: ServedLines,
  wiki_article: nullable(
    answer(Article.properties, {
      description: 'The published article about the SKU, or else about its product; null for none',
    }),
  ),
})

export const CompletedAssembly = resource('CompletedAssembly', 'Units that were put together, and those that remain', {
  ...fields,
  task: AssemblyTask,
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
  by_status: answer(
    Object.fromEntries(
      statuses.map((status) => [
        status,
        answer(
          { count: count('Tasks of this status'), total_quantity: count('Units of these tasks in all') },
          { description: `Tasks that are ${status.replace('_', ' ')}` },
        ),
      ]),
      // Object.fromEntries forgets the names.
    ) as Record<(typeof statuses)[number], TObject<{ count: TInteger; total_quantity: TInteger }>>,
    { description: 'All tasks by status' },
  ),
  total_units_awaiting: count('Units that are still to be put together; the same as units_open'),
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

export function presentListed(task: AssemblyRow, served: readonly ServedLine[]): Static<typeof ListedAssembly> {
  return { ...presentAssembly(task), for_orders: presentServed(served) }
}

export function presentAssemblyDetail(
  task: AssemblyRow,
  {
    served,
    article,
    parts,
    picture,
  }: {
    served: readonly ServedLine[]
    article: ArticleRow | undefined
    parts: readonly AssemblyPart[]
    picture: string | null
  },
  baseUrl: string,
): Static<typeof AssemblyTaskDetail> {
  const unitsLeft = Math.max(0, task.quantity - task.quantity_completed - task.quantity_rejected)
  const addressOf = (token: string | null) => (token === null ? '' : imageUrl(token, baseUrl))
  return {
    ...presentAssembly(task),
    image_url: addressOf(picture),
    parts: parts.map((part) => {
      const needed = part.per_unit * unitsLeft
      return {
        product_sku_id: part.sku_id,
        material_id: part.material_id,
        sku: part.sku,
        name: part.name,
        bin: part.bin,
        image_url: addressOf(part.image_token),
        per_unit: part.per_unit,
        needed,
        available: part.available,
        missing: Math.max(0, needed - part.available),
      }
    }),
    for_orders: presentServed(served),
    wiki_article: article ? presentArticle(article) : null,
  }
}

export function presentAssemblyStats(counts: AssemblyCounts): Static<typeof AssemblyStats> {
  const { quantities, ...others } = counts
  return {
    ...others,
    by_status: {
      pending: { count: counts.pending, total_quantity: quantities.pending },
      in_progress: { count: counts.in_progress, total_quantity: quantities.in_progress },
      completed: { count: counts.completed, total_quantity: quantities.completed },
      cancelled: { count: counts.cancelled, total_quantity: quantities.cancelled },
    },
    total_units_awaiting: counts.units_open,
  }
}
