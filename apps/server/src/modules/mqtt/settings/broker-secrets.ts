import type { Sql } from '../../../db/database.ts'
import type { MqttBrokerRow } from '../../../db/rows.generated.ts'
import { openIfReadable, type SecretBox } from '../../../kernel/secret-box.ts'
import type { BrokerSettings } from '../link/broker-link.ts'

export function sealBrokerSettings(box: Pick<SecretBox, 'seal'>, id: string, settings: BrokerSettings): Buffer {
  return box.seal(settings, id)
}

/** @throws Error when no key of the service opens them */
export function openBrokerSettings(box: Pick<SecretBox, 'open'>, id: string, sealed: Buffer): BrokerSettings {
  // Sealed by `sealBrokerSettings` alone, for this broker: the tag tells.
  return box.open(sealed, id) as BrokerSettings
}

/** Seals what was entered of all brokers again, by the present key. `sql` is a transaction. */
export async function resealBrokers(
  secrets: Pick<SecretBox, 'seal' | 'open'>,
  sql: Sql,
): Promise<{ sealed: number; unreadable: string[] }> {
  const brokers = await sql<Pick<MqttBrokerRow, 'account_id' | 'id' | 'settings_sealed'>[]>`
    /* every account: the key is that of the whole service */
    select account_id, id, settings_sealed from mqtt_brokers order by account_id, id for update`
  const unreadable: string[] = []
  for (const { account_id, id, settings_sealed } of brokers) {
    const opened = openIfReadable(secrets, settings_sealed, id)
    if (opened === undefined) unreadable.push(id)
    else {
      await sql`
        update mqtt_brokers set settings_sealed = ${secrets.seal(opened.value, id)}
        where account_id = ${account_id} and id = ${id}`
    }
  }
  return { sealed: brokers.length - unreadable.length, unreadable }
}
