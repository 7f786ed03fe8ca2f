import { timingSafeEqual } from 'node:crypto'
import type { Context } from '../context/context.ts'
import type { PageBounds, PageFilter, PagePosition } from '../db/page-bounds.ts'
import type { Actor } from '../kernel/actor.ts'
import { validationError } from '../kernel/errors.ts'
import { mostUnpaged, type PageMeta } from './schema.ts'

/** What a request for a page says of itself; Fastify's request does. */
interface PageRequest<Query> {
  actor: Pick<Actor, 'accountId'>
  routeOptions: { url?: string | undefined }
  params?: unknown
  query: Query
}

interface PageQuery {
  /** Left out only where a list may be taken whole. */
  limit?: number
  offset?: number
  cursor?: string
}

interface Positioned {
  page_key: string | null
  id?: string
}

type Secrets = Pick<Context, 'secrets'>

/** First byte of a cursor: which form the rest has. */
const version = 1
const signatureBytes = 16

/**
 * Reads a page with `list` and answers its rows and their `meta`. `list` gets the query with the bounds of the page, and
 * must sort by `page_key`, then by `id`. It is asked for one row more than the page holds: whether there is one tells
 * whether the list goes on. Only a page that was asked for by `offset` has no `next_cursor`.
 *
 * @param pagedLimit rows of a page that is asked for by offset or cursor alone, of a list that may be taken whole
 * @throws AppError `VALIDATION_ERROR` for a cursor that was not made for this account, list and filters.
 */
export async function readPage<Query extends PageQuery, Row extends Positioned>(
  context: Secrets,
  request: PageRequest<Query>,
  list: (filter: PageFilter<Query>) => Promise<Row[]>,
  pagedLimit = 50,
): Promise<{ rows: Row[]; meta: PageMeta }> {
  const { limit: wanted, offset, cursor, ...filters } = request.query
  const limit = wanted ?? (offset === undefined && cursor === undefined ? mostUnpaged : pagedLimit)
  if (cursor !== undefined && offset !== undefined) {
    throw validationError({ cursor: ['excludes offset'], offset: ['excludes cursor'] })
  }
  const listKey = listName(request, filters)
  const bounds: PageBounds = {
    limit: offset === undefined ? limit + 1 : limit,
    offset: offset ?? 0,
    ...(cursor !== undefined && { after: openCursor(context, listKey, cursor) }),
  }
  const found = await list({ ...filters, ...bounds })
  const rows = found.slice(0, limit)
  const meta = { limit, offset: bounds.offset, count: rows.length }
  if (offset !== undefined) return { rows, meta }
  const last = found.length > limit ? rows.at(-1) : undefined
  const next = last && makeCursor(context, listKey, { key: last.page_key, id: last.id ?? '' })
  return { rows, meta: { ...meta, next_cursor: next ?? null } }
}

/** Answers what a cursor is bound to: one list of one account, with the same filters. The size of its pages may change. */
function listName({ actor, routeOptions, params }: PageRequest<unknown>, filters: object): string {
  const given = Object.entries(filters).filter(([, value]) => value !== undefined)
  return JSON.stringify([actor.accountId, routeOptions.url, params, given.sort(([a], [b]) => (a < b ? -1 : 1))])
}

/** Version, signature and position as URL-safe text. */
function makeCursor(context: Secrets, list: string, { key, id }: PagePosition): string {
  const position = JSON.stringify([key, id])
  const parts = [Buffer.of(version), sign(context, list, position), Buffer.from(position)]
  return Buffer.concat(parts).toString('base64url')
}

function openCursor(context: Secrets, list: string, cursor: string): PagePosition {
  const bytes = Buffer.from(cursor, 'base64url')
  const signature = bytes.subarray(1, 1 + signatureBytes)
  const position = bytes.subarray(1 + signatureBytes).toString()
  const isOurs =
    bytes[0] === version &&
    signature.length === signatureBytes &&
    // Decoding skips what is not base64url: only the very text that was given out is taken back.
    bytes.toString('base64url') === cursor &&
    timingSafeEqual(signature, sign(context, list, position))
  if (!isOurs) throw validationError({ cursor: ['is not a next_cursor of this list with these filters'] })
  // Signed by us, so it holds what makeCursor has put in.
  const [key, id] = JSON.parse(position) as [string | null, string]
  return { key, id }
}

function sign({ secrets }: Secrets, list: string, position: string): Buffer {
  const signature = secrets.sign(JSON.stringify(['page cursor', version, list, position]))
  return Buffer.from(signature, 'base64url').subarray(0, signatureBytes)
}
