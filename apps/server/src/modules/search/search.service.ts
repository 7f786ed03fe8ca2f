import type { Context } from '../../context/context.ts'
import { type Actor, personOf } from '../../kernel/actor.ts'
import { isAtLeast, type Role } from '../../kernel/policy.ts'
import {
  findArticles,
  findFiles,
  findJobs,
  findOrders,
  findPeople,
  findPrinters,
  findProducts,
  findSkus,
  type HitRow,
} from './search.queries.ts'

/** In the order in which they are told, with the least role that finds them. Their lists are for every member, but for people. */
const kinds = {
  printer: { find: findPrinters, least: 'viewer' },
  job: { find: findJobs, least: 'viewer' },
  order: { find: findOrders, least: 'viewer' },
  product: { find: findProducts, least: 'viewer' },
  sku: { find: findSkus, least: 'viewer' },
  file: { find: findFiles, least: 'viewer' },
  article: { find: findArticles, least: 'viewer' },
  person: { find: findPeople, least: 'admin' },
} as const satisfies Record<string, { find: typeof findPrinters; least: Role }>

type HitKind = keyof typeof kinds
export const hitKinds = Object.keys(kinds) as HitKind[]

/** As many as are read without scrolling for long. */
const mostHits = 5

interface HitGroup {
  kind: HitKind
  hits: HitRow[]
  has_more: boolean
}

/** One statement after the other, so that a person who types takes one connection. */
export async function searchAll({ db }: Context, actor: Actor, text: string): Promise<HitGroup[]> {
  const { accountId, role } = personOf(actor)
  const groups: HitGroup[] = []
  for (const kind of hitKinds) {
    const { find, least } = kinds[kind]
    if (!isAtLeast(role, least)) continue
    const rows = await find(db.sql, accountId, { text, limit: mostHits + 1 })
    if (rows.length > 0) groups.push({ kind, hits: rows.slice(0, mostHits), has_more: rows.length > mostHits })
  }
  return groups
}
