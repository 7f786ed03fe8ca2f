import type { Context } from '../../../context/context.ts'
import { ShopProblem } from '../connectors/contract/shop-problem.ts'
import type { OpenedShop } from '../settings/open-shop.ts'
import type { HeldShop } from './due.queries.ts'
import { isPlanBehind, keyOf, type ListedStock, listStock, saveStock } from './stock.queries.ts'
import { decideStock, sellable } from './stock-rule.ts'

/** Listings that are looked at in one turn, so that orders are read in between. */
const listingsInTurn = 25

/** What the shop does not have, or does not count, is looked for again after this. */
const lookAgainMs = 24 * 60 * 60_000

/**
 * Tells the shop what is available of what it sells. Call it right after its orders were read to the end.
 *
 * @returns whether there is more to tell
 * @throws ShopProblem for what is no matter of one listing
 */
export async function pushStock({ db, clock }: Context, held: HeldShop, opened: OpenedShop): Promise<boolean> {
  const { account_id: accountId, id: shopId, stock_buffer: buffer } = held
  if (await isPlanBehind(db.sql, accountId)) return true
  const now = clock.now()
  const due = (await listStock(db.sql, accountId, shopId, held))
    .map((stock) => ({ stock, wanted: sellable({ available: stock.available, buffer, packSize: stock.pack_size }) }))
    .filter(({ stock, wanted }) => isDue(stock, wanted, now))
  for (const { stock, wanted } of due.slice(0, listingsInTurn)) {
    const row = await pushOne(opened, stock, wanted)
    await saveStock(db.sql, accountId, shopId, { listing: keyOf(stock), ...row, updated_at: clock.now() })
  }
  return due.length > listingsInTurn
}

function isDue({ told, seen, checked_at: checkedAt }: ListedStock, wanted: number, now: Date): boolean {
  if (told === wanted) return false
  const isUnknown = told === null && seen === null && checkedAt !== null
  return !isUnknown || now.getTime() - checkedAt.getTime() >= lookAgainMs
}

interface Told {
  told: number | null
  seen: number | null
  problem: string | null
}

async function pushOne({ connector, client, shop }: OpenedShop, stock: ListedStock, wanted: number): Promise<Told> {
  const { told, seen } = stock
  try {
    const found = await connector.findStock(client, shop, stock)
    if (found === undefined) return { told: null, seen: null, problem: 'The shop has no such listing.' }
    const { level, place } = found
    if (level === null) return { told: null, seen: null, problem: 'The shop does not track its stock.' }
    const decided = decideStock({ wanted, level, told, seen })
    if (decided === 'wait') return { told, seen: level, problem: null }
    if (decided === 'set' && (await connector.setStock(client, shop, place, wanted)) === 'moved') {
      return { told, seen: level, problem: null }
    }
    return { told: wanted, seen: null, problem: null }
  } catch (error) {
    if (!(error instanceof ShopProblem) || !['missing', 'refused', 'credentials'].includes(error.kind)) throw error
    return { told: null, seen: null, problem: error.message }
  }
}
