import { systemCodeOf } from './setup/database-setup-error.ts'

/** True when a row collided with an existing one; with `constraint`, only on that constraint or unique index. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  return isViolation(error, '23505', constraint)
}

/** True when a row names another that does not exist, or is still named by another. */
export function isForeignKeyViolation(error: unknown, constraint?: string): boolean {
  return isViolation(error, '23503', constraint)
}

/** True when a row had no value in this column, which needs one. */
export function isMissingValue(error: unknown, column: string): boolean {
  return systemCodeOf(error) === '23502' && error instanceof Error && 'column' in error && error.column === column
}

function isViolation(error: unknown, code: string, constraint: string | undefined): boolean {
  if (systemCodeOf(error) !== code) return false
  if (constraint === undefined) return true
  return typeof error === 'object' && error !== null && 'constraint' in error && error.constraint === constraint
}

const connectionCodes = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECT_TIMEOUT',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  // too_many_connections; shut down by an administrator, by a crash; not accepting yet
  '53300',
  '57P01',
  '57P02',
  '57P03',
  // read_only_sql_transaction: a standby, which may be promoted, or to which the address does not lead for long
  '25006',
])

/**
 * True when the server could not be reached or went away, so that the same statement may succeed later. Whether a
 * statement that was under way took effect is not known.
 */
export function isConnectionError(error: unknown): boolean {
  const code = systemCodeOf(error)
  if (code === undefined) return false
  // The socket of a server that is down; any other missing file is another person's error.
  if (code === 'ENOENT') return error instanceof Error && 'syscall' in error && error.syscall === 'connect'
  return connectionCodes.has(code) || /^08...$/.test(code)
}

/** True when a statement gave up waiting for what another transaction holds (`lock_not_available`): later it may be free. */
export function isLockTimeout(error: unknown): boolean {
  return systemCodeOf(error) === '55P03'
}

/** True when a statement was ended because transactions waited for one another (`deadlock_detected`). */
export function isDeadlock(error: unknown): boolean {
  return systemCodeOf(error) === '40P01'
}

/** True when a disk had no room: that of the database (`disk_full`), or that of this process, its disk or its share of it. */
export function isDiskFull(error: unknown): boolean {
  return ['53100', 'ENOSPC', 'EDQUOT'].includes(systemCodeOf(error) ?? '')
}
