import type { Sql } from '../../db/database.ts'
import type { PageRow } from '../../db/page-bounds.ts'
import type {
  AttemptRow,
  JobRow,
  OrderRow,
  PrinterRow,
  WorklistTaskRow as TaskTableRow,
  UserRow,
} from '../../db/rows.generated.ts'
import type { AccountId, TaskId } from '../../kernel/ids.ts'
import type { WorkCardFilter } from './work-cards.schema.ts'
import type { WorklistTaskRow } from './worklist.queries.ts'

type OrNull<Row> = { [Field in keyof Row]: Row[Field] | null }

/** What a customer wants on units that a task is about. */
interface CardWish {
  order_id: OrderRow['id']
  order_number: OrderRow['order_number']
  product_name: string
  units: number
  personalisation: { name: string; value: string }[]
}

/** The most lines whose wishes are told of one task. */
const mostWishes = 50

/** A task with what a person who does it looks for: the printer, what lies on its plate, and who has it. */
export type WorkCardRow = WorklistTaskRow &
  Pick<TaskTableRow, 'filament_key'> & {
    assignee_name: UserRow['name'] | null
    printer_name: PrinterRow['name'] | null
    printer_model: PrinterRow['model'] | null
    printer_location: PrinterRow['location'] | null
    plate_state: PrinterRow['plate_state'] | null
    job_id: JobRow['id'] | null
    job_units: JobRow['quantity_per_print'] | null
    fate: AttemptRow['outcome']
    attempt_phase: AttemptRow['phase'] | null
    plate_number: AttemptRow['plate_number'] | null
    wishes: CardWish[]
  } & OrNull<Pick<JobRow, 'product_name' | 'file_name' | 'color' | 'filament_type' | 'plates_total'>>

const card = (sql: Sql) => sql`
  w.id, w.title, w.subtitle, w.description, w.task_type, w.priority, w.status, w.printer_id, w.assigned_to,
  w.estimated_time_minutes, w.actual_time_minutes, w.started_at, w.completed_at, w.due_date, w.created_at, w.updated_at,
  w.source, w.subject_id, w.filament_key, u.name as assignee_name, p.name as printer_name, p.model as printer_model,
  p.location as printer_location, p.plate_state, j.id as job_id, j.quantity_per_print as job_units, j.product_name,
  j.file_name, j.color, j.filament_type, j.plates_total, a.outcome as fate, a.phase as attempt_phase,
  a.plate_number, wish.wishes`

/**
 * The lines of orders that a task is about, with the units: the open one that its plate was printed for alone, as what bears a wish
 * is, the open ones of the order that it picks or packs, or the one that it puts units together for. They are read with the task and
 * kept nowhere: a wish is erased with its customer.
 */
const linesOf = (sql: Sql) => sql`(
  select l.id, (l.quantity - l.quantity_fulfilled) * l.pack_size from order_items l
  where w.source = 'plate' and l.account_id = w.account_id and l.id = j.order_item_id
    and l.fulfillment_status in ('pending', 'partial')
  union all
  select l.id, (l.quantity - l.quantity_fulfilled) * l.pack_size from order_items l
  where w.source in ('pick', 'pack') and l.account_id = w.account_id and l.order_id = w.subject_id
    and l.fulfillment_status in ('pending', 'partial')
  union all
  select m.order_item_id, m.quantity from assembly_tasks m
  where w.source = 'assembly' and m.account_id = w.account_id and m.id = w.subject_id and m.order_item_id is not null)`

/** What lies on a plate is known only until it is cleared: a closed task names no job but that of its attempt. */
const around = (sql: Sql) => sql`
  left join users u on u.id = w.assigned_to
  left join printers p on p.account_id = w.account_id and p.id = w.printer_id
  left join attempts a on a.account_id = w.account_id and a.id = w.attempt_id
  left join jobs j on j.account_id = w.account_id and j.id = coalesce(
    a.job_id, case when w.source = 'plate' and w.status in ('pending', 'in_progress') then p.plate_job_id end)
  cross join lateral (
    select coalesce(jsonb_agg(to_jsonb(line)), '[]') as wishes
    from (
      select o.id as order_id, o.order_number, i.product_name, about.units, i.personalisation
      from ${linesOf(sql)} about (order_item_id, units)
      join order_items i on i.account_id = w.account_id and i.id = about.order_item_id
      join orders o on o.account_id = i.account_id and o.id = i.order_id
      where i.personalisation <> '[]'
      order by o.ship_by nulls last, o.order_date, i.id
      limit ${mostWishes}
    ) line
  ) wish`

const wanted = (sql: Sql, filter: WorkCardFilter, me: string | undefined) => sql`
  ${filter.task_type === undefined ? sql`` : sql`and w.task_type = ${filter.task_type}`}
  ${filter.printer_id === undefined ? sql`` : sql`and w.printer_id = ${filter.printer_id}`}
  ${filter.location === undefined ? sql`` : sql`and p.location = ${filter.location}`}
  ${filter.assignee === 'me' ? sql`and w.assigned_to = ${me ?? ''}` : sql``}
  ${filter.assignee === 'nobody' ? sql`and w.assigned_to is null` : sql``}`

/** Answers what is open: first what is started, then what is pressing or late, then the rest; the oldest of each first. */
export async function listOpenCards(
  sql: Sql,
  accountId: AccountId,
  filter: WorkCardFilter,
  { me, now }: { me: string | undefined; now: Date },
): Promise<PageRow<WorkCardRow>[]> {
  const key = sql`
    (case when w.status = 'in_progress' then '0' when w.priority = 'high' or w.due_date < ${now} then '1'
          when w.priority = 'medium' then '2' else '3' end
     || to_char(w.created_at at time zone 'UTC', 'YYYYMMDDHH24MISSUS')) collate "C"`
  return sql<PageRow<WorkCardRow>[]>`
    select ${card(sql)}, ${key} as page_key
    from worklist_tasks w ${around(sql)}
    where w.account_id = ${accountId} and w.status in ('pending', 'in_progress') ${wanted(sql, filter, me)}
      ${filter.after ? sql`and (${key}, w.id) > (${filter.after.key}, ${filter.after.id})` : sql``}
    order by page_key, w.id limit ${filter.limit} offset ${filter.offset}`
}

/** Answers what was completed since midnight in the account's time zone, the latest first, by `worklist_tasks_by_completion`. */
export async function listCardsDoneToday(
  sql: Sql,
  accountId: AccountId,
  filter: WorkCardFilter,
  { me, now }: { me: string | undefined; now: Date },
): Promise<PageRow<WorkCardRow>[]> {
  return sql<PageRow<WorkCardRow>[]>`
    select ${card(sql)}, w.completed_at::text as page_key
    from worklist_tasks w ${around(sql)}
    where w.account_id = ${accountId}
      and w.completed_at >= (
        select date_trunc('day', ${now}::timestamptz, o.time_zone) from accounts o where o.id = ${accountId})
      ${wanted(sql, filter, me)}
      ${filter.after ? sql`and (w.completed_at, w.id) < (${filter.after.key}::timestamptz, ${filter.after.id})` : sql``}
    order by w.completed_at desc, w.id desc limit ${filter.limit} offset ${filter.offset}`
}

export async function findCard(sql: Sql, accountId: AccountId, taskId: TaskId): Promise<WorkCardRow | undefined> {
  const [found] = await sql<WorkCardRow[]>`
    select ${card(sql)} from worklist_tasks w ${around(sql)} where w.account_id = ${accountId} and w.id = ${taskId}`
  return found
}
