import type { Sql, StatementGuard } from './database.ts'
import { StatementError } from './sendable-parameters.ts'

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
  const { tables, limits } = readScope(statement, accountTables)
  if (tables.length <= limits) return
  const permission = directive.exec(statement)
  if (permission !== null) {
    if (/\p{L}{3,}/u.test(permission[1] ?? '')) return
    throw refusal(statement, 'An "every account" comment needs a reason: /* every account: why */')
  }
  throw refusal(
    statement,
    `The statement touches ${tables.join(', ')} (${tables.length}) but limits ${limits} of them by account_id. ` +
      'Name account_id for each, or say /* every account: why */',
  )
}

function refusal(statement: string, reason: string): StatementError {
  return new StatementError('ACCOUNT_NOT_NAMED', `${reason}\n${statement.trim()}`)
}

function readScope(statement: string, accountTables: ReadonlySet<string>): { tables: string[]; limits: number } {
  const tables: string[] = []
  let limits = 0
  let clause: Clause = 'other'
  const outer: Clause[] = []
  let previous = ''
  for (const token of tokensOf(statement)) {
    if (token === '(') {
      outer.push(clause)
      // The columns of `insert into jobs (account_id, …)` and of `using (account_id)` limit; a subquery starts anew.
      if (clause === 'tables' && previous !== 'from' && previous !== ',') clause = 'limits'
    } else if (token === ')') {
      clause = outer.pop() ?? 'other'
    } else {
      const name = token.slice(token.lastIndexOf('.') + 1)
      const isTablePlace = beforeTable.has(previous) || (previous === ',' && clause === 'tables')
      if (isTablePlace && accountTables.has(name)) tables.push(name)
      else if (name === 'account_id' && clause === 'limits') limits += 1
      else clause = clauseAfter(token, previous) ?? clause
    }
    previous = token
  }
  return { tables, limits }
}

function clauseAfter(token: string, previous: string): Clause | undefined {
  // `is distinct from $1`, and `for update` at the end, open nothing.
  if (token === 'from' && previous === 'distinct') return undefined
  return clauseOf[token]
}

/** Lower-case names (dotted ones in one piece), parentheses and commas; without comments, texts and all else. */
function tokensOf(statement: string): string[] {
  const bare = statement
    .replace(/\/\*[\s\S]*?\*\/|--[^\n]*/g, ' ')
    .replace(/(\$\w*\$)[\s\S]*?\1|'(?:[^']|'')*'/g, ' ? ')
    .replaceAll('"', '')
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

/** A guard for `openDatabase`. */
export function accountGuard(accountTables: ReadonlySet<string>): StatementGuard {
  return (statement) => checkAccountScope(statement, accountTables)
}
