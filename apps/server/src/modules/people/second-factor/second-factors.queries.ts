import { columnsOf, type RowOf } from '../../../db/columns.ts'
import type { Sql } from '../../../db/database.ts'
import type { SecondFactorRow } from '../../../db/rows.generated.ts'
import type { UserId } from '../../../kernel/ids.ts'

const columns = columnsOf<SecondFactorRow>()('user_id', 'secret_sealed', 'confirmed_at', 'last_step')

export type FactorRow = RowOf<typeof columns>

export async function findFactor(sql: Sql, userId: UserId): Promise<FactorRow | undefined> {
  const [factor] = await sql<FactorRow[]>`
    select ${columns(sql)} from second_factors where user_id = ${userId}`
  return factor
}

/** Keeps a secret that is not confirmed yet, in place of another such one. False when a confirmed one is there. */
export async function saveUnconfirmed(sql: Sql, userId: UserId, sealed: Buffer, now: Date): Promise<boolean> {
  const rows = await sql`
    insert into second_factors (user_id, secret_sealed, created_at) values (${userId}, ${sealed}, ${now})
    on conflict (user_id) do update set secret_sealed = excluded.secret_sealed, created_at = excluded.created_at
      where second_factors.confirmed_at is null
    returning user_id`
  return rows.length > 0
}

/** True when it was this call that confirmed this very secret. */
export async function confirmFactor(
  sql: Sql,
  { user_id, secret_sealed }: Pick<FactorRow, 'user_id' | 'secret_sealed'>,
  step: number,
  now: Date,
): Promise<boolean> {
  const rows = await sql`
    update second_factors set confirmed_at = ${now}, last_step = ${step}
    where user_id = ${user_id} and secret_sealed = ${secret_sealed} and confirmed_at is null returning user_id`
  return rows.length > 0
}

/** Spends the code of a step, and all older ones. False when it was spent already, also by another person this moment. */
export async function spendStep(sql: Sql, userId: UserId, step: number): Promise<boolean> {
  const rows = await sql`
    update second_factors set last_step = ${step}
    where user_id = ${userId} and confirmed_at is not null and (last_step is null or last_step < ${step})
    returning user_id`
  return rows.length > 0
}

/** The backup codes go with it. True when there was one. */
export async function deleteFactor(sql: Sql, userId: UserId): Promise<boolean> {
  const rows = await sql`
    delete from second_factors where user_id = ${userId} and confirmed_at is not null returning user_id`
  return rows.length > 0
}

export async function replaceBackupCodes(sql: Sql, userId: UserId, hashes: string[]): Promise<void> {
  await sql`delete from backup_codes where user_id = ${userId}`
  await sql`insert into backup_codes ${sql(hashes.map((code_hash) => ({ user_id: userId, code_hash })))}`
}

/** Uses a backup code up. False when it is none, or was used already. */
export async function spendBackupCode(sql: Sql, userId: UserId, hashes: string[]): Promise<boolean> {
  const rows = await sql`
    delete from backup_codes where user_id = ${userId} and code_hash = any(${hashes}) returning user_id`
  return rows.length > 0
}

/** Authenticator apps that a person began to use before this time and never confirmed. */
export async function deleteUnconfirmedFactorsBefore(sql: Sql, before: Date, limit: number): Promise<number> {
  const { count } = await sql`
    delete from second_factors where user_id in (
      select user_id from second_factors where confirmed_at is null and created_at < ${before}
      limit ${limit} for update skip locked)`
  return count
}

/** Those of all people, held until the transaction ends. */
export async function listFactors(sql: Sql): Promise<FactorRow[]> {
  return sql<FactorRow[]>`select ${columns(sql)} from second_factors order by user_id for update`
}

export async function replaceSealed(sql: Sql, userId: UserId, sealed: Buffer): Promise<void> {
  await sql`update second_factors set secret_sealed = ${sealed} where user_id = ${userId}`
}
