import type { Sql } from '../../../db/database.ts'
import type { AccountId, SkuId } from '../../../kernel/ids.ts'
import type { Work } from '../../events/work.ts'

/** Plans of an account are written one after another. Anyone who also locks rows of orders or stock asks for this first. */
export async function waitForPlan(sql: Sql, accountId: AccountId): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('plan ' || ${accountId}::text, 0))`
}

/** Accounts that asked for a plan. */
export async function listAccountsToPlan(sql: Sql): Promise<AccountId[]> {
  const rows = await sql<{ account_id: AccountId }[]>`
    /* every account: the planner works for all of them */
    select distinct account_id from replan_requests`
  return rows.map((row) => row.account_id)
}

/** True when an account asked for a plan: most of what happens changes no unit. */
export async function isAsked(sql: Sql, accountId: AccountId): Promise<boolean> {
  const rows = await sql`select position from replan_requests where account_id = ${accountId} limit 1`
  return rows.length > 0
}

/** A SKU to plan again, and the requests that said so. */
interface Asked {
  skuId: SkuId
  positions: number[]
  /** True when it changed itself; otherwise all of the account was asked for. */
  isOwn: boolean
}

/** The SKUs to plan again, those first that were asked for first. A request for all of the account becomes one for each SKU of its plan. */
export async function listAsked(work: Work): Promise<Asked[]> {
  const { asked, ofAll } = await readRequests(work)
  if (ofAll.length === 0) return asked
  await askForAll(work)
  await endRequests(work, ofAll)
  return (await readRequests(work)).asked
}

async function readRequests({ sql, accountId }: Work): Promise<{ asked: Asked[]; ofAll: number[] }> {
  const rows = await sql<(Omit<Asked, 'skuId'> & { skuId: SkuId | null })[]>`
    select product_sku_id as "skuId", array_agg(position) as positions, bool_or(is_own) as "isOwn" from replan_requests
    where account_id = ${accountId} group by product_sku_id order by min(position)`
  return {
    asked: rows.flatMap(({ skuId, ...row }) => (skuId === null ? [] : [{ skuId, ...row }])),
    ofAll: rows.flatMap(({ skuId, positions }) => (skuId === null ? positions : [])),
  }
}

/** Every SKU of which a plan says anything, or of which an earlier plan wrote something. */
async function askForAll({ sql, accountId }: Work): Promise<void> {
  await sql`
    insert into replan_requests (account_id, product_sku_id, is_own)
    select ${accountId}, id, false from (
      select product_sku_id as id from order_items
        where account_id = ${accountId} and product_sku_id is not null and fulfillment_status in ('pending', 'partial')
      union select product_sku_id from order_item_states where account_id = ${accountId}
      union select product_sku_id from pegs where account_id = ${accountId}
      union select id from skus where account_id = ${accountId} and restock_to is not null
      except select product_sku_id from replan_requests where account_id = ${accountId}
    ) s order by id`
}

/** These were planned. Others may have been made meanwhile, and stay. */
export async function endRequests({ sql, accountId }: Work, positions: readonly number[]): Promise<void> {
  await sql`delete from replan_requests where account_id = ${accountId} and position = any(${[...positions]})`
}
