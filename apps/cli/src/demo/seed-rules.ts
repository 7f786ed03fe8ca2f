import type { Database } from '@printyard/server/db/database'
import type { AccountId } from '@printyard/server/kernel/ids'
import { createRule } from '@printyard/server/modules/automation/rules/rules.service'
import { workIn } from '@printyard/server/modules/events/work'

/** Rules of what the farm does by itself: one that is on, and one that is tried. */
export async function seedRules(db: Database, accountId: AccountId): Promise<void> {
  await db.begin(async (sql) => {
    const work = workIn(sql, { accountId, actor: 'demo', now: new Date() })
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
