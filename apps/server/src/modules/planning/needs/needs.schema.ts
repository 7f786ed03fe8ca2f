import Type, { type Static } from 'typebox'
import type { PageFilter } from '../../../db/page-bounds.ts'
import { nullable, oneOf, pageQuery, request, resource, text, timestamp } from '../../../http/schema.ts'
import { imageUrl } from '../../catalogue/images/product-images.schema.ts'
import type { Names } from '../names.queries.ts'
import { PlanBlocker, presentBlocker } from '../planning.schema.ts'
import type { NeedRow, ShelfRow, UnwantedJobRow, UnwantedTaskRow } from './needs.queries.ts'

const search = Type.Optional(text(1, 120, 'Part of the code of the SKU or of the name of its product, in any case'))

export const NeedsQuery = request({
  ...pageQuery,
  for: Type.Optional(
    oneOf(['orders', 'shelf'], {
      description: 'Only units that orders wait for, or only units that the shelf lacks; default: both',
    }),
  ),
  due_before: Type.Optional(timestamp('Only orders that have to leave before then, without the needs of the shelf')),
  is_blocked: Type.Optional(
    Type.Boolean({ description: 'Only SKUs with units that cannot be made, or only all others' }),
  ),
  search,
})
export type NeedsFilter = PageFilter<Static<typeof NeedsQuery>>

export const ShelfQuery = request({ ...pageQuery, search })
export type ShelfFilter = PageFilter<Static<typeof ShelfQuery>>

const units = (description: string) => Type.Integer({ minimum: 0, description })

const skuFields = {
  product_sku_id: Type.String({ description: 'The SKU' }),
  sku: Type.String({ description: 'Code of the SKU' }),
  product_id: Type.String({ description: 'Its product' }),
  product_name: Type.String({ description: 'Name of the product' }),
  color: Type.String({ description: 'Colour; empty when unknown' }),
  filament_type: Type.String({ description: 'Filament type such as PLA; empty when unknown' }),
  image_url: Type.String({ description: 'Address of the first picture of the product; empty for none' }),
  is_makeable: Type.Boolean({ description: 'Whether a recipe or a bill of materials says how it is made' }),
  is_assembled: Type.Boolean({
    description: 'Whether it is assembled by a bill of materials, so that its parts are printed instead of itself',
  }),
}

export const ProductionNeed = resource(
  'ProductionNeed',
  'Units of a SKU that must be printed and that nothing covers',
  {
    ...skuFields,
    to_print: units('Units that orders wait for and that can be queued'),
    shelf_units: units('Units that the shelf lacks'),
    blocked: units('Units that orders wait for and that cannot be made'),
    blockers: Type.Array(PlanBlocker, { description: 'Reasons why units cannot be made; empty while all can' }),
    due_at: nullable(timestamp('The earliest date by which one of the orders has to leave')),
    orders_waiting: units('Orders that wait for it'),
    orders: Type.Array(
      resource('WaitingOrder', 'An order that waits for units of a SKU', {
        order_id: Type.String({ description: 'The order' }),
        order_number: Type.String({ description: 'Its number' }),
        ship_by: nullable(timestamp('Latest time to ship')),
        to_print: units('Units that can be queued for it'),
        blocked: units('Units for it that cannot be made'),
      }),
      { description: 'The five of them that have to leave first' },
    ),
  },
)

export const ShelfLevel = resource('ShelfLevel', 'Level of the shelf of a SKU, and its units there and on their way', {
  ...skuFields,
  restock_point: units(
    'Restock point: the shelf is to be filled up when this many units or fewer are there and on their way',
  ),
  restock_to: units('Units that are then to be there'),
  auto_produce: Type.Boolean({ description: 'Whether missing units are queued automatically' }),
  ready: units('Units on the shelf that no order holds, up to restock_to'),
  on_the_way: units('Units for the shelf that are being printed, are queued or wait for assembly'),
  missing: units('Units that must be made to fill it up; 0 while more than restock_point are there and on their way'),
})

export const UnwantedWork = resource(
  'UnwantedWork',
  'Queued jobs and open assembly tasks that nothing needs any more',
  {
    job_ids: Type.Array(Type.String(), { description: 'Queued jobs of which no plate was started' }),
    assembly_task_ids: Type.Array(Type.String(), { description: 'Open assembly tasks of orders' }),
    jobs: Type.Array(
      resource('UnwantedJob', 'A queued job that nothing needs', {
        id: Type.String({ description: 'ID of the job' }),
        product_name: Type.String({ description: 'Name of the product that it makes; empty when not known' }),
        sku: Type.String({ description: 'Code of the SKU that it makes; empty for none' }),
        file_name: Type.String({ description: 'Name of its print file' }),
        units: units('Units that it was queued for'),
        plates: units('Plates that it was queued for'),
        created_at: timestamp('Time at which it was queued'),
      }),
      { description: 'The same jobs with their names, the oldest first' },
    ),
    assembly_tasks: Type.Array(
      resource('UnwantedAssembly', 'An open assembly task that nothing needs', {
        id: Type.String({ description: 'ID of the assembly task', examples: ['asm_01kaxq3v7m2e8h5t9w4c6y0b1d'] }),
        product_name: Type.String({ description: 'Name of the product' }),
        sku: Type.String({ description: 'Code of the SKU' }),
        units: units('Units to put together'),
        created_at: timestamp('Time of creation'),
      }),
      { description: 'The same tasks with their names, the oldest first' },
    ),
  },
)

type SkuRow = Pick<
  NeedRow,
  | 'id'
  | 'sku'
  | 'product_id'
  | 'product_name'
  | 'color'
  | 'filament_type'
  | 'image_token'
  | 'is_makeable'
  | 'is_assembled'
>

const presentSku = (row: SkuRow, baseUrl: string) => ({
  product_sku_id: row.id,
  sku: row.sku,
  product_id: row.product_id,
  product_name: row.product_name,
  color: row.color,
  filament_type: row.filament_type,
  image_url: row.image_token === null ? '' : imageUrl(row.image_token, baseUrl),
  is_makeable: row.is_makeable,
  is_assembled: row.is_assembled,
})

/** What blocks an order says so itself; of the shelf alone it is known by whether there is a way to make it. */
function blockersOf({ blockers, blocked, is_makeable, id }: NeedRow): NeedRow['blockers'] {
  if (blocked > 0) return blockers
  return is_makeable ? [] : [{ reason: 'no_recipe', skuId: id, materialId: null }]
}

export function presentNeed(row: NeedRow, names: Names, baseUrl: string): Static<typeof ProductionNeed> {
  return {
    ...presentSku(row, baseUrl),
    to_print: row.to_print,
    shelf_units: row.shelf_units,
    blocked: row.blocked,
    blockers: blockersOf(row).map((blocker) => presentBlocker(blocker, names)),
    due_at: row.due_at?.toISOString() ?? null,
    orders_waiting: row.orders_waiting,
    orders: row.orders.map(({ ship_by, ...order }) => ({
      ...order,
      ship_by: ship_by === null ? null : new Date(ship_by).toISOString(),
    })),
  }
}

export function presentShelf(row: ShelfRow, baseUrl: string): Static<typeof ShelfLevel> {
  return {
    ...presentSku(row, baseUrl),
    restock_point: row.restock_point,
    restock_to: row.restock_to,
    auto_produce: row.auto_produce,
    ready: row.ready,
    on_the_way: row.on_the_way,
    missing: row.missing,
  }
}

export function presentUnwanted(
  jobs: readonly UnwantedJobRow[],
  tasks: readonly UnwantedTaskRow[],
): Static<typeof UnwantedWork> {
  return {
    job_ids: jobs.map(({ id }) => id),
    assembly_task_ids: tasks.map(({ id }) => id),
    jobs: jobs.map((job) => ({
      id: job.id,
      product_name: job.product_name ?? '',
      sku: job.sku ?? '',
      file_name: job.file_name,
      units: job.number_of_units,
      plates: job.plates_total,
      created_at: job.created_at.toISOString(),
    })),
    assembly_tasks: tasks.map((task) => ({
      id: task.id,
      product_name: task.product_name,
      sku: task.sku,
      units: task.quantity,
      created_at: task.created_at.toISOString(),
    })),
  }
}
