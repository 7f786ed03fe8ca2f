import { dirname } from 'node:path'
import type { Sql } from '../../db/database.ts'
import type { Config } from '../../kernel/config.ts'
import { readDatabaseFacts } from './database-facts.ts'
import { lastLinesOf, readLastLines } from './last-lines.ts'
import { measureDataFolder, numberOf, readDisk, readMachine } from './machine-facts.ts'
import { redactLine, redactText } from './redact-log.ts'
import { showSettings } from './shown-settings.ts'
import { type ZipEntry, zipOf } from './zip.ts'

/** What a log is read from, or why it cannot be. */
export type LogSource = { name: string } & ({ file: string } | { text: string } | { absent: string })

export interface BundleInput {
  at: Date
  version: string
  /** Undefined where the settings cannot be used. */
  config: Config | undefined
  environment: NodeJS.ProcessEnv
  unknownSettings: readonly string[]
  /** What was found, in words that may be shown to strangers. */
  findings: readonly { name: string; status: string; message: string; remedy?: string | undefined }[]
  /** The database, or why there is none, in words that may be shown to strangers. */
  database: { sql: Sql } | { absent: string }
  /** Answer of `/readyz`; undefined when no one did. */
  readiness: unknown
  logs: readonly LogSource[]
}

/** What a bundle is made of, before it is packed: the parts, and those that could not be had. */
interface BundleContent {
  entries: ZipEntry[]
  missing: string[]
}

/** Measuring a folder with very many files ends after this. */
const measuringMs = 10_000

/**
 * Everything that helps another person to find what is wrong with an installation, and nothing that tells of the people in it or lets anyone
 * in: each part is chosen by a list of what is shown. A part that cannot be had leaves the others as they are, and is named.
 */
export async function collectBundle(input: BundleInput): Promise<BundleContent> {
  const { config, at } = input
  const missing: string[] = []
  const entries: ZipEntry[] = []
  const add = (name: string, content: unknown) => {
    entries.push({ name, text: `${JSON.stringify(content, undefined, 2)}\n` })
  }
  add('versions.json', {
    made_at: at.toISOString(),
    printyard: numberOf(input.version),
    node: process.versions.node,
    v8: process.versions.v8,
    openssl: process.versions.openssl,
    is_container: process.env.container !== undefined,
  })
  add('settings.json', showSettings(config, input.environment, input.unknownSettings))
  if (config === undefined)
    missing.push('settings.json has names only: the settings cannot be used; findings.json tells why.')
  add('findings.json', input.findings)
  add('machine.json', {
    ...readMachine(),
    ...(config !== undefined && {
      disk_of_data: readDisk(config.dataDir),
      ...(config.backupDir !== undefined && { disk_of_backups: readDisk(config.backupDir) }),
      ...(config.logFile !== undefined && { disk_of_log: readDisk(dirname(config.logFile)) }),
      data_folder: await measureDataFolder(config.dataDir, AbortSignal.timeout(measuringMs)),
    }),
  })
  const readiness = showReadiness(input.readiness)
  if (readiness === undefined) missing.push('readyz.json: the service does not answer.')
  else add('readyz.json', readiness)
  if ('sql' in input.database) add('database.json', await readDatabaseFacts(input.database.sql))
  else missing.push(`database.json: ${input.database.absent}`)
  for (const source of input.logs) {
    const lines = await readLog(source)
    if (typeof lines === 'string') missing.push(`${source.name}: ${lines}`)
    else entries.push({ name: source.name, text: `${lines.map(redactLine).join('\n')}\n` })
  }
  entries.unshift({ name: 'READ-ME-FIRST.txt', text: describe(entries, missing, at) })
  return { entries, missing }
}

/** The zip file of a support bundle. */
export function packBundle({ entries }: BundleContent, at: Date): Promise<Buffer> {
  return zipOf(entries, at)
}

/** The name of a bundle that is made at this time. */
export function bundleName(at: Date): string {
  return `printyard-support-${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z.zip`
}

async function readLog(source: LogSource): Promise<string[] | string> {
  if ('absent' in source) return source.absent
  try {
    const lines = 'text' in source ? lastLinesOf(source.text) : await readLastLines(source.file)
    return lines.length > 0 ? lines : 'the log is empty.'
  } catch (error) {
    return `the log cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'}).`
  }
}

interface ShownReadiness {
  status: string
  checks: { name: string; ok: boolean; problem?: string }[]
}

/** From what listens at the port, so nothing is sure. */
function showReadiness(answer: unknown): ShownReadiness | undefined {
  const { status, checks } = (answer ?? {}) as { status?: unknown; checks?: unknown }
  if (status !== 'ready' && status !== 'not_ready') return undefined
  const all: { name?: unknown; ok?: unknown; problem?: unknown }[] = Array.isArray(checks) ? checks.slice(0, 20) : []
  return {
    status,
    checks: all.map(({ name, ok, problem }) => ({
      name: redactText(String(name)),
      ok: ok === true,
      ...(typeof problem === 'string' && { problem: redactText(problem) }),
    })),
  }
}

const contents: Record<string, string> = {
  'versions.json': 'versions of Printyard, Node and their libraries',
  'settings.json': 'values of settings that are numbers or choices; of every other one only whether it is set',
  'findings.json': 'what `printyard doctor` found, without folders, addresses and names',
  'machine.json': 'processor, memory, disks, and what the parts of the data folder take',
  'readyz.json': 'whether the service says that it is ready',
  'database.json':
    'version of PostgreSQL, migrations, sizes of tables, how much waits, hubs by ID with age and version, failed backups by code',
  'logs/service.log': 'the last lines of the log of the service and of its PostgreSQL',
  'logs/hub.log': 'the last lines of the log of the hub on this machine',
  'logs/journal.log': 'the last lines of both in the journal of this machine',
}

function describe(entries: readonly ZipEntry[], missing: readonly string[], at: Date): string {
  return `Printyard support bundle, made ${at.toISOString()}

Every file here is text. Look through them before you send the bundle to anybody.

What is in it:
${entries.map(({ name }) => `  ${name.padEnd(18)}  ${contents[name] ?? ''}`).join('\n')}

What could not be had:
${missing.length === 0 ? '  nothing' : missing.map((line) => `  ${line}`).join('\n')}

What is left out, always:
  Names, addresses, mail addresses, telephone numbers and notes of people, customers and orders
  Names of printers, hubs, files, products and of the farm; the pictures, the print files and their contents
  Passwords, tokens, API keys, the secret key, credentials of printers, secrets of webhooks and channels
  Host names, network addresses, folders and user names of this machine, environment variables that are not settings

How it is left out: nothing is searched for secrets. Each file is made of a list of what may be shown, and what is not in
the list is not there. In logs, words that are none of the program's, of PostgreSQL's or of Node's are replaced by …, fields
that are not known are counted in fields_left_out, and of an error's stack only the places in the program are kept.
`
}
