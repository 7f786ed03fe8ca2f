import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { type ConnectedDatabase, connectDatabase } from '@printyard/server/db/connect-database'
import { readHolder } from '@printyard/server/db/embedded/data-directory'
import { postgresOf } from '@printyard/server/db/embedded/postgres-choice'
import { type Config, unknownSettings } from '@printyard/server/kernel/config'
import {
  type BundleInput,
  bundleName,
  collectBundle,
  type LogSource,
  packBundle,
} from '@printyard/server/modules/support/bundle'
import packageJson from '../../package.json' with { type: 'json' }
import type { Answer } from '../answer.ts'
import { CommandError } from '../command-error.ts'
import { commandLog } from '../command-log.ts'
import { addressOf, askOwnService } from '../own-service.ts'
import { type Finding, messageOf } from './finding.ts'

const waitTimeoutMs = 5_000
const answerTimeoutMs = 3_000
const journalLines = '3000'

/**
 * Writes a support bundle, whatever works of the installation. An existing file is not replaced.
 *
 * @param file undefined: a name with the time, in the present folder
 */
export async function writeBundle(
  file: string | undefined,
  config: Config | undefined,
  findings: readonly Finding[],
): Promise<Answer> {
  const at = new Date()
  const path = resolve(file ?? bundleName(at))
  const connected = await connect(config)
  let content: Awaited<ReturnType<typeof collectBundle>>
  try {
    content = await collectBundle({
      at,
      version: packageJson.version,
      config,
      environment: process.env,
      unknownSettings: unknownSettings(process.env),
      findings: findings.map(({ name, status, shareable }) => ({ name, status, ...shareable })),
      database: 'absent' in connected ? connected : { sql: connected.database.sql },
      readiness: await askReadiness(config),
      logs: await findLogs(config),
    })
  } finally {
    if (!('absent' in connected)) await connected.close()
  }
  const bytes = await packBundle(content, at)
  await writeNew(path, bytes)
  const files = content.entries.map(({ name }) => name)
  const gaps = content.missing.map((line) => `  ${line}\n`).join('')
  return {
    document: { bundle: path, bytes: bytes.length, files, missing: content.missing },
    text:
      `Wrote ${path} (${Math.ceil(bytes.length / 1024)} KB).\n${gaps === '' ? '' : `\nCould not be had:\n${gaps}`}\n` +
      'Open it and look through its files before you send it to anybody; READ-ME-FIRST.txt says what is in it and what was left out.',
  }
}

async function writeNew(path: string, bytes: Buffer): Promise<void> {
  try {
    const file = await open(path, 'wx', 0o600)
    try {
      await file.writeFile(bytes)
    } finally {
      await file.close()
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const why = code === 'EEXIST' ? 'exists already; choose another name' : `cannot be written: ${message}`
    throw new CommandError(`${path} ${why}.`, 1, { cause: error })
  }
}

/** As `doctor` connects: nothing is made and nothing is migrated. */
async function connect(config: Config | undefined): Promise<ConnectedDatabase | { absent: string }> {
  if (config === undefined) return { absent: 'the settings cannot be used.' }
  if (config.databaseUrl === undefined && !existsSync(join(config.dataDir, 'postgres'))) {
    return { absent: 'there is no database yet.' }
  }
  try {
    return await connectDatabase(
      {
        databaseUrl: config.databaseUrl,
        dataDir: config.dataDir,
        purpose: 'doctor',
        shouldMigrate: false,
        postgres: postgresOf(config),
        waitTimeoutMs,
      },
      commandLog(),
    )
  } catch (error) {
    return { absent: `the database cannot be reached (${messageOf(error).shareable}).` }
  }
}

async function askReadiness(config: Config | undefined): Promise<BundleInput['readiness']> {
  if (config === undefined) return undefined
  try {
    const holder = await readHolder(config.dataDir)
    const url = holder?.url ?? addressOf(config)
    return url === undefined ? undefined : JSON.parse((await askOwnService(`${url}/readyz`, answerTimeoutMs)).body)
  } catch {
    // That no one answers, or a stranger, is told by the findings.
    return undefined
  }
}

/** The log files of the settings, and where there is none, the journal of the machine. */
async function findLogs(config: Config | undefined): Promise<LogSource[]> {
  const hubFile = process.env.PRINTYARD_HUB_LOG_FILE
  const sources: LogSource[] = []
  if (config?.logFile !== undefined) sources.push({ name: 'logs/service.log', file: resolve(config.logFile) })
  if (hubFile) sources.push({ name: 'logs/hub.log', file: resolve(hubFile) })
  if (sources.length > 0) return sources
  const journal = await readJournal()
  if (journal !== undefined) return [{ name: 'logs/journal.log', text: journal }]
  const absent = 'no log file is set, and this machine has no journal of the service; see docs/operating/logs.md.'
  return [{ name: 'logs/service.log', absent }]
}

async function readJournal(): Promise<string | undefined> {
  const units = ['--unit', 'printyard', '--unit', 'printyard-hub']
  try {
    const { stdout } = await promisify(execFile)(
      'journalctl',
      [...units, '--lines', journalLines, '--output', 'cat', '--no-pager', '--quiet'],
      { timeout: waitTimeoutMs, maxBuffer: 16 * 1024 * 1024 },
    )
    return stdout.trim() === '' ? undefined : stdout
  } catch {
    // No systemd here, or this user may not read its journal: said as a log that is absent.
    return undefined
  }
}
