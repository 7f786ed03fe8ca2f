import type { Database } from '@printyard/server/db/database'
import type { AccountId, NotificationChannelId } from '@printyard/server/kernel/ids'
import { createRule } from '@printyard/server/modules/automation/rules/rules.service'
import { workIn } from '@printyard/server/modules/events/work'

/** Rules of what the farm does by itself: two that are on, and one that is tried. The first runs soon: a printer of the demo fails once. */
export async function seedRules(db: Database, accountId: AccountId, channelId: NotificationChannelId): Promise<void> {
  await db.begin(async (sql) => {
    const work = workIn(sql, { accountId, actor: 'demo', now: new Date() })
    await createRule(work, {
      name: 'A failed print is looked at',
      kinds: ['print_failed'],
      actions: [
        { do: 'create_task', text: 'Look why the print failed' },
        { do: 'send_message', channel_ids: [channelId] },
      ],
    })
    await createRule(work, {
      name: 'Three failures on one printer',
      kinds: ['print_failed'],
      times: 3,
      within_minutes: 24 * 60,
      actions: [{ do: 'start_maintenance' }, { do: 'create_task', text: 'Find out why prints fail here' }],
    })
    await createRule(work, {
      name: 'Refill the shelf',
      mode: 'trial',
      kinds: ['stock_low'],
      actions: [{ do: 'produce' }],
    })
  })
}
