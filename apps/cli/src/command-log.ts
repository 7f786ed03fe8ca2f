import type { DatabaseLog } from '@printyard/server/db/setup/database-log'

/**
 * Answers what a short command tells of the database it may have to start: on standard error, and unless PRINTYARD_LOG_LEVEL
 * asks for more, only what went wrong.
 */
export function commandLog(level: string | undefined = process.env.PRINTYARD_LOG_LEVEL): DatabaseLog {
  const levels = ['debug', 'info', 'warn', 'error']
  const lowest = level === 'silent' ? levels.length : Math.max(levels.indexOf(level || 'error'), 0)
  const write = (name: string) => (details: object, message: string) => {
    if (levels.indexOf(name) < lowest) return
    const rest = Object.keys(details).length > 0 ? ` ${JSON.stringify(readable(details))}` : ''
    process.stderr.write(`${name}: ${message}${rest}\n`)
  }
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') }
}

/** An error has nothing that JSON would show. */
function readable(details: object): object {
  return Object.fromEntries(
    Object.entries(details).map(([name, value]) => [name, value instanceof Error ? value.message : value]),
  )
}
