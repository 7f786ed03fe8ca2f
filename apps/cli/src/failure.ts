import { type DatabaseSetupCode, DatabaseSetupError } from '@printyard/server/db/setup/database-setup-error'
import { ConfigError } from '@printyard/server/kernel/config'
import { AppError } from '@printyard/server/kernel/errors'
import { UpgradeFailedError } from '@printyard/server/modules/backups/upgrade/upgrade-guard'
import { CommandError } from './command-error.ts'

interface Failure {
  /** 1: it could not be done. 2: it was asked for wrongly, or a setting is wrong. */
  exitCode: 1 | 2
  /** Problem, and where it is known what to do. */
  text: string
}

/** Remedy, where the message does not say so itself. */
const remedies: Partial<Record<DatabaseSetupCode, string>> = {
  DATA_DIRECTORY_IN_USE: 'Stop that process, or choose another directory with --data-dir or PRINTYARD_DATA_DIR.',
  DATABASE_UNREACHABLE: 'Check that the database runs, and that its address is right.',
}

/** Puts a failure into words. Only what no one foresaw shows its stack, because that is a bug to be reported. */
export function explainFailure(error: unknown): Failure {
  if (error instanceof CommandError) return { exitCode: error.exitCode, text: error.message }
  if (error instanceof UpgradeFailedError) {
    const { exitCode, text } = explainFailure(error.cause)
    return { exitCode, text: `${text}\n${error.wayBack}` }
  }
  if (error instanceof ConfigError) return { exitCode: 2, text: error.message }
  if (error instanceof DatabaseSetupError) return { exitCode: 1, text: withRemedy(error.message, remedies[error.code]) }
  if (error instanceof AppError) {
    if (error.code !== 'VALIDATION_ERROR') return { exitCode: 1, text: error.message }
    // Field → sentences, as `validationError` takes them.
    const sentences = Object.values((error.details ?? {}) as Record<string, string[]>).flat()
    return { exitCode: 2, text: sentences.length > 0 ? sentences.join(' ') : error.message }
  }
  const listening = explainListening(error)
  if (listening !== undefined) return { exitCode: 1, text: listening }
  const report = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { exitCode: 1, text: `Something went wrong that Printyard did not foresee; please report it:\n${report}` }
}

function withRemedy(message: string, remedy: string | undefined): string {
  if (remedy === undefined) return message
  return `${message.replace(/[.\s]*$/, '.')} ${remedy}`
}

/** Answers why the service cannot listen; undefined when the error is about something else. */
function explainListening(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { code, syscall, address, port, hostname } = error as NodeJS.ErrnoException & {
    address?: string
    port?: number
    hostname?: string
  }
  if (syscall === 'getaddrinfo') {
    return `This machine knows no address called ${hostname}; choose another with --host or PRINTYARD_HOST.`
  }
  if (syscall !== 'listen') return undefined
  if (code === 'EADDRINUSE') {
    return `Port ${port} of ${address} is taken by another program; stop it, or choose another port with --port or PRINTYARD_PORT.`
  }
  if (code === 'EACCES') {
    return `Port ${port} may not be used by this user; choose one above 1023 with --port or PRINTYARD_PORT.`
  }
  if (code === 'EADDRNOTAVAIL') {
    return `${address} is not an address of this machine; choose another with --host or PRINTYARD_HOST.`
  }
  return `The service cannot listen on port ${port} of ${address}: ${error.message}.`
}
