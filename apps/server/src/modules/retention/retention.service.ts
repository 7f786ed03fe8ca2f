import type { Context } from '../../context/context.ts'
import { deleteInBatches } from '../../db/delete-in-batches.ts'
import { removeOldIdempotencyKeys } from '../../http/idempotency.ts'
import { firstIdOf } from '../../kernel/ids.ts'
import { deleteRunsBefore } from '../automation/runs/runs.queries.ts'
import { deleteEventsBefore } from '../events/events.queries.ts'
import { firstKeptEvent } from '../events/kept-events.ts'
import { removeOldPictures } from '../failures/pictures/remove-pictures.ts'
import { deleteNotificationsBefore } from '../notifications/log/notifications.queries.ts'
import { deleteProgressBefore } from '../orders/import/import-progress.queries.ts'
import { deleteResetsBefore } from '../people/accounts/password-resets.queries.ts'
import { deleteInvitationsBefore } from '../people/invitations/invitations.queries.ts'
import { deleteUnconfirmedFactorsBefore } from '../people/second-factor/second-factors.queries.ts'
import { removeOldSessions } from '../people/sign-in/sessions.service.ts'
import { deletePeriodsBefore } from '../timeline/printer-periods.queries.ts'
import { deleteDeliveriesBefore } from '../webhooks/log/deliveries.queries.ts'

const dayMs = 24 * 3_600_000

/** What an invitation came to can be looked up this long after it ended. */
const invitationsKeptMs = 90 * dayMs

/** What was sent to webhooks, and told people, can be looked up this long. */
const deliveriesKeptMs = 30 * dayMs

/** A secret that no one confirmed is worth nothing, and should not lie about. */
const unconfirmedKeptMs = dayMs

/**
 * Removes what has been over for as long as it is kept. What a farm has made, and its ledgers, stay for ever: jobs with
 * their attempts and failures, orders, tasks, movements of stock and material. It runs beside requests, on the connection
 * for long work, a few rows at a time.
 */
export async function removeWhatIsOver(context: Context): Promise<void> {
  const { config, log, db } = context
  const now = context.clock.now().getTime()
  const remove = (deleteBatch: (limit: number) => Promise<number>) => deleteInBatches(context, deleteBatch)

  const keptFrom = firstKeptEvent(context)
  const events = keptFrom === undefined ? 0 : await remove((most) => deleteEventsBefore(db.reports, keptFrom, most))
  const periodsFrom = new Date(now - config.printerTimeKeptDays * dayMs)
  const periods =
    config.printerTimeKeptDays === 0 ? 0 : await remove((most) => deletePeriodsBefore(db.reports, periodsFrom, most))
  if (events + periods > 0) log.info({ events, printer_periods: periods }, 'what is older than it is kept was removed')

  await removeOldPictures(context)
  const deliveriesFrom = firstIdOf('webhookDelivery', now - deliveriesKeptMs)
  await remove((most) => deleteDeliveriesBefore(db.reports, deliveriesFrom, most))
  const notificationsFrom = firstIdOf('notification', now - deliveriesKeptMs)
  await remove((most) => deleteNotificationsBefore(db.reports, notificationsFrom, most))
  const runsFrom = firstIdOf('automationRun', now - deliveriesKeptMs)
  await remove((most) => deleteRunsBefore(db.reports, runsFrom, most))
  const invitationsFrom = new Date(now - invitationsKeptMs)
  await remove((most) => deleteInvitationsBefore(db.reports, invitationsFrom, most))
  await remove((most) => deleteResetsBefore(db.reports, new Date(now), most))
  await remove((most) => deleteUnconfirmedFactorsBefore(db.reports, new Date(now - unconfirmedKeptMs), most))
  await remove((most) => deleteProgressBefore(db.reports, new Date(now - dayMs), most))
  await removeOldSessions(context)
  await removeOldIdempotencyKeys(context)
}
