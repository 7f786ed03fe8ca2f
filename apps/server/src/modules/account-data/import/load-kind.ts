import { compareJsonRows, insertJsonRows } from '../../../db/copy/json-rows.ts'
import type { Sql, Transaction } from '../../../db/database.ts'
import type { AccountId } from '../../../kernel/ids.ts'
import { AccountDataError } from '../format/account-data-error.ts'
import type { Line } from './read-lines.ts'

/** A line of a kind as it is to be written. */
export interface PreparedRow {
  line: Line
  /** Key that tells it apart, as a JSON array. */
  key: string
  text: string
  change: string | undefined
}

export interface RowProblem {
  kind: string
  /** Line of the file of the kind, from 1. */
  line: number
  key: string
  message: string
}

interface KindToLoad {
  kind: string
  accountId: AccountId
  columns: readonly string[]
  key: readonly string[]
}

/** Outcome of the rows of a kind. */
interface LoadedRows {
  inserted: number
  /** There already, and left as they are. */
  kept: PreparedRow[]
  problems: RowProblem[]
}

const arrayOf = (rows: readonly PreparedRow[]) => `[${rows.map(({ text }) => text).join(',')}]`

/**
 * Inserts rows. Those that collide with existing ones are kept out; when the database refuses any, the rows are tried one by one, so that
 * the wrong ones are named.
 */
export async function loadRows(
  sql: Transaction,
  to: KindToLoad,
  rows: readonly PreparedRow[],
  { mayCollide }: { mayCollide: boolean },
): Promise<LoadedRows> {
  let keys: string[]
  try {
    keys = await sql.savepoint((part) =>
      insertJsonRows(part, { ...to, table: to.kind, text: arrayOf(rows) }, { mayCollide }),
    )
  } catch (error) {
    if (!isRefusal(error)) throw error
    const [row] = rows
    if (rows.length === 1 && row !== undefined) {
      return { inserted: 0, kept: [], problems: [{ ...placeOf(to.kind, row), message: wordsOf(error) }] }
    }
    const middle = Math.ceil(rows.length / 2)
    const first = await loadRows(sql, to, rows.slice(0, middle), { mayCollide })
    const second = await loadRows(sql, to, rows.slice(middle), { mayCollide })
    return {
      inserted: first.inserted + second.inserted,
      kept: [...first.kept, ...second.kept],
      problems: [...first.problems, ...second.problems],
    }
  }
  if (keys.length === rows.length) return { inserted: keys.length, kept: [], problems: [] }
  const written = new Set(keys.map(normal))
  const missed = rows.filter(({ key }) => !written.has(key))
  return { inserted: keys.length, kept: missed, problems: [] }
}

/** Answers how rows that were imported before stand now. */
export async function compareRows(
  sql: Sql,
  to: KindToLoad,
  rows: readonly PreparedRow[],
): Promise<{ same: number; changed: number; gone: number }> {
  const found = await compareJsonRows(sql, { ...to, table: to.kind, text: arrayOf(rows) })
  const same = found.filter((row) => row.is_same).length
  return { same, changed: found.length - same, gone: rows.length - found.length }
}

/** The same text for the same key: PostgreSQL writes spaces into JSON. */
export function normal(key: string): string {
  return JSON.stringify(JSON.parse(key))
}

function placeOf(kind: string, { line, key }: PreparedRow) {
  return { kind, line: line.number, key: (JSON.parse(key) as unknown[]).join(', ') }
}

/** True when the database refuses what a row says: wrong values (22…), or broken rules (23…). */
function isRefusal(error: unknown): error is { code: string; message: string; detail?: string } {
  return error instanceof Error && 'code' in error && /^2[23]/.test(String(error.code))
}

function wordsOf(error: { message: string; detail?: string }): string {
  return error.detail === undefined ? error.message : `${error.message}: ${error.detail}`
}

/** @throws AccountDataError `IMPORT_REFUSED` with the first of the problems */
export function refuse(problems: readonly RowProblem[]): never {
  const named = problems
    .slice(0, 10)
    .map(({ kind, line, key, message }) => `  ${kind}, line ${line} (${key}): ${message}`)
  const more = problems.length > named.length ? [`  and ${problems.length - named.length} more`] : []
  const words = ['Nothing was imported, because rows were refused:', ...named, ...more].join('\n')
  throw new AccountDataError('IMPORT_REFUSED', words)
}
