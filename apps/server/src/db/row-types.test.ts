import { expect, test } from 'vitest'
import { allowedTexts, type CatalogueColumn, formatRowTypes, rowTypeName } from './row-types.ts'

function buildColumn(column: Partial<CatalogueColumn>): CatalogueColumn {
  return {
    table_name: 'jobs',
    column_name: 'a',
    type: 'text',
    is_nullable: false,
    enum_labels: [],
    checks: [],
    ...column,
  }
}

test.each([
  ['jobs', 'JobRow'],
  ['api_keys', 'ApiKeyRow'],
  ['inventory', 'InventoryRow'],
  ['deliveries', 'DeliveryRow'],
  ['boxes', 'BoxRow'],
  ['order_status', 'OrderStatusRow'],
  ['skus', 'SkuRow'],
])('the rows of %s have the type %s', (table, type) => {
  expect(rowTypeName(table)).toBe(type)
})

test('columns become fields with the types that the driver hands out', () => {
  const text = formatRowTypes([
    buildColumn({ column_name: 'id' }),
    buildColumn({ column_name: 'account_id' }),
    buildColumn({ column_name: 'external_id' }),
    buildColumn({ column_name: 'price_cents', type: 'bigint', is_nullable: true }),
    buildColumn({ column_name: 'tags', type: 'text[]' }),
    buildColumn({ column_name: 'created_at', type: 'timestamp with time zone' }),
    buildColumn({ column_name: 'details', type: 'jsonb' }),
    buildColumn({ column_name: 'state', checks: ["CHECK ((state = ANY (ARRAY['a'::text, 'it''s'::text])))"] }),
    buildColumn({ column_name: 'kind', type: 'kind', enum_labels: ['x', 'y'], is_nullable: true }),
  ])
  expect(text).toContain(`export type JobRow = {
  id: Id<'job'>
  account_id: Id<'account'>
  external_id: string
  price_cents: number | null
  tags: string[]
  created_at: Date
  details: Json
  state: 'a' | 'it\\'s'
  kind: 'x' | 'y' | null
}`)
})

test('a column type without a rule is refused by name', () => {
  expect(() => formatRowTypes([buildColumn({ type: 'timestamp without time zone' })])).toThrow(
    'timestamp without time zone of jobs.a',
  )
})

test.each([
  'CHECK ((length(a) > 3))',
  "CHECK (((a = 'x'::text) OR (b = 'y'::text)))",
  'CHECK ((a > 0))',
  "CHECK ((a <> 'x'::text))",
])('%s allows no list of texts', (check) => {
  expect(allowedTexts(check)).toEqual([])
})
