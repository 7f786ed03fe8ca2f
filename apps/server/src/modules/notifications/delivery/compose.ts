import type { Context } from '../../../context/context.ts'
import type { AccountId, PrinterId } from '../../../kernel/ids.ts'
import { lookNow } from '../../printers/camera/look-now.ts'
import { type Message, type Picture, type Severity, severities } from '../message/message.ts'
import { takePath, takeToken } from '../message/take-link.ts'
import type { Due, HeldChannel } from './due.queries.ts'

/** Lines of a digest; what is more is counted. */
const mostLines = 20

/** Time that a camera is waited for, and how old the news may be for which it is asked. */
const pictureWithinMs = 5_000
const pictureForMs = 2 * 60_000

/** One message of one notification, or of several that were collected. */
export async function compose(
  context: Context,
  channel: HeldChannel,
  rows: readonly [Due, ...Due[]],
): Promise<Message> {
  const [first] = rows
  const now = context.clock.now()
  const common = { publicUrl: context.config.publicUrl, at: now, id: first.id }
  if (rows.length > 1) return { ...common, ...digestOf(rows) }
  const { kind, severity, title, body, subject, path, task_id: taskId, account_id: accountId } = first
  const isFresh = now.getTime() - first.created_at.getTime() <= pictureForMs
  return {
    ...common,
    kind,
    severity,
    title,
    body,
    subject,
    path,
    // Only of a channel that one person reads it is known who takes the task.
    takePath:
      taskId === null || channel.user_id === null
        ? undefined
        : takePath(takeToken(context.secrets, { accountId, notificationId: first.id, userId: channel.user_id })),
    picture: first.printer_id === null || !isFresh ? undefined : await pictureOf(context, accountId, first.printer_id),
  }
}

function digestOf(rows: readonly [Due, ...Due[]]) {
  const lines = rows.slice(0, mostLines).map(({ title, body }) => (body === '' ? `• ${title}` : `• ${title} (${body})`))
  const more = rows.length - lines.length
  return {
    kind: 'digest',
    severity: mostSevere(rows),
    title: `${rows.length} notifications`,
    body: [...lines, ...(more > 0 ? [`and ${more} more`] : [])].join('\n'),
    subject: `digest ${rows[0].id}`,
    path: '/',
    takePath: undefined,
    picture: undefined,
  }
}

function mostSevere(rows: readonly Due[]): Severity {
  return severities.findLast((each) => rows.some(({ severity }) => severity === each)) ?? 'low'
}

/** Answers what the camera of a printer sees now; undefined when it has none, or shows nothing in time. */
async function pictureOf(context: Context, accountId: AccountId, printerId: PrinterId): Promise<Picture | undefined> {
  const bytes = await lookNow(context, accountId, printerId, AbortSignal.timeout(pictureWithinMs))
  return bytes && { bytes, type: 'image/jpeg', name: 'camera.jpg' }
}
