import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Sql } from '../../../db/database.ts'
import { type AccountId, newId, readId, type UserId } from '../../../kernel/ids.ts'
import { findUserByEmail } from '../../people/accounts/accounts.queries.ts'
import type { ExportManifest } from '../format/manifest.ts'
import { listTakenTokens, listTakenUserIds } from './import.queries.ts'
import { parseLine, readBatches } from './read-lines.ts'

/** A person of the export, by the ID that they have here. */
export interface ArrivingPerson {
  userId: UserId
  email: string
  name: string
  isKnownHere: boolean
}

/**
 * IDs are kept: what other systems know an order, a SKU or a spool by stays true. Others are given only to the account itself, to people
 * who are known here by their e-mail address, and to addresses of images that this service has already.
 */
export interface Replacements {
  people: ArrivingPerson[]
  /** The text with all IDs as they are here. */
  apply(text: string): string
}

export async function findReplacements(
  sql: Sql,
  { folder, manifest, accountId }: { folder: string; manifest: ExportManifest; accountId: AccountId },
): Promise<Replacements> {
  const replaced = new Map<string, string>()
  if (manifest.account.id !== accountId) replaced.set(manifest.account.id, accountId)
  const people = await readPeople(sql, folder, replaced)
  for (const kind of ['product_images', 'wiki_images'] as const) {
    for await (const batch of readBatches(join(folder, 'data', `${kind}.jsonl`))) {
      const tokens = batch.map((line) => String(parseLine(kind, line).token))
      for (const token of await listTakenTokens(sql, accountId, kind, tokens)) {
        replaced.set(token, randomBytes(16).toString('hex'))
      }
    }
  }
  if (replaced.size === 0) return { people, apply: (text) => text }
  // IDs and tokens are letters, digits and underscores; one that goes on is another.
  const pattern = new RegExp(`(?:${[...replaced.keys()].join('|')})(?![0-9a-z])`, 'g')
  return { people, apply: (text) => text.replace(pattern, (id) => replaced.get(id) ?? id) }
}

async function readPeople(sql: Sql, folder: string, replaced: Map<string, string>): Promise<ArrivingPerson[]> {
  const people: ArrivingPerson[] = []
  for await (const batch of readBatches(join(folder, 'data', 'members.jsonl'))) {
    const rows = batch.map((line) => parseLine('members', line))
    const taken = await listTakenUserIds(
      sql,
      rows.map((row) => String(row.user_id)),
    )
    for (const row of rows) {
      const email = String(row.email)
      const exported = readId('user', String(row.user_id))
      const known = await findUserByEmail(sql, email)
      const userId = known?.id ?? (exported === undefined || taken.has(exported) ? newId('user') : exported)
      if (userId !== row.user_id) replaced.set(String(row.user_id), userId)
      people.push({ userId, email, name: String(row.name), isKnownHere: known !== undefined })
    }
  }
  return people
}
