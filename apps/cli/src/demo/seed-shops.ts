import type { Context } from '@printyard/server/context/context'
import type { AccountId } from '@printyard/server/kernel/ids'
import { workIn } from '@printyard/server/modules/events/work'
import { changeShop, connectShop } from '@printyard/server/modules/shops/settings/shops.service'

/** A shop that is paused from the start: its address exists nowhere, so that nothing leaves the machine and nothing fails. */
export async function seedShops(
  context: Pick<Context, 'db' | 'config' | 'secrets'>,
  accountId: AccountId,
): Promise<void> {
  await context.db.begin(async (sql) => {
    const work = workIn(sql, { accountId, actor: 'demo', now: new Date() })
    const { shop } = await connectShop(context, work, {
      platform: 'woocommerce',
      name: 'Web shop',
      url: 'https://shop.demo.invalid',
      consumer_key: 'ck_of_the_demo',
      consumer_secret: 'cs_of_the_demo',
    })
    await changeShop(context, work, shop.id, { is_active: false })
  })
}
