import type { Context } from '../../../context/context.ts'
import type { PushKeyRow } from '../../../db/rows.generated.ts'

/** Loaded when a browser is first told something. */
export const loadWebPush = async () => (await import('web-push')).default

/** The one row, and what its private key is sealed for. */
export const keysId = 'push_keys'

export interface PushKeys {
  publicKey: string
  privateKey: string
}

/** The key pair by which push services know this service: made at its first use, and the same one for ever after, in every process. */
export async function loadPushKeys({
  db,
  secrets,
  clock,
}: Pick<Context, 'db' | 'secrets' | 'clock'>): Promise<PushKeys> {
  const present = await findKeys()
  if (present) return present
  const { publicKey, privateKey } = (await loadWebPush()).generateVAPIDKeys()
  const row = {
    id: keysId,
    public_key: publicKey,
    private_key_sealed: secrets.seal(privateKey, keysId),
    created_at: clock.now(),
  }
  await db.sql`insert into push_keys ${db.sql(row)} on conflict (id) do nothing`
  const made = await findKeys()
  if (!made) throw new Error('The keys of web push were made and are not there.')
  return made

  async function findKeys(): Promise<PushKeys | undefined> {
    const [found] = await db.sql<Pick<PushKeyRow, 'public_key' | 'private_key_sealed'>[]>`
      select public_key, private_key_sealed from push_keys where id = ${keysId}`
    // Sealed above alone, and it was a text.
    return (
      found && { publicKey: found.public_key, privateKey: secrets.open(found.private_key_sealed, keysId) as string }
    )
  }
}

/**
 * Answers whom a push service may write to about this one: an address of the web or of mail. Apple refuses addresses of the machine itself.
 */
export function pushSubject({ publicUrl, mailFrom }: Pick<Context['config'], 'publicUrl' | 'mailFrom'>): string {
  if (publicUrl?.startsWith('https://')) return publicUrl
  const [, address] = /<?([^\s<>]+@[^\s<>]+)>?$/.exec(mailFrom ?? '') ?? []
  return address === undefined ? 'mailto:operator@printyard.invalid' : `mailto:${address}`
}
