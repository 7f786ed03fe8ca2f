import type { IdKind } from '../kernel/ids.ts'

/** A column as the catalogue of PostgreSQL tells it. */
export interface CatalogueColumn {
  table_name: string
  column_name: string
  /** As `format_type` prints it: `text`, `timestamp with time zone`, `bigint[]`, … */
  type: string
  is_nullable: boolean
  enum_labels: string[]
  /** Check constraints on this column alone, as `pg_get_constraintdef` prints them. */
  checks: string[]
}

/** TypeScript type as which `openDatabase` hands out each type. */
const typeScriptTypes: Record<string, string> = {
  text: 'string',
  'character varying': 'string',
  character: 'string',
  uuid: 'string',
  numeric: 'string',
  date: 'string',
  'time without time zone': 'string',
  interval: 'string',
  inet: 'string',
  boolean: 'boolean',
  smallint: 'number',
  integer: 'number',
  bigint: 'number',
  real: 'number',
  'double precision': 'number',
  'timestamp with time zone': 'Date',
  bytea: 'Buffer',
  json: 'Json',
  jsonb: 'Json',
  tstzrange: 'string',
  int4range: 'string',
  int8range: 'string',
  daterange: 'string',
  tsvector: 'string',
}

/** What the IDs of a column name: of `column` in every table, or of `table.column`. Others are plain texts. */
const idKinds: Record<string, IdKind> = {
  account_id: 'account',
  user_id: 'user',
  hub_id: 'hub',
  printer_id: 'printer',
  job_id: 'job',
  attempt_id: 'attempt',
  print_file_id: 'printFile',
  file_version_id: 'fileVersion',
  product_id: 'product',
  product_sku_id: 'sku',
  recipe_id: 'recipe',
  sku_id: 'sku',
  child_sku_id: 'sku',
  kit_part_id: 'kitPart',
  'kit_parts.id': 'kitPart',
  'kit_part_components.id': 'kitLine',
  'kit_extras.id': 'kitLine',
  assembly_task_id: 'assemblyTask',
  order_id: 'order',
  inventory_item_id: 'inventoryItem',
  material_id: 'material',
  article_id: 'wikiArticle',
  wiki_id: 'wikiArticle',
  webhook_id: 'webhook',
  channel_id: 'notificationChannel',
  task_id: 'worklistTask',
  plate_job_id: 'job',
  reprint_of: 'job',
  mapped_by: 'listingMap',
  shipment_id: 'shipment',
  shop_id: 'shop',
  order_item_id: 'orderItem',
  packed_by: 'user',
  assigned_to: 'user',
  accepted_by: 'user',
  'accounts.id': 'account',
  'api_keys.id': 'apiKey',
  'assembly_tasks.id': 'assemblyTask',
  'attempts.id': 'attempt',
  'backup_runs.id': 'backupRun',
  'bom_children.id': 'bomLine',
  'bom_materials.id': 'bomLine',
  'colors.id': 'color',
  'commands.id': 'command',
  'events.id': 'event',
  'hub_join_codes.id': 'joinCode',
  'hubs.id': 'hub',
  'inventory_items.id': 'inventoryItem',
  'invitations.id': 'invitation',
  'passkeys.id': 'passkey',
  'jobs.id': 'job',
  'material_movements.id': 'materialMovement',
  'materials.id': 'material',
  'filament_reservations.id': 'filamentReservation',
  'material_settings.id': 'materialSettings',
  'members.id': 'member',
  'listing_maps.id': 'listingMap',
  'order_items.id': 'orderItem',
  'order_returns.id': 'orderReturn',
  'order_settings.id': 'orderSettings',
  'orders.id': 'order',
  'mqtt_brokers.id': 'mqttBroker',
  'notification_channels.id': 'notificationChannel',
  'notification_feeds.event_id': 'event',
  'notification_feeds.id': 'notificationFeed',
  'notification_rules.id': 'notificationRule',
  'automation_rules.id': 'automationRule',
  'automation_feeds.id': 'automationFeed',
  'automation_feeds.event_id': 'event',
  'automation_runs.id': 'automationRun',
  'automation_runs.rule_id': 'automationRule',
  'automation_runs.event_id': 'event',
  'notifications.event_id': 'event',
  'notifications.id': 'notification',
  failure_id: 'printFailure',
  'print_failures.id': 'printFailure',
  'print_file_versions.id': 'fileVersion',
  'print_files.id': 'printFile',
  'printers.id': 'printer',
  'product_images.id': 'productImage',
  'products.id': 'product',
  'scheduler_settings.id': 'schedulerSettings',
  'sessions.id': 'session',
  'recipes.id': 'recipe',
  'shifts.id': 'shift',
  'shipment_items.id': 'shipmentItem',
  'shipments.id': 'shipment',
  'shop_pushes.id': 'shopPush',
  'shops.id': 'shop',
  'spoolman_connections.id': 'spoolmanConnection',
  'spool_tags.id': 'spoolTag',
  'spoolman_usages.id': 'spoolmanUsage',
  'skus.id': 'sku',
  'smart_plugs.id': 'smartPlug',
  'stock_movements.id': 'stockMovement',
  'task_assignment_defaults.id': 'taskAssignmentDefault',
  'uploads.file_id': 'printFile',
  'uploads.id': 'upload',
  'users.id': 'user',
  'webhook_deliveries.event_id': 'event',
  'webhook_deliveries.id': 'webhookDelivery',
  'webhook_feeds.event_id': 'event',
  'webhook_feeds.id': 'webhookFeed',
  'webhooks.id': 'webhook',
  'webhooks.since_event_id': 'event',
  'wiki_articles.id': 'wikiArticle',
  'wiki_images.id': 'wikiImage',
  'worklist_tasks.id': 'worklistTask',
}

/** One exported type per table: `print_jobs` becomes `PrintJobRow`. @throws Error for a column type without a rule. */
export function formatRowTypes(columns: CatalogueColumn[]): string {
  const tables = Map.groupBy(columns, (column) => column.table_name)
  const types = [...tables].map(([table, its]) => formatTable(table, its))
  const json = columns.some((column) => typeOf(column).includes('Json'))
    ? "import type { Json } from './database.ts'\n\n"
    : ''
  const ids = columns.some((column) => typeOf(column).startsWith('Id<'))
    ? "import type { Id } from '../kernel/ids.ts'\n"
    : ''
  const head = '// Printed from the migrated database by generate-row-types.ts; do not edit.\n\n'
  return `${head}${ids}${json}${types.join('\n')}`
}

function formatTable(table: string, columns: CatalogueColumn[]): string {
  const fields = columns.map(
    (column) => `  ${column.column_name}: ${typeOf(column)}${column.is_nullable ? ' | null' : ''}\n`,
  )
  return `/** A row of \`${table}\`. */\nexport type ${rowTypeName(table)} = {\n${fields.join('')}}\n`
}

/** `print_jobs` → `PrintJobRow`: the last word in the singular. */
export function rowTypeName(table: string): string {
  const words = table.split('_')
  const last = words.pop() ?? ''
  return `${[...words, singular(last)].map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')}Row`
}

function singular(word: string): string {
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`
  if (/(?:ss|x|ch|sh)es$/.test(word)) return word.slice(0, -2)
  if (/(?:ss|[^k]us|is)$/.test(word)) return word
  return word.endsWith('s') ? word.slice(0, -1) : word
}

function typeOf(column: CatalogueColumn): string {
  const kind = idKinds[`${column.table_name}.${column.column_name}`] ?? idKinds[column.column_name]
  if (kind !== undefined) return `Id<'${kind}'>`
  const element = column.type.endsWith('[]') ? column.type.slice(0, -2) : column.type
  if (element !== column.type) {
    const type = plainType(column, element)
    return type.includes(' ') ? `(${type})[]` : `${type}[]`
  }
  if (column.enum_labels.length > 0) return union(column.enum_labels)
  const allowed = column.checks.map(allowedTexts).find((texts) => texts.length > 0)
  return allowed === undefined ? plainType(column, element) : union(allowed)
}

function plainType(column: CatalogueColumn, type: string): string {
  const name = typeScriptTypes[type]
  if (name === undefined)
    throw new Error(
      `No rule for the type ${type} of ${column.table_name}.${column.column_name}; add one to row-types.ts`,
    )
  return name
}

function union(texts: string[]): string {
  return texts.map((text) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`).join(' | ')
}

/**
 * The texts of `check (state in ('a', 'b'))`, which PostgreSQL prints as
 * `CHECK ((state = ANY (ARRAY['a'::text, 'b'::text])))`, or with one text as `CHECK ((state = 'a'::text))`; none for
 * any other check.
 */
export function allowedTexts(check: string): string[] {
  const text = /'((?:[^']|'')*)'::[a-z ]+/g
  const rest = check.replace(text, '*').replaceAll(/::text(?:\[\])?|[()\s]/g, '')
  if (!/^CHECK\w+=(?:\*|ANYARRAY\[\*(?:,\*)*\])$/.test(rest)) return []
  return [...check.matchAll(text)].map((match) => (match[1] ?? '').replaceAll("''", "'"))
}
