/** The part of a pino logger that the database code uses. */
export interface DatabaseLog {
  debug(details: object, message: string): void
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

const ignore = () => undefined

/** For tools and tests that have no one to tell. */
export const silentLog: DatabaseLog = { debug: ignore, info: ignore, warn: ignore, error: ignore }
