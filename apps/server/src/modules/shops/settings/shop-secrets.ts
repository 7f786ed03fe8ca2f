import { randomBytes } from 'node:crypto'
import type { Sql } from '../../../db/database.ts'
import type { ShopRow } from '../../../db/rows.generated.ts'
import { openIfReadable, type SecretBox } from '../../../kernel/secret-box.ts'
import type { ShopSettings } from '../connectors/contract/connector.ts'

/** Makes a secret of letters and digits alone: shops take others apart. */
export function newWebhookSecret(): string {
  return randomBytes(24).toString('hex')
}

export function sealSettings(box: Pick<SecretBox, 'seal'>, shopId: string, settings: ShopSettings): Buffer {
  return box.seal(settings, shopId)
}

/** @throws Error when no key of the service opens them */
export function openSettings(box: Pick<SecretBox, 'open'>, shopId: string, sealed: Buffer): ShopSettings {
  // Sealed by `sealSettings` alone, for this shop: the tag tells.
  return box.open(sealed, shopId) as ShopSettings
}

/** What the tokens of a shop are sealed for. */
export const tokensOf = (shopId: string) => `${shopId} tokens`

/** Seals what was entered of all shops again, by the present key, as `resealWebhooks` does. `sql` is a transaction. */
export async function resealShops(
  secrets: Pick<SecretBox, 'seal' | 'open'>,
  sql: Sql,
): Promise<{ sealed: number; unreadable: string[] }> {
  const shops = await sql<Pick<ShopRow, 'account_id' | 'id' | 'settings_sealed' | 'tokens_sealed'>[]>`
    /* every account: the key is that of the whole service */
    select account_id, id, settings_sealed, tokens_sealed from shops order by account_id, id for update`
  const unreadable: string[] = []
  for (const { account_id, id, settings_sealed, tokens_sealed } of shops) {
    const opened = openIfReadable(secrets, settings_sealed, id)
    const tokens = tokens_sealed === null ? { value: null } : openIfReadable(secrets, tokens_sealed, tokensOf(id))
    if (opened === undefined || tokens === undefined) unreadable.push(id)
    else {
      const sealed = tokens.value === null ? null : secrets.seal(tokens.value, tokensOf(id))
      await sql`
        update shops set settings_sealed = ${secrets.seal(opened.value, id)}, tokens_sealed = ${sealed}
        where account_id = ${account_id} and id = ${id}`
    }
  }
  return { sealed: shops.length - unreadable.length, unreadable }
}
