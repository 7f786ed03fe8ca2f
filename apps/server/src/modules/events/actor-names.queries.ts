import type { Sql } from '../../db/database.ts'
import type { Actor } from '../../kernel/actor.ts'

/**
 * Names of those who did something, by what stands for them in records (`Actor.label`): people, keys, hubs and automation rules. Of a person
 * without a name the e-mail address, as long as they are a member; one who has left and was erased has no entry, and neither has
 * the service itself. Keys get no names of people.
 */
export async function mapActorNames(
  sql: Sql,
  reader: Pick<Actor, 'accountId' | 'userId'>,
  labels: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { accountId } = reader
  const idsOf = (kind: string) => [
    ...new Set(labels.filter((label) => label.startsWith(`${kind}:`)).map((label) => label.slice(kind.length + 1))),
  ]
  const people = reader.userId === undefined ? [] : idsOf('user')
  const rows = await sql<{ label: string; name: string | null }[]>`
    select 'user:' || u.id as label, coalesce(nullif(u.name, ''), case when m.id is not null then u.email end) as name
    from users u left join members m on m.account_id = ${accountId} and m.user_id = u.id
    where u.id = any(${people})
    union all
    select 'key:' || k.id, k.name from api_keys k where k.account_id = ${accountId} and k.id = any(${idsOf('key')})
    union all
    select 'hub:' || h.id, h.name from hubs h where h.account_id = ${accountId} and h.id = any(${idsOf('hub')})
    union all
    select 'rule:' || r.id, r.name from automation_rules r where r.account_id = ${accountId} and r.id = any(${idsOf('rule')})`
  return new Map(rows.flatMap(({ label, name }) => (name ? [[label, name]] : [])))
}
