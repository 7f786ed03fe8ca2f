import type { Json, Sql } from '../../../db/database.ts'
import type {
  HubRow,
  InventoryItemRow,
  JobRow,
  MaterialRow,
  OrderRow,
  PrinterRow,
  SkuRow,
  WorklistTaskRow,
} from '../../../db/rows.generated.ts'
import type { AccountId, EventId, ProductId, SkuId } from '../../../kernel/ids.ts'

/** An event with what it carries. */
export interface WholeEvent {
  id: EventId
  type: string
  subject_id: string
  data: Json
  actor: string
  created_at: Date
}

export async function listEvents(sql: Sql, accountId: AccountId, ids: readonly EventId[]): Promise<WholeEvent[]> {
  return sql<WholeEvent[]>`
    select id, type, subject_id, data, actor, created_at from events
    where account_id = ${accountId} and id = any(${[...ids]}) order by txid, id`
}

type TaskFacts = Pick<
  WorklistTaskRow,
  'id' | 'title' | 'priority' | 'source' | 'subject_id' | 'status' | 'printer_id'
> & {
  location: string | null
}

export async function findTaskFacts(sql: Sql, accountId: AccountId, id: string): Promise<TaskFacts | undefined> {
  const [row] = await sql<TaskFacts[]>`
    select t.id, t.title, t.priority, t.source, t.subject_id, t.status, t.printer_id, p.location
    from worklist_tasks t left join printers p on p.account_id = t.account_id and p.id = t.printer_id
    where t.account_id = ${accountId} and t.id = ${id}`
  return row
}

type JobFacts = Pick<JobRow, 'id' | 'product_id' | 'product_name' | 'file_name' | 'plates_total'>

export async function findJobFacts(sql: Sql, accountId: AccountId, id: string): Promise<JobFacts | undefined> {
  const [row] = await sql<JobFacts[]>`
    select id, product_id, product_name, file_name, plates_total from jobs where account_id = ${accountId} and id = ${id}`
  return row
}

type PrinterFacts = Pick<PrinterRow, 'id' | 'name' | 'location'>

export async function findPrinterFacts(sql: Sql, accountId: AccountId, id: string): Promise<PrinterFacts | undefined> {
  const [row] = await sql<PrinterFacts[]>`
    select id, name, location from printers where account_id = ${accountId} and id = ${id}`
  return row
}

type StockFacts = Pick<InventoryItemRow, 'id' | 'ready_stock' | 'low_stock_threshold'> &
  Pick<SkuRow, 'sku'> & { sku_id: SkuId; product_id: ProductId; product_name: string }

export async function findStockFacts(sql: Sql, accountId: AccountId, id: string): Promise<StockFacts | undefined> {
  const [row] = await sql<StockFacts[]>`
    select i.id, i.ready_stock, i.low_stock_threshold, s.id as sku_id, s.sku, s.product_id, p.name as product_name
    from inventory_items i join skus s on s.account_id = i.account_id and s.id = i.product_sku_id
    join products p on p.account_id = s.account_id and p.id = s.product_id
    where i.account_id = ${accountId} and i.id = ${id}`
  return row
}

type MaterialFacts = Pick<MaterialRow, 'id' | 'kind' | 'type' | 'name' | 'color' | 'printer_id' | 'status'>

export async function findMaterialFacts(
  sql: Sql,
  accountId: AccountId,
  id: string,
): Promise<MaterialFacts | undefined> {
  const [row] = await sql<MaterialFacts[]>`
    select id, kind, type, name, color, printer_id, status from materials where account_id = ${accountId} and id = ${id}`
  return row
}

type OrderFacts = Pick<OrderRow, 'id' | 'order_number' | 'status'>

export async function findOrderFacts(sql: Sql, accountId: AccountId, id: string): Promise<OrderFacts | undefined> {
  const [row] = await sql<OrderFacts[]>`
    select id, order_number, status from orders where account_id = ${accountId} and id = ${id}`
  return row
}

export async function findHubName(sql: Sql, accountId: AccountId, id: string): Promise<HubRow['name'] | undefined> {
  const [row] = await sql<Pick<HubRow, 'name'>[]>`select name from hubs where account_id = ${accountId} and id = ${id}`
  return row?.name
}

/** Answers what a receiver of events or messages is called, never its address. */
export async function findReceiverName(sql: Sql, accountId: AccountId, id: string): Promise<string | undefined> {
  const [row] = await sql<{ name: string }[]>`
    select coalesce(nullif(description, ''), split_part(url, '/', 3)) as name from webhooks
    where account_id = ${accountId} and id = ${id}
    union all select name from notification_channels where account_id = ${accountId} and id = ${id}`
  return row?.name
}
