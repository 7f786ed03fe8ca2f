import type { Sql } from '../../db/database.ts'
import { pagesById } from '../../db/pages-by-id.ts'
import type { HubRow, PrinterRow } from '../../db/rows.generated.ts'
import type { AccountId, HubId, PrinterId } from '../../kernel/ids.ts'
import { type HealthEntry, printOutOfReach } from '../../live/health-entries.ts'

/** What has health: a printer or a hub, with what a task about it says. */
export type HealthSubject = Subject & {
  name: string
  location: string
  health: HealthEntry[]
}

/** Which printer or hub. */
export type Subject = { kind: 'printer'; id: PrinterId } | { kind: 'hub'; id: HubId }

interface Health<Id> {
  id: Id
  health: HealthEntry[]
}

/** The most that one turn looks at of each kind; the rest comes with the next turn. */
const mostAtOnce = 500

/** Answers what is kept of these printers; of one that is gone nothing. */
export async function listPrinterHealth(
  sql: Sql,
  accountId: AccountId,
  printerIds: PrinterId[],
): Promise<Health<PrinterId>[]> {
  const rows = await sql<Pick<PrinterRow, 'id' | 'health'>[]>`
    select id, health from printers where account_id = ${accountId} and id = any(${printerIds})`
  return rows.map(({ id, health }) => ({ id, health: entriesIn(health) }))
}

/** Answers what is kept of these hubs; of one that is gone nothing. */
export async function listHubHealth(sql: Sql, accountId: AccountId, hubIds: HubId[]): Promise<Health<HubId>[]> {
  const rows = await sql<Pick<HubRow, 'id' | 'health'>[]>`
    select id, health from hubs where account_id = ${accountId} and id = any(${hubIds})`
  return rows.map(({ id, health }) => ({ id, health: entriesIn(health) }))
}

/** Reads a printer or hub and keeps others from changing it until the transaction ends; undefined when it is gone. */
export async function lockHealth(sql: Sql, accountId: AccountId, subject: Subject): Promise<HealthSubject | undefined> {
  const { kind, id } = subject
  const [row] =
    kind === 'printer'
      ? await sql<Pick<PrinterRow, 'name' | 'location' | 'health'>[]>`
          select name, location, health from printers
          where account_id = ${accountId} and id = ${id} for no key update`
      : await sql<(Pick<HubRow, 'name' | 'health'> & { location: string })[]>`
          select name, '' as location, health from hubs
          where account_id = ${accountId} and id = ${id} for no key update`
  return row && { ...subject, ...row, health: entriesIn(row.health) }
}

/** Printers of which problems are kept although no hub watches them any more. */
export async function listUnwatchedHealth(sql: Sql): Promise<Pick<PrinterRow, 'account_id' | 'id'>[]> {
  return sql<Pick<PrinterRow, 'account_id' | 'id'>[]>`
    /* every account: the sweep that looks after all farms */
    select account_id, id from printers
    where health <> '[]' and (not is_active or hub_id is null)
    limit ${mostAtOnce}`
}

interface PrintOutOfReach {
  /** Since when the printer does not answer, null when it does or has no print of ours. */
  since: Date | null
  progress: number | null
  what: string | null
  /** True when its health says so. */
  is_shown: boolean
}

export async function findPrintOutOfReach(
  sql: Sql,
  accountId: AccountId,
  printerId: PrinterId,
): Promise<PrintOutOfReach | undefined> {
  const [print] = await sql<PrintOutOfReach[]>`
    select case when a.id is not null then p.out_of_reach_since end as since, a.progress,
           coalesce(j.product_name, j.file_name) as what, p.health @> ${sql.json([{ reason: printOutOfReach }])} as is_shown
    from printers p
    left join attempts a on a.account_id = p.account_id and a.printer_id = p.id and a.phase in ('starting', 'confirmed')
    left join jobs j on j.account_id = a.account_id and j.id = a.job_id
    where p.account_id = ${accountId} and p.id = ${printerId}`
  return print
}

/** Printers whose health says that a print of ours is out of reach. */
export async function listShownOutOfReach(sql: Sql): Promise<Pick<PrinterRow, 'account_id' | 'id'>[]> {
  return sql<Pick<PrinterRow, 'account_id' | 'id'>[]>`
    /* every account: the sweep that looks after all farms */
    select account_id, id from printers
    where health <> '[]' and health @> ${sql.json([{ reason: printOutOfReach }])}
    limit ${mostAtOnce}`
}

/** Only this module writes the column, and only entries. */
export function entriesIn(health: PrinterRow['health']): HealthEntry[] {
  return health as unknown as HealthEntry[]
}

/** A printer in use, with what its events say of it and when any process was last told something by its hub. */
export type ToldPrinter = Pick<PrinterRow, 'id' | 'hub_id' | 'told_offline' | 'told_error'> & {
  hub_seen_at: HubRow['last_seen_at']
}

/** Page by page. Printers that a person has put out of use or taken out of service are left out: who did so knows. */
export function toldConditions(sql: Sql, accountId: AccountId): AsyncGenerator<ToldPrinter[], void> {
  return pagesById((after, limit) => listToldConditions(sql, accountId, { after, limit }))
}

async function listToldConditions(
  sql: Sql,
  accountId: AccountId,
  { after, limit }: { after: string; limit: number },
): Promise<ToldPrinter[]> {
  return sql<ToldPrinter[]>`
    select p.id, p.hub_id, p.told_offline, p.told_error, h.last_seen_at as hub_seen_at
    from printers p left join hubs h on h.account_id = p.account_id and h.id = p.hub_id
    where p.account_id = ${accountId} and p.id > ${after} and p.is_active and not p.in_maintenance
    order by p.id limit ${limit}`
}

export async function listAccountsWithPrinters(sql: Sql): Promise<Pick<PrinterRow, 'account_id'>[]> {
  return sql<Pick<PrinterRow, 'account_id'>[]>`
    /* every account: the sweep that looks after all farms */
    select distinct account_id from printers`
}
