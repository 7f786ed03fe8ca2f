import { join } from 'node:path'
import { countRows, setJsonColumn } from '../../../db/copy/json-rows.ts'
import type { Database, Transaction } from '../../../db/database.ts'
import type { StoredContents } from '../../../file-store/file-store.ts'
import { type AccountId, newId, type PrinterId, readId } from '../../../kernel/ids.ts'
import type { SecretBox } from '../../../kernel/secret-box.ts'
import { FileArchive } from '../../backups/archive/stored-files.ts'
import { type Work, workIn } from '../../events/work.ts'
import { askToClearPlate } from '../../jobs/plates/plate.ts'
import { takeOverAccount } from '../../people/accounts/account.service.ts'
import { insertUserUnlessKnown } from '../../people/accounts/accounts.queries.ts'
import { AccountDataError } from '../format/account-data-error.ts'
import { exportedTables } from '../format/exported-tables.ts'
import type { ExportedKind, ExportManifest } from '../format/manifest.ts'
import { adaptRow, plateReason } from './adapt-row.ts'
import { findImport, insertImport, lockAccount, passQueuePositions } from './import.queries.ts'
import { compareRows, loadRows, normal, type PreparedRow, type RowProblem, refuse } from './load-kind.ts'
import { openExport } from './open-export.ts'
import { sealedConnection } from './printer-connection.ts'
import { type JsonRow, parseLine, readBatches } from './read-lines.ts'
import { type ArrivingPerson, findReplacements, type Replacements } from './replaced-ids.ts'

interface ImportRequest {
  /** A folder, or a `.tar.gz`. */
  from: string
  accountId: AccountId
  db: Pick<Database, 'begin'>
  secrets: Pick<SecretBox, 'seal'>
  /** Place where the service keeps files. */
  files: StoredContents
  isDryRun: boolean
  actor: string
  now: Date
  /** Told how far it is: of a kind of rows such as `orders`, or of `files`. */
  onProgress?: (what: string, done: number, total: number) => void
}

/** For steps that may have no listener. */
interface Progress {
  onProgress?: ImportRequest['onProgress'] | undefined
}

/** Outcome of the rows of one kind. */
interface KindResult {
  kind: string
  rows: number
  inserted: number
  /** There already, and left as they are. */
  existed: number
  /** Imported earlier and changed or removed since; left as they are. */
  changed_since: number
  /** Rows that became something else on the way, with what. */
  adapted: { key: string; change: string }[]
}

export interface ImportReport {
  is_dry_run: boolean
  /** Time when the same export was imported before; null for the first time. */
  imported_before_at: string | null
  taken_at: string
  source_account: { id: string; name: string }
  kinds: KindResult[]
  /** People who were not known here: they sign in once they have a password. */
  new_people: string[]
  files: { added: number; existed: number; missing: string[] }
}

/** Rolls a dry run back. */
class DryRunEnded extends Error {}

/** Tables that must be empty although an export does not have them: they would act on what is imported. */
const tablesThatAct = ['webhooks', 'notification_channels']

/**
 * Imports an export into an empty account: everything or nothing. The same export once more changes no row. A dry run does the same and
 * rolls it back, so that what it reports is what would be.
 *
 * @throws AccountDataError
 */
export async function importAccount(request: ImportRequest): Promise<ImportReport> {
  const { from, files: contents, db, isDryRun } = request
  const opened = await openExport(from)
  try {
    const { folder, manifest } = opened
    // Before the rows, so that no row names a file that is not there.
    const files = await addFiles(folder, contents, manifest, { isDryRun, onProgress: request.onProgress })
    let report: ImportReport | undefined
    try {
      await db.begin(async (sql) => {
        report = { ...(await loadAll(sql, request, folder, manifest)), files }
        if (isDryRun) throw new DryRunEnded()
      })
    } catch (error) {
      if (!(error instanceof DryRunEnded)) throw error
    }
    // What nothing refers to is removed by a running service, and may have been while the rows were on their way.
    if (!isDryRun) await addFiles(folder, contents, manifest, { isDryRun })
    if (report === undefined) throw new Error('An import has ended without a report.')
    return report
  } finally {
    await opened.close()
  }
}

async function addFiles(
  folder: string,
  contents: StoredContents,
  { files, missing_files }: ExportManifest,
  { isDryRun, onProgress = () => undefined }: Pick<ImportRequest, 'isDryRun'> & Progress,
) {
  const source = new FileArchive(folder, undefined)
  const counts = { added: 0, existed: 0, missing: missing_files }
  for (const [index, sha256] of files.sha256s.entries()) {
    onProgress('files', index, files.sha256s.length)
    if ((await contents.sizeOf(sha256)) !== undefined) {
      counts.existed += 1
      continue
    }
    counts.added += 1
    if (isDryRun || (await contents.add(sha256, source.read(sha256)))) continue
    throw new AccountDataError('EXPORT_DAMAGED', `${source.pathOf(sha256)} was changed while it was read.`)
  }
  return counts
}

async function loadAll(
  sql: Transaction,
  request: ImportRequest,
  folder: string,
  manifest: ExportManifest,
): Promise<Omit<ImportReport, 'files'>> {
  const { accountId, actor, now, isDryRun } = request
  await lockAccount(sql, accountId)
  const before = await findImport(sql, accountId, manifest.content_id)
  if (before === undefined) await requireEmpty(sql, accountId)
  const replacements = await findReplacements(sql, { folder, manifest, accountId })
  const load = new AccountLoad(workIn(sql, { accountId, actor, now }), request, { folder, manifest, replacements })
  const kinds: KindResult[] = []
  for (const kind of manifest.kinds) {
    kinds.push(before === undefined ? await load.insert(kind) : await load.compare(kind))
  }
  if (before === undefined) {
    await load.finish()
    await insertImport(sql, {
      account_id: accountId,
      id: newId('accountImport', now.getTime()),
      content_id: manifest.content_id,
      source_account_id: manifest.account.id,
      exported_at: new Date(manifest.taken_at),
      imported_at: now,
      imported_rows: kinds.reduce((sum, { inserted }) => sum + inserted, 0),
    })
  }
  const isNew = ({ isKnownHere }: ArrivingPerson) => before === undefined && !isKnownHere
  return {
    is_dry_run: isDryRun,
    imported_before_at: before?.toISOString() ?? null,
    taken_at: manifest.taken_at,
    source_account: manifest.account,
    kinds,
    new_people: replacements.people.filter(isNew).map(({ email }) => email),
  }
}

/** @throws AccountDataError `IMPORT_NOT_EMPTY` */
async function requireEmpty(sql: Transaction, accountId: AccountId): Promise<void> {
  const tables = exportedTables.filter(({ name, isSetting }) => name !== 'events' && !isSetting).map(({ name }) => name)
  const found = await countRows(sql, accountId, [...tables, ...tablesThatAct])
  if (found.length === 0) return
  const named = found.slice(0, 5).map(({ table, rows }) => `${table.replaceAll('_', ' ')}: ${rows}`)
  const words = `The account is not empty (${named.join(', ')}). Import into a new account, as \`printyard accounts create\` makes it: rows of two farms are never mixed.`
  throw new AccountDataError('IMPORT_NOT_EMPTY', words)
}

/** The rows of one export on their way into one account, in one transaction. */
class AccountLoad {
  readonly #work: Work
  readonly #request: ImportRequest
  readonly #folder: string
  readonly #manifest: ExportManifest
  readonly #replacements: Replacements
  readonly #late = new Map<string, { table: string; column: string; rows: JsonRow[] }>()
  readonly #doubtedPrinters: PrinterId[] = []
  readonly #people: ReadonlySet<string>
  readonly #rowsInAll: number
  #rowsRead = 0

  constructor(
    work: Work,
    request: ImportRequest,
    source: { folder: string; manifest: ExportManifest; replacements: Replacements },
  ) {
    this.#work = work
    this.#request = request
    this.#folder = source.folder
    this.#manifest = source.manifest
    this.#replacements = source.replacements
    this.#rowsInAll = source.manifest.kinds.reduce((sum, { rows }) => sum + rows, 0)
    this.#people = new Set(source.replacements.people.map(({ userId }) => userId))
  }

  /** @throws AccountDataError `IMPORT_REFUSED` */
  async insert(kind: ExportedKind): Promise<KindResult> {
    if (kind.kind === 'account') return await this.#takeOverAccount(kind)
    if (kind.kind === 'members') await this.#addPeople()
    const { sql } = this.#work
    const place = this.#placeOf(kind)
    const to = kind.kind === 'printers' ? { ...place, columns: [...place.columns, 'connection_sealed'] } : place
    const result = emptyResult(kind)
    const problems: RowProblem[] = []
    for await (const rows of this.#read(kind)) {
      const prepared = rows.map((row) => this.#sealConnection(kind, this.#takeOutLate(kind, row)))
      const done = await loadRows(sql, to, prepared, { mayCollide: to.mayCollide })
      problems.push(...done.problems)
      result.inserted += done.inserted
      result.existed += done.kept.length
      this.#addResult(kind, rows, result)
    }
    if (problems.length > 0) refuse(problems)
    return result
  }

  async compare(kind: ExportedKind): Promise<KindResult> {
    const result = emptyResult(kind)
    if (kind.kind === 'account') return { ...result, existed: kind.rows }
    for await (const rows of this.#read(kind)) {
      const found = await compareRows(this.#work.sql, this.#placeOf(kind), rows)
      result.existed += found.same
      result.changed_since += found.changed + found.gone
    }
    return result
  }

  /** What needs all rows to be there. */
  async finish(): Promise<void> {
    const { sql, accountId } = this.#work
    for (const { table, column, rows } of this.#late.values()) {
      await setJsonColumn(sql, { table, accountId, column, text: JSON.stringify(rows) })
    }
    await passQueuePositions(sql, accountId)
    for (const printerId of this.#doubtedPrinters) {
      await askToClearPlate(this.#work, printerId, { kind: 'to_look', note: `${plateReason}.` })
    }
  }

  #placeOf({ kind, columns }: ExportedKind) {
    const { accountId } = this.#work
    if (kind === 'members') {
      const own = columns.filter((column) => column !== 'email' && column !== 'name')
      return { kind, accountId, columns: own, key: ['id'], mayCollide: true }
    }
    const table = exportedTables.find(({ name }) => name === kind)
    if (table === undefined) throw new Error(`There is no kind ${kind}.`)
    return { kind, accountId, columns, key: table.key, mayCollide: table.isSetting }
  }

  async *#read(kind: ExportedKind): AsyncGenerator<PreparedRow[]> {
    for await (const batch of readBatches(join(this.#folder, kind.path))) {
      yield batch.map((line) => this.#prepare(kind, { ...line, text: this.#replacements.apply(line.text) }))
      this.#rowsRead += batch.length
      this.#request.onProgress?.(kind.kind.replaceAll('_', ' '), this.#rowsRead, this.#rowsInAll)
    }
  }

  #prepare({ kind, path, columns }: ExportedKind, line: { number: number; text: string }): PreparedRow {
    const row = parseLine(path, line)
    const wrong = columns.filter((column) => !(column in row))
    if (wrong.length > 0 || Object.keys(row).length !== columns.length) {
      const words = `${path}, line ${line.number}: has not the columns that the manifest names.`
      throw new AccountDataError('EXPORT_DAMAGED', words)
    }
    const adapted = adaptRow(kind, row, {
      takenAt: this.#manifest.taken_at,
      people: this.#people,
    })
    const keyColumns = exportedTables.find(({ name }) => name === kind)?.key ?? ['id']
    return {
      line,
      key: normal(JSON.stringify(keyColumns.map((column) => row[column]))),
      text: adapted === undefined ? line.text : JSON.stringify(adapted.row),
      change: adapted?.change,
    }
  }

  #addResult({ kind }: ExportedKind, rows: readonly PreparedRow[], result: KindResult): void {
    for (const { key, change } of rows) {
      if (change === undefined) continue
      const [id] = JSON.parse(key) as string[]
      result.adapted.push({ key: String(id), change })
      const printerId = kind === 'printers' ? readId('printer', String(id)) : undefined
      if (printerId !== undefined) this.#doubtedPrinters.push(printerId)
    }
  }

  /** Empties columns that name rows which come later, to be set at the end. */
  #takeOutLate({ kind }: ExportedKind, prepared: PreparedRow): PreparedRow {
    const columns = exportedTables.find(({ name }) => name === kind)?.late ?? []
    if (columns.length === 0) return prepared
    const row = JSON.parse(prepared.text) as JsonRow
    for (const column of columns) {
      if (row[column] === null) continue
      const place = `${kind}.${column}`
      const late = this.#late.get(place) ?? { table: kind, column, rows: [] }
      late.rows.push({ id: row.id, [column]: row[column] })
      this.#late.set(place, late)
      row[column] = null
    }
    return { ...prepared, text: JSON.stringify(row) }
  }

  #sealConnection({ kind }: ExportedKind, prepared: PreparedRow): PreparedRow {
    if (kind !== 'printers') return prepared
    const row = JSON.parse(prepared.text) as JsonRow
    return {
      ...prepared,
      text: JSON.stringify({ ...row, connection_sealed: sealedConnection(this.#request.secrets, row) }),
    }
  }

  async #takeOverAccount(kind: ExportedKind): Promise<KindResult> {
    for await (const [line] of readBatches(join(this.#folder, kind.path))) {
      if (line === undefined) continue
      const { name, time_zone, requeue_rejected_units, require_second_factor, created_at, updated_at } = parseLine(
        kind.path,
        line,
      )
      await takeOverAccount(this.#work, {
        name: String(name),
        time_zone: String(time_zone),
        requeue_rejected_units: requeue_rejected_units === true,
        require_second_factor: require_second_factor === true,
        created_at: String(created_at),
        updated_at: String(updated_at),
      })
    }
    return { ...emptyResult(kind), existed: kind.rows }
  }

  /** People keep the password and the name that they have here. */
  async #addPeople(): Promise<void> {
    for (const { userId, email, name, isKnownHere } of this.#replacements.people) {
      if (isKnownHere) continue
      await insertUserUnlessKnown(this.#work.sql, { id: userId, email, name, password_hash: null })
    }
  }
}

function emptyResult({ kind, rows }: ExportedKind): KindResult {
  return { kind, rows, inserted: 0, existed: 0, changed_since: 0, adapted: [] }
}
