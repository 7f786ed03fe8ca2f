import Type, { type Static } from 'typebox'
import { answer, nullable, oneOf, request, resource, text } from '../../../http/schema.ts'
import { currencyCode } from '../settings/order-settings.schema.ts'
import { formatNames } from './formats.ts'
import { type RowResult, rowOutcomes } from './import-orders.ts'
import { mostRows } from './read-csv.ts'

const importIdForm = { pattern: '^[A-Za-z0-9_-]{1,64}$', maxLength: 64, examples: ['imp-20261120-0930'] }

export const ImportQuery = request({
  format: Type.Optional(
    oneOf(formatNames, { description: 'Format of the file; default: recognised by the names of its columns' }),
  ),
  shop: Type.Optional(text(0, 100, 'Name of the shop, where the account has several on the platform')),
  currency: Type.Optional(currencyCode('Currency of rows that name none; default: that of the account')),
  dry_run: Type.Boolean({ default: false, description: 'true: only previews the outcome of each row' }),
  progress_id: Type.Optional(
    Type.String({
      ...importIdForm,
      description:
        'An ID of your choice, by which GET /order-imports/{id} tells the progress of the import while it runs',
    }),
  ),
})

export const ImportParams = Type.Object(
  { id: Type.String({ ...importIdForm, description: 'The `progress_id` of the import' }) },
  { additionalProperties: false },
)

export const OrderImportProgress = resource('OrderImportProgress', 'Progress of an import that is under way', {
  done_rows: Type.Integer({
    minimum: 0,
    description: 'Rows that are read, and once `total_rows` is known, that are recorded',
  }),
  total_rows: nullable(Type.Integer({ minimum: 0, description: 'Rows of the file; null while it is read' })),
})

const ImportedRow = resource('ImportedRow', 'Result of a row of the file', {
  row: Type.Integer({ description: 'The row as a spreadsheet counts it; the header is row 1', examples: [2] }),
  outcome: oneOf(rowOutcomes, {
    description:
      'created: its order is recorded, or would be; exists: its shop has the order already; skipped: the order is over in its shop; ' +
      'refused: something is wrong with the order, here or in another of its rows',
  }),
  order_number: Type.String({ description: 'Number of its order; empty when it tells none' }),
  order_id: nullable(Type.String({ description: 'The existing order; null for none' })),
  product_sku_id: nullable(Type.String({ description: 'SKU that its line stands for; null: none of the account' })),
  unmapped: Type.Boolean({ description: 'Whether the line has no SKU yet; it is kept, to be mapped' }),
  reason: nullable(
    Type.String({ description: 'Reason why it was skipped', examples: ['it is shipped in the shop already'] }),
  ),
  errors: Type.Array(
    answer({
      field: Type.String({ description: 'Problems by field; _root for the whole row', examples: ['unit_price'] }),
      column: nullable(
        Type.String({
          description:
            'The heading of its column as the file spells it; null for a whole row, and where the file has no such column',
          examples: ['Lineitem price'],
        }),
      ),
      message: Type.String({ description: 'Expected value', examples: ['must be an amount such as 12.50'] }),
    }),
    { description: 'Problems of this row' },
  ),
})

const count = (description: string) => Type.Integer({ description })

export const OrderImport = resource('OrderImport', 'Result of importing a file of orders', {
  dry_run: Type.Boolean({ description: 'Whether it was a dry run, which writes nothing' }),
  format: oneOf(formatNames, { description: 'Format that the file was read as' }),
  ignored_columns: Type.Array(Type.String(), {
    description:
      'Columns that are not read, as the header spells them: in our own form they may be misspelled. Always empty for exports of shops',
    examples: [['ship by']],
  }),
  orders: answer(
    {
      created: count('Orders that were recorded, or would be'),
      exists: count('Orders that their shop has already'),
      skipped: count('Orders that are over in their shop'),
      refused: count('Orders with something wrong'),
    },
    { description: 'Number of orders of each outcome' },
  ),
  unmapped_items: count('Lines of created orders that stand for no SKU yet'),
  rows: Type.Array(ImportedRow, { description: `Every row of the file, in its order; at most ${mostRows}` }),
})

export function presentRow(row: RowResult): Static<typeof ImportedRow> {
  return {
    row: row.row,
    outcome: row.outcome,
    order_number: row.order_number,
    order_id: row.order_id,
    product_sku_id: row.product_sku_id,
    unmapped: row.isUnmapped,
    reason: row.reason,
    errors: row.problems.map(({ field, column, message }) => ({ field, column, message })),
  }
}
