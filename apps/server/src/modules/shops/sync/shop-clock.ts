import type { Json } from '../../../db/database.ts'
import type { Connector } from '../connectors/contract/connector.ts'

/** Added to the time since the last read: what was written in one second, or by a transaction that took its time, may show later. */
const overlapMs = 5 * 60_000

/**
 * Answers where to read on after the last page. A cursor lies before the moment at which the shop answers; where it lies after it,
 * the clock of the shop was set back, and what changes there from then on would be passed over until that clock has caught up. Then
 * reading begins as long ago, by the clock of the shop, as our last read was. What comes again by that changes nothing.
 *
 * @param theirNow the time by the clock of the shop; undefined: it did not say
 * @param sinceReadMs how long ago the shop was read to the end
 */
export function cursorWithin(
  connector: Pick<Connector, 'firstCursor' | 'isAfter'>,
  cursor: Json,
  theirNow: Date | undefined,
  sinceReadMs: number,
): Json {
  if (theirNow === undefined || !connector.isAfter(cursor, theirNow)) return cursor
  return connector.firstCursor(new Date(theirNow.getTime() - Math.max(0, sinceReadMs) - overlapMs))
}
