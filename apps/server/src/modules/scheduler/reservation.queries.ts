import type { CommandArguments } from '@printyard/protocol/commands'
import type { Sql } from '../../db/database.ts'
import type { AttemptRow } from '../../db/rows.generated.ts'
import type { AccountId, AttemptId, CommandId, FileVersionId, HubId, JobId, PrinterId } from '../../kernel/ids.ts'
import { insertFencedAttempts } from '../attempts/attempts.queries.ts'
import { held } from '../attempts/under-way/live-attempts.ts'
import { recordFencedPrints } from '../commands/commands.queries.ts'
import { claimTaken } from '../jobs/state/job-progress.queries.ts'
import { takeFencesOfClaimed } from '../printers/state/fence.queries.ts'

/** A printer to be taken for the next plate of a job, with the command that will be sent to its hub. */
export interface Reservation {
  attempt_id: AttemptId
  command_id: CommandId
  job_id: JobId
  printer_id: PrinterId
  hub_id: HubId
  file_version_id: FileVersionId
  plate_number: number
  /** In which of its ways the job is printed; null where it has just one. */
  option: number | null
  /** The printer's fence when it was seen free: any command since then makes the reservation void. */
  fence: number
  args: CommandArguments<'print'>
  /** Ejection of the print, as its attempt keeps it. */
  ejection: AttemptRow['ejection']
}

/** What the attempt keeps of the command besides; empty for none: the driver writes a null inside an array as a text. */
const mapText = ({ args }: Reservation) => (args.filament_map ? JSON.stringify(args.filament_map) : '')

/** Stands for no option: the driver writes a null inside an array as a text. */
const noOption = -1

interface Reserved {
  attempt_id: AttemptId
  /** Under which the command travels. */
  fence: number
  /** The job named no printer and has got this one. */
  is_chosen: boolean
}

/**
 * Takes many printers for many jobs in one statement, as `reservePrinter` takes one: the job gets its printer, the attempt
 * holds it, the command to its hub is on record, all or nothing for each pair. A pair of which anything is not as it was,
 * or which another transaction is just changing, is left out. Both rows are locked and looked at again before anything is
 * written, and the fence tells whether anything was started on the printer meanwhile, so that only a mistake could violate
 * `attempts_live_printer_key` or `attempts_live_job_key`.
 */
export async function reservePrinters(
  sql: Sql,
  accountId: AccountId,
  reservations: readonly Reservation[],
  by: { actor: string; at: Date; deadline: Date },
): Promise<Reserved[]> {
  const column = <K extends keyof Reservation>(name: K) => reservations.map((reservation) => reservation[name])
  return sql<Reserved[]>`
    with pair as (
      select * from unnest(
        ${column('attempt_id')}::text[], ${column('command_id')}::text[], ${column('job_id')}::text[],
        ${column('printer_id')}::text[], ${column('hub_id')}::text[], ${column('file_version_id')}::text[],
        ${column('plate_number')}::integer[], ${column('fence')}::bigint[],
        ${column('args').map((args) => JSON.stringify(args))}::text[],
        ${column('ejection')}::text[], ${reservations.map(mapText)}::text[],
        ${reservations.map(({ option }) => option ?? noOption)}::integer[]
      ) as pair (attempt_id, command_id, job_id, printer_id, hub_id, file_version_id, plate_number, seen_fence, args, ejection,
        filament_map, option)
    ), taken as (
      select pair.*, j.printer_id is null or j.auto_assigned as is_chosen
      from pair
      join jobs j on j.account_id = ${accountId} and j.id = pair.job_id
      join printers p on p.account_id = ${accountId} and p.id = pair.printer_id
      where j.status = 'queued' and j.plates_done = pair.plate_number - 1
        and (
          j.file_version_id = pair.file_version_id and coalesce(j.option_position, ${noOption}) = pair.option
          or j.plates_done = 0 and exists (
            select from job_options o
            where o.account_id = ${accountId} and o.job_id = j.id and o.position = pair.option
              and o.file_version_id = pair.file_version_id
          )
        )
        and (j.printer_id is null or j.auto_assigned or j.printer_id = p.id)
        and p.hub_id = pair.hub_id and p.fence = pair.seen_fence and p.plate_state = 'clear'
        and p.plate_run_mark is not distinct from pair.args::jsonb ->> 'run_mark'
        and p.is_active and p.auto_start and not p.in_maintenance
        and (p.power_off_until is null or p.power_off_until <= ${by.at})
        and not exists (
          select from attempts a where a.account_id = p.account_id and ${held(sql, 'a', 'printer_id')} = p.id
        )
      for no key update of j, p skip locked
    ), claimed as (
      ${claimTaken(sql, accountId, by.at)}
    ), fenced as (
      ${takeFencesOfClaimed(sql, accountId)}
    ), attempt as (
      ${insertFencedAttempts(sql, accountId, by)}
    ), command as (
      ${recordFencedPrints(sql, accountId, by)}
    )
    select attempt_id, fence, is_chosen from fenced`
}
