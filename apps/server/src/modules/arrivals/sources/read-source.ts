import { open, readFile, stat } from 'node:fs/promises'
import { readArrivingCsv } from './csv.ts'
import { type Arrivals, UnreadableSourceError } from './drafts.ts'
import { arrivalsOf, readFdmMonsterExport } from './fdm-monster.ts'
import { isSqlite, readFdmMonsterDatabase } from './fdm-monster-database.ts'
import { readOctoFarm } from './octofarm.ts'
import { readSpoolman } from './spoolman.ts'

/** Programs whose data can be brought along. */
export type SourceName = 'fdm-monster' | 'octofarm' | 'spoolman' | 'csv'

/** Far more than any farm has; what is larger is another file. */
const mostBytes = 64 * 1024 * 1024

/** Spools that are asked for at once, and how long for. */
const pageSize = 500
const answerMs = 30_000

/**
 * Reads what another program has from its files; of Spoolman also from the running server, by its address.
 *
 * @param model of printers whose source does not know it
 * @throws UnreadableSourceError, AppError `VALIDATION_ERROR` for CSV with the line
 */
export async function readSource(source: SourceName, paths: readonly string[], model: string): Promise<Arrivals> {
  const [path = '', ...others] = paths
  if (source === 'octofarm') {
    const files = await Promise.all(paths.map(async (what) => ({ what, text: (await readBounded(what)).toString() })))
    return readOctoFarm(files, model)
  }
  if (others.length > 0) throw new UnreadableSourceError(`Only one file at a time is read of ${source}.`)
  switch (source) {
    case 'spoolman':
      return /^https?:\/\//i.test(path)
        ? readSpoolman(await askSpoolman(path), path)
        : readSpoolman((await readBounded(path)).toString(), path)
    case 'fdm-monster':
      if (await startsAsSqlite(path)) return arrivalsOf(await readFdmMonsterDatabase(path), model)
      return readFdmMonsterExport((await readBounded(path)).toString(), path, model)
    case 'csv':
      return readArrivingCsv(await readBounded(path))
  }
}

async function readBounded(path: string): Promise<Buffer> {
  try {
    const { size } = await stat(path)
    if (size > mostBytes) throw new UnreadableSourceError(`${path} is larger than 64 MB: it is another file.`)
    return await readFile(path)
  } catch (error) {
    throw asUnreadable(path, error)
  }
}

async function startsAsSqlite(path: string): Promise<boolean> {
  try {
    const file = await open(path, 'r')
    try {
      const { buffer } = await file.read(Buffer.alloc(16), 0, 16, 0)
      return isSqlite(buffer)
    } finally {
      await file.close()
    }
  } catch (error) {
    throw asUnreadable(path, error)
  }
}

/** All spools of a Spoolman server, as one list. */
async function askSpoolman(address: string): Promise<string> {
  const base = address.replace(/\/+$/, '').replace(/\/api\/v1$/, '')
  const spools: unknown[] = []
  for (;;) {
    const url = `${base}/api/v1/spool?limit=${pageSize}&offset=${spools.length}&sort=id:asc`
    const page = await askForList(url)
    spools.push(...page)
    if (page.length < pageSize) return JSON.stringify(spools)
  }
}

async function askForList(url: string): Promise<unknown[]> {
  let answer: unknown
  try {
    const response = await fetch(url, {
      signal: AbortSignal.timeout(answerMs),
      headers: { accept: 'application/json' },
    })
    if (!response.ok) throw new Error(`it answered ${response.status}`)
    answer = await response.json()
  } catch (error) {
    const why =
      error instanceof Error ? (error.cause instanceof Error ? error.cause.message : error.message) : String(error)
    throw new UnreadableSourceError(`Spoolman could not be read at ${url}: ${why}.`, { cause: error })
  }
  if (!Array.isArray(answer)) throw new UnreadableSourceError(`${url} is no Spoolman: it answered no list.`)
  return answer
}

function asUnreadable(path: string, error: unknown): UnreadableSourceError {
  if (error instanceof UnreadableSourceError) return error
  const why = error instanceof Error ? error.message : String(error)
  return new UnreadableSourceError(`${path} cannot be read: ${why}.`, { cause: error })
}
