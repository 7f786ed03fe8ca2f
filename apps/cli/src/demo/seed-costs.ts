import type { Database, Sql } from '@printyard/server/db/database'
import type { AccountId, MaterialId } from '@printyard/server/kernel/ids'
import { changeCostSettings, setMaterialPrice } from '@printyard/server/modules/costs/settings/cost-settings.service'
import { type Work, workIn } from '@printyard/server/modules/events/work'
import { demoPrices, demoUnitPrices } from './demo-sales.ts'

/** Says what things cost the farm, but for one of them. Not through the public API, which knows nothing of costs. */
export async function seedCosts(db: Database, accountId: AccountId): Promise<void> {
  await db.begin(async (sql) => {
    const work = workOf(sql, accountId)
    await changeCostSettings(work, demoPrices)
    const materials = await sql<{ id: MaterialId; name: string }[]>`
      select id, name from materials where account_id = ${accountId} and kind in ('components', 'packaging') order by id`
    for (const { id, name } of materials) {
      const price = demoUnitPrices[name]
      if (price !== undefined) await setMaterialPrice(work, id, price)
    }
  })
}

const workOf = (sql: Sql, accountId: AccountId): Work => workIn(sql, { accountId, actor: 'demo', now: new Date() })
