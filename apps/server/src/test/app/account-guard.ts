import type { Sql, StatementGuard } from '../../db/database.ts'
import { StatementError } from '../../db/driver/sendable-parameters.ts'

/** Where a token stands: only in some clauses does naming `account_id` limit the rows. */
type Clause = 'limits' | 'tables' | 'other'

const clauseOf: Record<string, Clause> = {
  select: 'other',
  from: 'tables',
  join: 'tables',
  using: 'tables',
  into: 'tables',
  update: 'tables',
  truncate: 'tables',
  where: 'limits',
  on: 'limits',
  conflict: 'other',
  having: 'limits',
  values: 'other',
  set: 'other',
  returning: 'other',
  group: 'other',
  order: 'other',
  window: 'other',
  limit: 'other',
  union: 'other',
  intersect: 'other',
  except: 'other',
}

/** Words after which a table is named; a comma inside `from` is one more place. */
const beforeTable = new Set(['from', 'join', 'into', 'update', 'using', 'truncate', 'table', 'only', 'lateral'])

/** Words that may follow a table's name and are no alias of it. */
const afterTable = new Set(
  (
    'where set on using join left right inner full cross natural order group limit offset fetch for returning values ' +
    'select union intersect except as tablesample default overriding with window having when only'
  ).split(' '),
)

const directive = /\/\*\s*every account\s*:?(.*?)\*\//is

/**
 * Refuses a statement that touches tables with an `account_id` column without limiting each of them to an account:
 * every mention of such a table needs a mention of `account_id` in a condition, a `using (…)` or a list of inserted
 * columns. It reads text, not plans, so it finds what was forgotten, not what was done on purpose.
 *
 * A statement that is meant for all accounts (a sweep) says so and why: a comment `every account: <reason>`.
 *
 * @throws StatementError `ACCOUNT_NOT_NAMED`, showing the statement.
 */
export function checkAccountScope(statement: string, accountTables: ReadonlySet<string>): void {
  const unlimited = findUnlimited(statement, accountTables)
  if (unlimited.length === 0) return
  const permission = directive.exec(statement)
  if (permission !== null) {
    if (/\p{L}{3,}/u.test(permission[1] ?? '')) return
    throw refusal(statement, 'An "every account" comment needs a reason: /* every account: why */')
  }
  throw refusal(
    statement,
    `The statement touches ${unlimited.join(', ')} without limiting it by account_id. ` +
      'Name account_id for each table, or say /* every account: why */',
  )
}

function refusal(statement: string, reason: string): StatementError {
  return new StatementError('ACCOUNT_NOT_NAMED', `${reason}\n${statement.trim()}`)
}

/** Every mention of an account table that no mention of `account_id` limits, by its table name. */
function findUnlimited(statement: string, accountTables: ReadonlySet<string>): string[] {
  const mentions: { table: string; alias: string }[] = []
  // How often `j.account_id`, and under the empty name a bare `account_id`, stands where it limits rows.
  const limits = new Map<string, number>()
  let clause: Clause = 'other'
  const outer: Clause[] = []
  let previous = ''
  const tokens = tokensOf(statement)
  for (const [index, token] of tokens.entries()) {
    if (token === '(') {
      outer.push(clause)
      // The columns of `insert into jobs (account_id, …)` and of `using (account_id)` limit.
      if (clause === 'tables' && previous !== 'from' && previous !== 'join' && previous !== ',') clause = 'limits'
    } else if (token === ')') {
      clause = outer.pop() ?? 'other'
    } else {
      const [name, qualifier] = splitName(token)
      const isTablePlace = beforeTable.has(previous) || (clause === 'tables' && (previous === ',' || previous === '('))
      if (isTablePlace && accountTables.has(name))
        mentions.push({ table: name, alias: aliasAfter(tokens, index) ?? name })
      else if (name === 'account_id' && clause === 'limits') limits.set(qualifier, (limits.get(qualifier) ?? 0) + 1)
      else clause = clauseOf[token] ?? clause
    }
    previous = token
  }
  const takeLimit = (name: string) => {
    const left = limits.get(name) ?? 0
    limits.set(name, left - 1)
    return left > 0
  }
  return mentions.filter(({ alias }) => !takeLimit(alias) && !takeLimit('')).map(({ table }) => table)
}

function splitName(token: string): [name: string, qualifier: string] {
  const parts = token.split('.')
  return [parts.at(-1) ?? '', parts.at(-2) ?? '']
}

function aliasAfter(tokens: string[], index: number): string | undefined {
  const next = tokens[index + 1] === 'as' ? tokens[index + 2] : tokens[index + 1]
  return next === undefined || !/^[a-z_]/.test(next) || afterTable.has(next) ? undefined : next
}

/** Lower-case names (dotted ones in one piece), parentheses and commas; without comments, texts and all else. */
function tokensOf(statement: string): string[] {
  const bare = statement
    .replace(/\/\*[\s\S]*?\*\/|--[^\n]*/g, ' ')
    .replace(/(\$\w*\$)[\s\S]*?\1|'(?:[^']|'')*'/g, ' ? ')
    .replaceAll('"', '')
    // A comparison, not the beginning of a list of tables.
    .replace(/\bdistinct\s+from\b/gi, '')
  return (
    bare
      .toLowerCase()
      .match(/[a-z_][a-z0-9_$]*(?:\s*\.\s*[a-z_][a-z0-9_$]*)*|[(),]/g)
      ?.map((token) => token.replace(/\s/g, '')) ?? []
  )
}

/** The tables of the present schema whose rows belong to an account. */
export async function listAccountTables(sql: Sql): Promise<Set<string>> {
  const rows = await sql<{ table_name: string }[]>`
    select columns.table_name
    from information_schema.columns
    join information_schema.tables using (table_catalog, table_schema, table_name)
    where columns.table_schema = current_schema() and columns.column_name = 'account_id' and tables.table_type = 'BASE TABLE'`
  return new Set(rows.map((row) => row.table_name))
}

/** A guard for `openDatabase`, which reads each statement once: a test sends the same ones a thousand times. */
export function accountGuard(accountTables: ReadonlySet<string>): StatementGuard {
  const passed = new Set<string>()
  return (statement) => {
    if (passed.has(statement)) return
    checkAccountScope(statement, accountTables)
    passed.add(statement)
  }
}
