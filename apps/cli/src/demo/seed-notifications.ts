import type { Database } from '@printyard/server/db/database'
import type { AccountId, NotificationChannelId } from '@printyard/server/kernel/ids'
import { workIn } from '@printyard/server/modules/events/work'
import { createRule } from '@printyard/server/modules/notifications/rule-settings/rules.service'
import { listRoster } from '@printyard/server/modules/people/shifts/shifts.queries'
import { setShifts } from '@printyard/server/modules/people/shifts/shifts.service'

/**
 * Shifts of the people of the demo, and rules of who is told of what. They tell the browsers of those who ask to be told, and one the channel of the demo on this machine, so that
 * nothing leaves it, and no service of others is shown as if it were connected.
 */
export async function seedNotifications(
  db: Database,
  accountId: AccountId,
  channelId: NotificationChannelId,
): Promise<void> {
  await db.begin(async (sql) => {
    const work = workIn(sql, { accountId, actor: 'demo', now: new Date() })
    for (const member of await listRoster(sql, accountId)) {
      await setShifts(
        work,
        member,
        [1, 2, 3, 4, 5].map((day) => ({ day, from: '07:00', to: '19:00' })),
      )
    }
    await createRule(work, {
      name: 'Failures and silent printers, by day',
      kinds: ['print_failed', 'printer_silent', 'printer_error', 'hub_gone'],
      to_on_shift: true,
      quiet_from: '22:00',
      quiet_to: '06:00',
      urgent_passes: true,
    })
    await createRule(work, {
      name: 'Finished prints on the screen of the workshop',
      kinds: ['print_done'],
      channel_ids: [channelId],
    })
    await createRule(work, {
      name: 'Purchases and late orders, once an hour',
      kinds: ['stock_low', 'filament_low', 'order_at_risk', 'order_late'],
      to_acting_members: true,
      digest_minutes: 60,
    })
  })
}
