import type { Context } from '../../../context/context.ts'
import type { Sql } from '../../../db/database.ts'
import type { NotificationRow } from '../../../db/rows.generated.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { AccountId, NotificationId, TaskId, UserId } from '../../../kernel/ids.ts'
import { canUse, type Role } from '../../../kernel/policy.ts'
import { workOfUser } from '../../events/work.ts'
import { assignTask, getTask } from '../../worklist/worklist.service.ts'
import { readTakeToken, takeLinkLifeMs } from '../message/take-link.ts'

/** What a link is good for. */
interface Offer {
  accountId: AccountId
  notificationId: NotificationId
  taskId: TaskId
  userId: UserId
  personName: string
}

type Known = Pick<Context, 'db' | 'clock' | 'secrets'>

/** Answers what a link offers, and to whom. @throws AppError `TASK_LINK_INVALID`, or `NOT_FOUND` for a task that was deleted */
export async function lookAtLink(context: Known, token: string): Promise<{ title: string; person_name: string }> {
  const { sql } = context.db
  const offer = await findOffer(context, sql, token)
  const { title } = await getTask(sql, offer.accountId, offer.taskId)
  return { title, person_name: offer.personName }
}

/**
 * Gives the task to the person whom the message was for, once.
 *
 * @throws AppError `TASK_LINK_INVALID`, `TASK_ALREADY_COMPLETED`, or `TASK_TAKEN` when another has it
 */
export async function takeTask(context: Known, token: string): Promise<{ title: string; person_name: string }> {
  return context.db.begin(async (sql) => {
    const { accountId, notificationId, taskId, userId, personName } = await findOffer(context, sql, token)
    const task = await getTask(sql, accountId, taskId)
    if (task.status === 'cancelled') throw new AppError('TASK_LINK_INVALID')
    if (task.assigned_to !== null && task.assigned_to !== userId) throw new AppError('TASK_TAKEN')
    await assignTask(workOfUser(context, sql, accountId, userId), taskId, userId)
    await sql`
      update notifications set taken_at = ${context.clock.now()}
      where account_id = ${accountId} and id = ${notificationId}`
    return { title: task.title, person_name: personName }
  })
}

type OfferRow = Pick<NotificationRow, 'task_id' | 'created_at' | 'taken_at'> & {
  user_id: UserId
  name: string
  role: Role
}

/** The notification stays locked until the transaction ends, so that a link is used once. */
async function findOffer({ secrets, clock }: Known, sql: Sql, token: string): Promise<Offer> {
  const named = readTakeToken(secrets, token)
  if (!named) throw new AppError('TASK_LINK_INVALID')
  const [row] = await sql<OfferRow[]>`
    select n.task_id, n.created_at, n.taken_at, m.user_id, u.name, m.role
    from notifications n
    join notification_channels c on c.account_id = n.account_id and c.id = n.channel_id
    join members m on m.account_id = c.account_id and m.user_id = c.user_id and m.user_id = ${named.userId}
    join users u on u.id = m.user_id
    where n.account_id = ${named.accountId} and n.id = ${named.notificationId} for update of n`
  const isOver = !row || row.taken_at !== null || clock.now().getTime() - row.created_at.getTime() > takeLinkLifeMs
  if (isOver || row.task_id === null || !canUse(row.role, 'write')) throw new AppError('TASK_LINK_INVALID')
  return { ...named, taskId: row.task_id, userId: row.user_id, personName: row.name }
}
