import { Value } from 'typebox/value'
import type { Sql } from '../../db/database.ts'
import { idPrefixes } from '../../kernel/ids.ts'
import { type EventDescription, eventCatalogue } from '../../modules/events/event-catalogue.ts'

interface StoredEvent {
  type: string
  subject_id: string
  data: unknown
}

/** Types that tests of the feed write themselves. */
const testTypes = /^things?\./

/** IDs as `newId` makes them; tests name some things themselves. */
const madeId = /^([a-z]{3})_[0-9a-z]{26}$/

/**
 * Refuses a database with an event that the catalogue does not have, or not with this data or subject: an event that
 * passed the types and was stored otherwise.
 */
export async function refuseUnknownEvents(sql: Sql): Promise<void> {
  const events = await sql<StoredEvent[]>`
    /* every account: what the tests of a file have done */
    select distinct on (type, keys) type, subject_id, data from (
      select type, subject_id, data, array(select jsonb_object_keys(data) order by 1) as keys from events
    ) shapes`
  const wrong = events.filter(({ type }) => !testTypes.test(type)).flatMap(faultsOf)
  if (wrong.length > 0) throw new Error(`Events that the catalogue does not have so:\n${wrong.join('\n')}`)
}

export function faultsOf({ type, subject_id, data }: StoredEvent): string[] {
  const described: EventDescription | undefined = (eventCatalogue as Record<string, EventDescription>)[type]
  if (!described) return [`${type} is not in the catalogue`]
  const faults = [...Value.Errors(described.data, data)].map(
    ({ instancePath, message }) => `${instancePath} ${message}`,
  )
  const [, prefix] = madeId.exec(subject_id) ?? []
  if (prefix !== undefined && prefix !== idPrefixes[described.subject])
    faults.push(`its subject ${subject_id} is no ${described.subject}`)
  return faults.map((fault) => `${type} ${JSON.stringify(data)}: ${fault}`)
}
