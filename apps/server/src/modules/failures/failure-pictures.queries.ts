import { columnsOf, type RowOf } from '../../db/columns.ts'
import type { Sql } from '../../db/database.ts'
import type { FailurePictureRow } from '../../db/rows.generated.ts'
import type { AccountId, JobId, OrderId, PrintFailureId } from '../../kernel/ids.ts'
import type { Work } from '../events/work.ts'

type Contents = Pick<FailurePictureRow, 'sha256' | 'thumb_sha256'>

const contentsOf = (pictures: readonly Contents[]) => pictures.flatMap((each) => [each.sha256, each.thumb_sha256])

/** False when the failure is gone, or has a picture already. */
export async function insertPicture(
  { sql, accountId }: Work,
  picture: Omit<FailurePictureRow, 'account_id'>,
): Promise<boolean> {
  const rows = await sql`
    insert into failure_pictures (account_id, failure_id, sha256, thumb_sha256, size_bytes, taken_at)
    select account_id, id, ${picture.sha256}, ${picture.thumb_sha256}, ${picture.size_bytes}, ${picture.taken_at}
    from print_failures where account_id = ${accountId} and id = ${picture.failure_id} for key share
    on conflict (account_id, failure_id) do nothing
    returning failure_id`
  return rows.length > 0
}

const contentColumns = columnsOf<FailurePictureRow>()('sha256', 'thumb_sha256')

export async function findPicture(
  sql: Sql,
  accountId: AccountId,
  failureId: PrintFailureId,
): Promise<RowOf<typeof contentColumns> | undefined> {
  const [picture] = await sql<RowOf<typeof contentColumns>[]>`
    select ${contentColumns(sql)} from failure_pictures where account_id = ${accountId} and failure_id = ${failureId}`
  return picture
}

/** Answers the contents that the pictures had, as the two below do. */
export async function deletePicturesOfJob(sql: Sql, accountId: AccountId, jobId: JobId): Promise<string[]> {
  return contentsOf(
    await sql<Contents[]>`
      delete from failure_pictures p using print_failures f
      where p.account_id = ${accountId} and f.account_id = p.account_id and f.id = p.failure_id and f.job_id = ${jobId}
      returning p.sha256, p.thumb_sha256`,
  )
}

/** Deletes pictures of what was printed for an order alone: what was made for a customer may show their name. */
export async function deletePicturesOfOrder({ sql, accountId }: Work, orderId: OrderId): Promise<string[]> {
  return contentsOf(
    await sql<Contents[]>`
      delete from failure_pictures p using print_failures f, jobs j, order_items i
      where p.account_id = ${accountId} and f.account_id = p.account_id and f.id = p.failure_id
        and j.account_id = f.account_id and j.id = f.job_id
        and i.account_id = j.account_id and i.id = j.order_item_id and i.order_id = ${orderId}
      returning p.sha256, p.thumb_sha256`,
  )
}

export async function deletePicturesBefore(sql: Sql, before: Date, limit: number): Promise<string[]> {
  return contentsOf(
    await sql<Contents[]>`
      /* every account: pictures of all accounts grow old alike */
      delete from failure_pictures p using (
        select o.account_id, o.failure_id from failure_pictures o where o.taken_at < ${before}
        order by o.taken_at limit ${limit} for update skip locked
      ) old
      where p.account_id = old.account_id and p.failure_id = old.failure_id
      returning p.sha256, p.thumb_sha256`,
  )
}
