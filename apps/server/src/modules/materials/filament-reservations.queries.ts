import { columnsOf, type RowOf } from '../../db/columns.ts'
import type { Sql } from '../../db/database.ts'
import type { FilamentReservationRow } from '../../db/rows.generated.ts'
import { type AccountId, type AttemptId, type MaterialId, newId, type PrinterId } from '../../kernel/ids.ts'
import type { Work } from '../events/work.ts'

const columns = columnsOf<FilamentReservationRow>('r')('attempt_id', 'slot', 'material_id', 'milligrams')

type Reservation = RowOf<typeof columns>

export async function insertReservations(
  { sql, accountId }: Work,
  reservations: readonly Reservation[],
): Promise<void> {
  if (reservations.length === 0) return
  // The driver writes a null inside an array as a text: -1 and the empty text stand for none.
  await sql`
    insert into filament_reservations (account_id, id, attempt_id, slot, material_id, milligrams)
    select ${accountId}, w.id, w.attempt_id, nullif(w.slot, -1), nullif(w.material_id, ''), w.milligrams
    from unnest(
      ${reservations.map(() => newId('filamentReservation'))}::text[],
      ${reservations.map(({ attempt_id }) => attempt_id)}::text[], ${reservations.map(({ slot }) => slot ?? -1)}::integer[],
      ${reservations.map(({ material_id }) => material_id ?? '')}::text[],
      ${reservations.map(({ milligrams }) => milligrams)}::bigint[]
    ) as w (id, attempt_id, slot, material_id, milligrams)`
}

/** Answers what an attempt reserved, also after its end. */
export async function listReservations(sql: Sql, accountId: AccountId, attemptId: AttemptId): Promise<Reservation[]> {
  return sql<Reservation[]>`
    select ${columns(sql)} from filament_reservations r
    where r.account_id = ${accountId} and r.attempt_id = ${attemptId} order by r.slot nulls first`
}

/** What is taken of spools beforehand, in milligrams. */
export interface SpoolClaims {
  /** Kept back on each. */
  margin: number
  /** Reserved by prints that run; a spool that is not named has none. */
  reserved: Partial<Record<MaterialId, number>>
}

/** From the attempts that run, however many there have been: a farm has as many as printers. */
export async function readSpoolClaims(
  sql: Sql,
  accountId: AccountId,
  materialIds: readonly MaterialId[],
): Promise<SpoolClaims> {
  const [claims] = await sql<SpoolClaims[]>`
    select
      coalesce((select s.filament_margin from material_settings s where s.account_id = ${accountId}), 0)::int8 as margin,
      coalesce((
        select jsonb_object_agg(taken.material_id, taken.milligrams)
        from (
          select r.material_id, sum(r.milligrams) as milligrams
          from attempts a
          join filament_reservations r on r.account_id = a.account_id and r.attempt_id = a.id
          where a.account_id = ${accountId} and a.phase <> 'finished' and r.material_id = any(${[...materialIds]})
          group by r.material_id
        ) taken
      ), '{}') as reserved`
  // A select without a table answers one row.
  return claims as SpoolClaims
}

/**
 * Follows a spool that was put on a slot of a printer: the print that runs there takes what it reserved for the slot, or for the only
 * place that has lost its spool, from this one. What the spool was to give to another print, it cannot any more.
 */
export async function moveReservations(
  { sql, accountId }: Work,
  materialId: MaterialId,
  { printerId, slot }: { printerId: PrinterId; slot: number },
): Promise<void> {
  await sql`
    update filament_reservations r set material_id = null
    from attempts a
    where a.account_id = ${accountId} and r.account_id = a.account_id and r.attempt_id = a.id and a.phase <> 'finished'
      and r.material_id = ${materialId}
      and (a.printer_id <> ${printerId} or (r.slot is not null and r.slot <> ${slot}))`
  await sql`
    update filament_reservations r set material_id = ${materialId}
    from attempts a
    where a.account_id = ${accountId} and r.account_id = a.account_id and r.attempt_id = a.id and a.phase <> 'finished'
      and a.printer_id = ${printerId}
      and (
        r.slot = ${slot}
        or r.slot is null and not exists (
          select from materials m
          where m.account_id = r.account_id and m.id = r.material_id and m.printer_id = ${printerId}
        )
      )`
}
