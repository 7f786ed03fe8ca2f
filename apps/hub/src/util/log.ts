/** Log in which the hub says what happens. `error` means that a person should act today. Fields never hold secrets. */
export interface Log {
  info(message: string, fields?: Record<string, unknown>): void
  warn(message: string, fields?: Record<string, unknown>): void
  error(message: string, fields?: Record<string, unknown>): void
}

/** One JSON object per line on standard error, so that standard output stays free for answers. */
export function createLineLog(write: (line: string) => void = (line) => process.stderr.write(line)): Log {
  const line =
    (level: string) =>
    (message: string, fields: Record<string, unknown> = {}) =>
      write(`${JSON.stringify({ time: new Date().toISOString(), level, message, ...fields })}\n`)
  return { info: line('info'), warn: line('warn'), error: line('error') }
}

/** Answers what went wrong, as one sentence, with the cause that Node's own functions hide one level down. Nothing is said twice. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause instanceof Error ? error.cause.message : ''
  return cause === '' || error.message.includes(cause) ? error.message : `${error.message}: ${cause}`
}
