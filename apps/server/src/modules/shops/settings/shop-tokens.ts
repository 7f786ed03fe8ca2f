import type { Context } from '../../../context/context.ts'
import type { Sql } from '../../../db/database.ts'
import type { ShopRow } from '../../../db/rows.generated.ts'
import type { ShopTokens, TokenKeeper } from '../connectors/contract/shop-client.ts'
import { ShopProblem } from '../connectors/contract/shop-problem.ts'
import { tokensOf } from './shop-secrets.ts'

/** Longer than a call to a shop may take: one that is killed in between is waited for so long. */
export const renewalMs = 60_000

/** Time after which it is looked again whether another process has renewed them. */
const lookAgainMs = 5_000

type Owner = Pick<ShopRow, 'account_id' | 'id'>

/** The tokens of a shop, as the database has them. */
export function makeTokenKeeper(context: Context, shop: Owner): TokenKeeper {
  const { db, clock, secrets } = context
  const find = async () => {
    const [row] = await db.sql<Pick<ShopRow, 'tokens_sealed'>[]>`
      select tokens_sealed from shops where account_id = ${shop.account_id} and id = ${shop.id}`
    return row && openTokens(context, shop, row.tokens_sealed)
  }
  return {
    find,
    async renew(used, ask) {
      const now = clock.now()
      const [claimed] = await db.sql<Pick<ShopRow, 'tokens_sealed'>[]>`
        update shops set renewing_until = ${new Date(now.getTime() + renewalMs)}
        where account_id = ${shop.account_id} and id = ${shop.id}
          and (renewing_until is null or renewing_until <= ${now})
        returning tokens_sealed`
      if (!claimed) throw new ShopProblem('busy', 'The token is just being renewed.', { retryAfterMs: lookAgainMs })
      try {
        const current = openTokens(context, shop, claimed.tokens_sealed)
        // Another process was first.
        if (current && current.refresh_token !== used.refresh_token) return current
        const renewed = await ask(used)
        await writeTokens(db.sql, shop, secrets.seal(renewed, tokensOf(shop.id)))
        return renewed
      } finally {
        await db.sql`
          update shops set renewing_until = null where account_id = ${shop.account_id} and id = ${shop.id}`
      }
    },
  }
}

function openTokens({ secrets, log }: Context, shop: Owner, sealed: Buffer | null): ShopTokens | undefined {
  if (sealed === null) return undefined
  try {
    // Sealed by this file alone, for this shop: the tag tells.
    return secrets.open(sealed, tokensOf(shop.id)) as ShopTokens
  } catch (error) {
    log.error({ err: error, shop_id: shop.id }, 'the tokens of a shop cannot be opened')
    return undefined
  }
}

export async function writeTokens(sql: Sql, { account_id, id }: Owner, sealed: Buffer): Promise<void> {
  await sql`update shops set tokens_sealed = ${sealed} where account_id = ${account_id} and id = ${id}`
}
