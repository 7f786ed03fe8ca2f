import { type Holder, readHolder } from '@printyard/server/db/embedded/data-directory'
import { type Config, ConfigError, unknownSettings } from '@printyard/server/kernel/config'
import { mayGoUnencrypted } from '@printyard/server/modules/people/mail/mail-encryption'
import { shareable, tell } from '@printyard/server/modules/support/tell'
import packageJson from '../../package.json' with { type: 'json' }
import type { Answer } from '../answer.ts'
import { checkCertificate } from '../doctor/certificate.ts'
import { checkClock } from '../doctor/clock.ts'
import { checkDataDirectory, checkSecretKey } from '../doctor/data-directory.ts'
import { checkDatabase } from '../doctor/database.ts'
import { type Finding, messageOf, ok, problem, warning } from '../doctor/finding.ts'
import { checkNode, checkPostgresBinaries } from '../doctor/machine.ts'
import { checkService } from '../doctor/service.ts'
import { checkBackupBucket, checkFileBucket, checkRedis } from '../doctor/stores.ts'
import { type DataDirOption, readCommandConfig } from '../with-database.ts'

export interface DoctorOptions extends DataDirOption {
  /** Place where a support bundle goes; `true` for a name of its own in the present folder. */
  bundle?: string | true
}

/** Looks at everything that an installation stands on, and changes nothing but a test object in a bucket that is deleted again. */
export async function runDoctor(options: DoctorOptions): Promise<Answer> {
  const { config, findings } = await examine(options)
  if (options.bundle !== undefined) {
    const { writeBundle } = await import('../doctor/write-bundle.ts')
    return await writeBundle(options.bundle === true ? undefined : options.bundle, config, findings)
  }
  const problems = findings.filter(({ status }) => status === 'problem').length
  return {
    document: { ok: problems === 0, checks: findings.map(({ shareable: _, ...finding }) => finding) },
    text: `${findings.map(formatFinding).join('\n')}\n\n${summary(problems)}`,
    exitCode: problems === 0 ? 0 : 1,
  }
}

async function examine(options: DataDirOption): Promise<{ config: Config | undefined; findings: Finding[] }> {
  const node = checkNode()
  let config: Config
  try {
    config = readCommandConfig(options)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const wrong = error.problems.map(({ variable, problem: what }) =>
      problem(
        'settings',
        tell`${shareable(variable)} cannot be used: it ${what}.`,
        tell`Correct it; nothing else can be looked at before.`,
      ),
    )
    return { config: undefined, findings: [node, ...wrong] }
  }
  const { holder, findings: holderFindings } = await findHolder(config.dataDir)
  // Before ours: the database may have to be started for the look.
  const service = await checkService(config, holder, packageJson.version)
  const database = await checkDatabase(config)
  const findings = [
    node,
    checkSettings(),
    ...checkMail(config),
    checkPostgresBinaries(config),
    ...checkDataDirectory(config.dataDir, holder),
    ...holderFindings,
    checkSecretKey(config),
    ...database.findings,
    ...(await checkStores(config)),
    service.finding,
    ...checkCertificate(config, service.certificate, new Date()),
    checkClock({ now: new Date(), ...database.readings }),
  ]
  return { config, findings }
}

async function checkStores(config: Config): Promise<Finding[]> {
  return (await Promise.all([checkFileBucket(config), checkBackupBucket(config), checkRedis(config)])).flat()
}

function checkSettings(): Finding {
  const unknown = unknownSettings(process.env)
  if (unknown.length === 0) return ok('settings', tell`All settings can be used.`)
  return warning(
    'settings',
    tell`Not known, and without effect: ${unknown.join(', ')}.`,
    tell`Correct the name, or unset it.`,
  )
}

function checkMail(config: Parameters<typeof mayGoUnencrypted>[0]): Finding[] {
  if (!mayGoUnencrypted(config)) return []
  const message = tell`Mail may go unencrypted: links to new passwords can be read on the network.`
  return [warning('mail', message, tell`Use a server that takes TLS, and unset PRINTYARD_SMTP_PLAIN_TEXT.`)]
}

async function findHolder(dataDir: string): Promise<{ holder: Holder | undefined; findings: Finding[] }> {
  try {
    return { holder: await readHolder(dataDir), findings: [] }
  } catch (error) {
    const message = tell`It cannot be told who uses ${dataDir}: ${messageOf(error)}.`
    const remedy = tell`Look again as the user who runs Printyard.`
    return { holder: undefined, findings: [problem('data directory', message, remedy)] }
  }
}

function formatFinding({ name, status, message, remedy }: Finding): string {
  const line = `${status.padEnd(7)}  ${name.padEnd(14)}  ${message}`
  return remedy === undefined ? line : `${line}\n${' '.repeat(25)}${remedy}`
}

function summary(problems: number): string {
  if (problems === 0) return 'No problem was found.'
  return problems === 1 ? 'One problem was found.' : `${problems} problems were found.`
}
