import { type DestinationStream, type Logger, pino } from 'pino'
import packageJson from '../package.json' with { type: 'json' }
import type { Timeouts } from './context/context.ts'
import { connectDatabase, type OpenedDatabase } from './db/connect-database.ts'
import { postgresOf } from './db/embedded/postgres-choice.ts'
import { type Config, unknownSettings } from './kernel/config.ts'
import { personalFieldsBelow } from './modules/orders/personal-fields.ts'
import { mayGoUnencrypted } from './modules/people/mail/mail-encryption.ts'
import type { RunningService } from './run-service.ts'
import { pairFilesOf, ServedCertificate } from './tls/served-certificate.ts'

// What serves is loaded and built while the database starts: either takes a part of the start in which the other would wait. So nothing
// that is imported here may lead to it.

export type { Logger } from 'pino'
export type { RunningService } from './run-service.ts'

const { version } = packageJson

/**
 * Starts the whole service and answers when it serves. What was started before a failure is stopped again; a failure after the database
 * was upgraded says how to go back.
 */
export async function startService(
  config: Config,
  log: Logger = makeLog(config),
  timeouts?: Timeouts,
): Promise<RunningService> {
  try {
    return await start(config, log, timeouts)
  } catch (error) {
    throw await (await openGuard(config, log)).explain(error)
  }
}

async function start(config: Config, log: Logger, timeouts: Timeouts | undefined): Promise<RunningService> {
  for (const name of unknownSettings(process.env)) log.warn({ setting: name }, 'this setting is not known')
  if (mayGoUnencrypted(config)) {
    log.warn(
      { setting: 'PRINTYARD_SMTP_PLAIN_TEXT' },
      'mail may go UNENCRYPTED: links to new passwords can be read on the network',
    )
  }
  // Before the database is started, or even made: a person who has to correct a setting should not have to wait.
  const certificate = openCertificate(config, log)
  const opening = Promise.withResolvers<OpenedDatabase>()
  const connecting = connectDatabase(
    {
      databaseUrl: config.databaseUrl,
      dataDir: config.dataDir,
      purpose: 'service',
      beforeUpgrade: async (upgrade) => (await openGuard(config, log)).beforeUpgrade(upgrade),
      postgres: postgresOf(config),
      onOpen: opening.resolve,
    },
    log,
  )
  const opened = await Promise.race([opening.promise, connecting])
  const { runService } = await import('./run-service.ts')
  const running = await runService(opened, connecting, { config, version, log, timeouts, certificate })
  try {
    await (await openGuard(config, log)).cameUp()
    return running
  } catch (error) {
    await running.stop()
    throw error
  }
}

/** What it knows of an upgrade lies in the data directory. */
async function openGuard(config: Config, log: Logger) {
  const { UpgradeGuard } = await import('./modules/backups/upgrade/upgrade-guard.ts')
  return new UpgradeGuard(config, version, log)
}

/** The certificate of the settings, where they name one. @throws ConfigError when it cannot be served */
function openCertificate(config: Config, log: Logger): ServedCertificate | undefined {
  const files = pairFilesOf(config)
  return files && new ServedCertificate(files, log)
}

/** Log lines as JSON on standard error; standard output is for the ready line and for answers of commands. */
export function makeLog(
  config: Pick<Config, 'logLevel'>,
  stream: DestinationStream = pino.destination({ dest: 2, sync: true }),
): Logger {
  return pino(
    {
      level: config.logLevel,
      base: { service: 'printyard' },
      formatters: { level: (label) => ({ level: label }) },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: {
        paths: [
          'req.headers.authorization',
          'req.headers.cookie',
          '*.authorization',
          '*.password',
          '*.token',
          '*.api_key',
          '*.access_code',
          '*.connection',
          '*.secret',
          '*.owner_email',
          ...personalFieldsBelow,
          ...personalFieldsBelow.map((field) => `*.${field}`),
          // PostgreSQL shows the whole row that it refuses.
          '*.detail',
        ],
        censor: '[redacted]',
      },
    },
    stream,
  )
}
