import type { Sql } from '@printyard/server/db/database'
import { isFileOf, readDeviceLog } from '../fault-runs/device-log.ts'
import { leastPlates } from './least-plates.ts'
import { codeOfSku, type Shop } from './shop.ts'
import { explode } from './shop-plan.ts'
import { unitsOf } from './take-orders.ts'

/** The units of one SKU in a month. */
export interface SkuBalance {
  code: string
  opening: number
  /** By the printers' own logs. */
  printed: number
  assembled: number
  shipped: number
  restocked: number
  usedInKits: number
  rejected: number
  damaged: number
  /** At the end, ready or waiting for assembly. */
  onShelf: number
  isRight: boolean
}

interface MonthFigures {
  ordersShipped: number
  ordersCancelled: number
  ordersOpen: number
  ordersLate: number
  /** Of those that were late, how many hours on average. */
  lateHours: number
  unitsMade: number
  surplusUnits: number
  platesPrinted: number
  platesFailed: number
  leastPlates: number
  jobs: number
}

export interface MonthJudgement {
  figures: MonthFigures
  balance: SkuBalance[]
  wrong: string[]
}

interface Books {
  sku: string
  ready: number
  needs_assembly: number
  moved_ready: number
  moved_needs_assembly: number
}

/** Compares the books of the service with what people did and saw, and with what the printers themselves wrote down. */
export async function judgeMonth(
  shop: Shop,
  { sql, accountId, hubDir }: { sql: Sql; accountId: string; hubDir: string },
): Promise<MonthJudgement> {
  const wrong = [...new Set(shop.record.wrong)]
  const { printed, plates, failed } = await readPrinters(shop, { sql, accountId, hubDir }, wrong)
  const books = await readBooks(sql, accountId)
  const balance = books.map((book) => balanceOf(shop, book, printed.get(book.sku) ?? 0, wrong))
  wrong.push(
    ...(await listOpen(shop)),
    ...judgeOrders(shop),
    ...(shop.production.keepsEngravings ? judgeServings(shop) : []),
  )
  const [jobs] = await sql<{ count: number }[]>`select count(*)::int4 from jobs where account_id = ${accountId}`
  return { figures: figuresOf(shop, balance, { plates, failed, jobs: jobs?.count ?? 0 }), balance, wrong }
}

/** What each plate yielded that a printer completed: it was started for an attempt, once. */
async function readPrinters(
  shop: Shop,
  { sql, accountId, hubDir }: { sql: Sql; accountId: string; hubDir: string },
  wrong: string[],
): Promise<{ printed: Map<string, number>; plates: number; failed: number }> {
  const attempts = await sql<{ id: string; printer_id: string; is_live: boolean; outputs: [string, number][] }[]>`
    select a.id, a.printer_id, j.status in ('queued', 'processing', 'printing', 'paused') as is_live,
      (select coalesce(jsonb_agg(jsonb_build_array(u.product_sku_id, u.units_per_plate)), '[]') from job_outputs u
       where u.account_id = a.account_id and u.job_id = a.job_id) as outputs
    from attempts a join jobs j on j.account_id = a.account_id and j.id = a.job_id
    where a.account_id = ${accountId}`
  const byPrinter = Map.groupBy(attempts, ({ printer_id }) => printer_id)
  const printed = new Map<string, number>()
  let plates = 0
  let failed = 0
  for (const printerId of shop.furnished.printers.keys()) {
    for (const event of readDeviceLog(hubDir, printerId)) {
      if (event.kind === 'failed') failed += 1
      if (event.kind !== 'completed') continue
      plates += 1
      const attempt = byPrinter.get(printerId)?.find(({ id }) => isFileOf(event.fileName, id))
      if (!attempt) {
        wrong.push(`${printerId} printed ${event.fileName}, which no one asked of it`)
        continue
      }
      // The units of a job are booked when its last plate is done.
      for (const [skuId, units] of attempt.is_live ? [] : attempt.outputs) {
        const code = codeOfSku(shop, skuId)
        printed.set(code, (printed.get(code) ?? 0) + units)
      }
    }
  }
  return { printed, plates, failed }
}

function readBooks(sql: Sql, accountId: string): Promise<Books[]> {
  return sql<Books[]>`
    select s.sku, i.ready_stock::int4 as ready, i.quantity_needs_assembly::int4 as needs_assembly,
      coalesce(sum(m.change) filter (where m.stock = 'ready'), 0)::int4 as moved_ready,
      coalesce(sum(m.change) filter (where m.stock = 'needs_assembly'), 0)::int4 as moved_needs_assembly
    from inventory_items i
    join skus s on s.account_id = i.account_id and s.id = i.product_sku_id
    left join stock_movements m on m.account_id = i.account_id and m.inventory_item_id = i.id
    where i.account_id = ${accountId}
    group by i.account_id, s.id, s.sku, i.ready_stock, i.quantity_needs_assembly
    order by s.sku`
}

function balanceOf({ plan, record }: Shop, book: Books, printed: number, wrong: string[]): SkuBalance {
  const code = book.sku
  const onShelf = book.ready + book.needs_assembly
  const balance = {
    code,
    opening: plan.skus.find((sku) => sku.code === code)?.opening ?? 0,
    printed,
    assembled: record.assembled.of(code),
    shipped: record.shipped.of(code),
    restocked: record.restocked.of(code),
    usedInKits: record.usedInKits.of(code),
    rejected: record.rejected.of(code),
    damaged: record.damaged.of(code),
    onShelf,
  }
  const came = balance.opening + balance.printed + balance.assembled + balance.restocked
  const went = balance.shipped + balance.usedInKits + balance.rejected + balance.damaged
  const isLedgerRight = book.moved_ready === book.ready && book.moved_needs_assembly === book.needs_assembly
  if (!isLedgerRight) {
    const moved = `${book.moved_ready} and ${book.moved_needs_assembly}`
    wrong.push(`${code}: its movements come to ${moved}, its stock is ${book.ready} and ${book.needs_assembly}`)
  }
  if (came - went !== onShelf) wrong.push(`${code}: ${came} came, ${went} went, and ${onShelf} are on the shelf`)
  return { ...balance, isRight: isLedgerRight && came - went === onShelf }
}

/** Orders that never left, and what their lines wait for. */
async function listOpen({ api, record }: Shop): Promise<string[]> {
  const wrong: string[] = []
  for (const { id, planned, state } of record.orders.values()) {
    if (state !== 'open') continue
    const { lines } = await api.get<{ lines: Record<string, string | number>[] }>(`/orders/${id}/plan`)
    const waits = lines.map(({ sku, units, ...line }) => {
      const states = ['shipped', 'from_stock', 'from_assembly', 'on_live_jobs', 'to_print', 'blocked']
      return `${units} × ${sku} (${states.flatMap((each) => (line[each] ? `${each} ${line[each]}` : [])).join(', ')})`
    })
    wrong.push(`${planned.number} never left: ${waits.join('; ')}`)
  }
  return wrong
}

/** Every customer has what was ordered. */
function judgeOrders({ plan, record }: Shop): string[] {
  const wrong: string[] = []
  const known = new Map([...record.orders.values()].map((order) => [order.planned.number, order]))
  const due = new Map<string, number>()
  for (const planned of plan.orders) {
    const order = known.get(planned.number)
    if (!order) wrong.push(`${planned.number} was lost`)
    else if (order.state === 'shipped') {
      for (const { code, units } of planned.lines.map(unitsOf)) due.set(code, (due.get(code) ?? 0) + units)
    }
  }
  if (wrong.length > 0 || [...known.values()].some(({ state }) => state === 'open')) return wrong
  for (const code of new Set([...due.keys(), ...record.shipped.counts.keys()])) {
    const owed = (due.get(code) ?? 0) + record.remade.of(code)
    const inParts = record.shipped.of(code)
    if (inParts < owed) wrong.push(`${code}: ${owed} were ordered and ${inParts} shipped`)
    // What left before a cancellation is more than is owed; people here ship only what is whole.
    if (inParts > owed) wrong.push(`${code}: ${inParts} were shipped, and only ${owed} ordered`)
  }
  return wrong
}

/** Units are queued for someone once: more than was ordered only for what was lost, given up or came back to be made again. */
function judgeServings({ plan, record }: Shop): string[] {
  const ordered = new Map<string, number>()
  const orders = [...record.orders.values()]
  const wanted = [
    ...orders.flatMap(({ planned }) => planned.lines.map(unitsOf)),
    ...[record.remade, record.rejected, record.damaged].flatMap(({ counts }) =>
      [...counts].map(([code, units]) => ({ code, units })),
    ),
  ]
  for (const { code, units } of wanted.flatMap((each) => explode(plan, each))) {
    ordered.set(code, (ordered.get(code) ?? 0) + units)
  }
  return [...record.served.counts].flatMap(([code, units]) => {
    const most = (ordered.get(code) ?? 0) + record.givenUp.of(code)
    return units > most ? [`${code}: ${units} were queued for orders that wanted ${most}`] : []
  })
}

function figuresOf(
  { plan, record, clock }: Shop,
  balance: readonly SkuBalance[],
  counted: { plates: number; failed: number; jobs: number },
): MonthFigures {
  const orders = [...record.orders.values()]
  const late = orders
    .filter(({ state }) => state !== 'cancelled')
    .map(({ planned, shippedAt }) => (shippedAt ?? clock.now()) - planned.dueAt)
    .filter((seconds) => seconds > 0)
  const needed = balance.map((sku): [string, number] => {
    const used = sku.shipped + sku.usedInKits + sku.rejected + sku.damaged
    return [sku.code, Math.max(0, used - sku.restocked - sku.opening)]
  })
  const printedCodes = new Set(plan.skus.map(({ code }) => code))
  const sum = (of: (sku: SkuBalance) => number) => balance.reduce((total, sku) => total + of(sku), 0)
  return {
    ordersShipped: orders.filter(({ shippedAt }) => shippedAt !== null).length,
    ordersCancelled: orders.filter(({ state }) => state === 'cancelled').length,
    ordersOpen: orders.filter(({ state }) => state === 'open').length,
    ordersLate: late.length,
    lateHours: late.length === 0 ? 0 : late.reduce((total, seconds) => total + seconds, 0) / late.length / 3_600,
    unitsMade: sum(({ printed }) => printed),
    surplusUnits: sum(({ onShelf }) => onShelf),
    platesPrinted: counted.plates,
    platesFailed: counted.failed,
    leastPlates: leastPlates(new Map(needed.filter(([code]) => printedCodes.has(code))), plan.recipes),
    jobs: counted.jobs,
  }
}
