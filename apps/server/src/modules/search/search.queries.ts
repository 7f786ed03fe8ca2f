import type { Sql } from '../../db/database.ts'
import type { AccountId } from '../../kernel/ids.ts'
import { searchFor } from '../orders/search/search-words.ts'

export interface HitRow {
  id: string
  title: string
  detail: string
  /** Status of a job or an order; the role of a person. */
  status: string | null
}

interface Sought {
  /** As it was typed, without spaces around it: an ID is found by itself. */
  text: string
  limit: number
}

type Find = (sql: Sql, accountId: AccountId, sought: Sought) => Promise<HitRow[]>

/**
 * Rows of a kind that are looked through at most, the newest: a search is asked with every few characters, and takes some tens of
 * milliseconds then. The lists of the kinds look through all.
 */
const mostLookedThrough = 20_000

/** What is over and older than this is found in the history. */
const mostJobs = 5_000

/** More words tell nothing more apart. */
const mostWords = 8

/** A pattern per word, of which each is to be in the text, wherever: people remember the middle of a name. */
function patternsOf(text: string): string[] {
  const words = text.toLowerCase().split(/\s+/).slice(0, mostWords)
  return words.map((word) => `%${word.replaceAll(/[\\%_]/g, '\\$&')}%`)
}

const hasWords = (sql: Sql, { text }: Sought) => sql`like all (${patternsOf(text)}::text[])`

/** What is named so comes first, then what begins so; within these the order of the rows stays. */
const byCloseness = (sql: Sql, { text }: Sought) => sql`
  (lower(title) = lower(${text}) or id = ${text}) desc, starts_with(lower(title), lower(${text})) desc`

export const findPrinters: Find = (sql, accountId, sought) => sql<HitRow[]>`
  select id, title, detail, null as status from (
    select id, name as title, concat_ws(', ', model, nullif(location, '')) as detail, is_active
    from printers where account_id = ${accountId}
      and (lower(concat_ws(' ', name, model, location)) ${hasWords(sql, sought)} or id = ${sought.text})
    limit ${mostLookedThrough}
  ) found
  order by ${byCloseness(sql, sought)}, is_active desc, title limit ${sought.limit}`

/** Those that are not over come first, by the index `jobs_unfinished`; of the others the newest, by `jobs_by_age`. */
export const findJobs: Find = (sql, accountId, sought) => sql<HitRow[]>`
  select id, title, detail, status from (
    select j.id, coalesce(j.product_name, j.file_name) as title, j.created_at,
           j.status in ('queued', 'processing', 'printing', 'paused') as is_open, j.status,
           concat_ws(', ', p.name, nullif(j.sku_name, ''),
                     case when j.product_name is not null then nullif(j.file_name, '') end) as detail,
           lower(concat_ws(' ', j.product_name, j.sku_name, j.file_name)) as words
    from (
      (select * from jobs where account_id = ${accountId} and status in ('queued', 'processing', 'printing', 'paused')
       order by created_at, id limit ${mostLookedThrough})
      union all
      (select * from (
         select * from jobs where account_id = ${accountId} order by created_at desc, id desc limit ${mostJobs}
       ) newest where status not in ('queued', 'processing', 'printing', 'paused'))
      union all
      (select * from jobs where account_id = ${accountId} and id = ${sought.text}
       and status not in ('queued', 'processing', 'printing', 'paused'))
    ) j left join printers p on p.account_id = j.account_id and p.id = j.printer_id
  ) found
  where words ${hasWords(sql, sought)} or id = ${sought.text}
  group by id, title, detail, status, is_open, created_at
  order by id = ${sought.text} desc, is_open desc, created_at desc, id limit ${sought.limit}`

export const findFiles: Find = (sql, accountId, sought) => sql<HitRow[]>`
  select id, title, '' as detail, null as status from (
    select id, name as title, created_at from print_files
    where account_id = ${accountId} and deleted_at is null order by created_at desc, id desc limit ${mostLookedThrough}
  ) found
  where lower(title) ${hasWords(sql, sought)} or id = ${sought.text}
  order by ${byCloseness(sql, sought)}, created_at desc, id limit ${sought.limit}`

export const findProducts: Find = (sql, accountId, sought) => sql<HitRow[]>`
  select id, title, detail, null as status from (
    select id, name as title, category as detail, created_at, is_active from products
    where account_id = ${accountId} order by created_at desc, id desc limit ${mostLookedThrough}
  ) found
  where lower(title) ${hasWords(sql, sought)} or id = ${sought.text}
  order by ${byCloseness(sql, sought)}, is_active desc, created_at desc, id limit ${sought.limit}`

export const findSkus: Find = (sql, accountId, sought) => sql<HitRow[]>`
  select id, title, detail, null as status from (
    select s.id, s.sku as title, s.created_at, s.is_active,
           concat_ws(', ', p.name, nullif(s.color, ''), nullif(s.filament_type, '')) as detail
    from (
      select * from skus where account_id = ${accountId} order by created_at desc, id desc limit ${mostLookedThrough}
    ) s join products p on p.account_id = s.account_id and p.id = s.product_id
  ) found
  where lower(concat_ws(' ', title, detail)) ${hasWords(sql, sought)} or id = ${sought.text}
  order by ${byCloseness(sql, sought)}, is_active desc, created_at desc, id limit ${sought.limit}`

/** By the words that orders are searched by, of which each begins one: the index `orders_by_word`. */
export const findOrders: Find = async (sql, accountId, sought) => {
  const words = searchFor(sought.text)
  if (words === undefined) return []
  return sql<HitRow[]>`
    select id, order_number as title, customer_name as detail, status from orders
    where account_id = ${accountId} and (search_words @@ ${words}::text::tsquery or id = ${sought.text})
    order by id = ${sought.text} desc, order_date desc, id desc limit ${sought.limit}`
}

export const findArticles: Find = (sql, accountId, sought) => sql<HitRow[]>`
  select id, title, detail, null as status from (
    select id, title, category as detail, created_at, lower(concat_ws(' ', title, excerpt, category)) as words
    from wiki_articles where account_id = ${accountId} order by created_at desc, id desc limit ${mostLookedThrough}
  ) found
  where words ${hasWords(sql, sought)} or id = ${sought.text}
  order by ${byCloseness(sql, sought)}, created_at desc, id limit ${sought.limit}`

export const findPeople: Find = (sql, accountId, sought) => sql<HitRow[]>`
  select id, title, detail, status from (
    select m.id, coalesce(nullif(u.name, ''), u.email) as title, u.email as detail, m.role as status, m.created_at,
           lower(concat_ws(' ', u.name, u.email)) as words
    from members m join users u on u.id = m.user_id
    where m.account_id = ${accountId} order by m.created_at, m.id limit ${mostLookedThrough}
  ) found
  where words ${hasWords(sql, sought)} or id = ${sought.text}
  order by ${byCloseness(sql, sought)}, created_at, id limit ${sought.limit}`
