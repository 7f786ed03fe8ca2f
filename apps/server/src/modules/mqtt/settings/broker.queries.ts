import { columnsOf, type RowOf } from '../../../db/columns.ts'
import type { Sql } from '../../../db/database.ts'
import type { MqttBrokerRow as TableRow } from '../../../db/rows.generated.ts'
import type { AccountId, MqttBrokerId } from '../../../kernel/ids.ts'
import type { Work } from '../../events/work.ts'
import type { AllowedCommand } from './allowed-commands.ts'

const columns = columnsOf<Omit<TableRow, 'allowed_commands'> & { allowed_commands: AllowedCommand[] }>('b')(
  'account_id',
  'id',
  'url',
  'settings_sealed',
  'base_topic',
  'discovery_prefix',
  'allowed_commands',
  'is_active',
  'published',
  'connected_since',
  'failing_since',
  'problem',
  'created_at',
  'updated_at',
)
export type BrokerRow = RowOf<typeof columns>

export async function findBroker(
  sql: Sql,
  accountId: AccountId,
  { isLocked = false } = {},
): Promise<BrokerRow | undefined> {
  const [row] = await sql<BrokerRow[]>`
    select ${columns(sql)} from mqtt_brokers b where account_id = ${accountId} ${isLocked ? sql`for update` : sql``}`
  return row
}

export type BrokerFields = Pick<
  BrokerRow,
  'url' | 'settings_sealed' | 'base_topic' | 'discovery_prefix' | 'allowed_commands' | 'is_active'
>

export async function insertBroker(
  { sql, accountId, now }: Work,
  row: BrokerFields & Pick<BrokerRow, 'id'>,
): Promise<BrokerRow> {
  const all = { account_id: accountId, ...row, created_at: now, updated_at: now }
  const [made] = await sql<[BrokerRow]>`insert into mqtt_brokers as b ${sql(all)} returning ${columns(sql)}`
  return made
}

/** The process that holds the connection sees another `updated_at`, and begins again with what is new. */
export async function updateBroker({ sql, accountId, now }: Work, change: Partial<BrokerFields>): Promise<BrokerRow> {
  const row = { ...change, connected_since: null, failing_since: null, problem: null, updated_at: now }
  const [changed] = await sql<[BrokerRow]>`
    update mqtt_brokers b set ${sql(row)} where account_id = ${accountId} returning ${columns(sql)}`
  return changed
}

export async function deleteBroker({ sql, accountId }: Work): Promise<void> {
  await sql`delete from mqtt_brokers where account_id = ${accountId}`
}

/**
 * Takes and holds the brokers that a process keeps connections with: those that are on, and those with messages of ours that are to be
 * cleared. The leases that it holds already are among the answered.
 */
export async function takeBrokers(
  sql: Sql,
  { leaseId, now, until }: { leaseId: string; now: Date; until: Date },
): Promise<BrokerRow[]> {
  return sql<BrokerRow[]>`
    /* every account: the service speaks with the brokers of all of them */
    update mqtt_brokers b set lease_id = ${leaseId}, leased_until = ${until}
    from (
      select o.account_id, o.id from mqtt_brokers o
      where (o.is_active or o.published <> '{}')
        and (o.lease_id is null or o.lease_id = ${leaseId} or o.leased_until <= ${now})
      for update skip locked
    ) due
    where b.account_id = due.account_id and b.id = due.id
    returning ${columns(sql)}`
}

/** Shortens leases that were taken by a clock that was ahead, and was set back since: no right one says later than `latest`. */
export async function shortenLeases(sql: Sql, latest: Date): Promise<void> {
  await sql`
    /* every account: the clock is that of all of them */
    update mqtt_brokers set leased_until = ${latest} where leased_until > ${latest}`
}

export async function releaseBrokers(sql: Sql, leaseId: string): Promise<void> {
  await sql`
    /* every account: a process gives back what it holds */
    update mqtt_brokers set lease_id = null, leased_until = null where lease_id = ${leaseId}`
}

/** What the process that holds the connection notes of it. False when it holds it no more. */
export async function updateBrokerState(
  { sql, accountId }: Work,
  leaseId: string,
  id: MqttBrokerId,
  change: Partial<Pick<TableRow, 'published' | 'connected_since' | 'failing_since' | 'problem'>>,
): Promise<boolean> {
  const rows = await sql`
    update mqtt_brokers set ${sql(change)}
    where account_id = ${accountId} and id = ${id} and lease_id = ${leaseId} returning id`
  return rows.length > 0
}
