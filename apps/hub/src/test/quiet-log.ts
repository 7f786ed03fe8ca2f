import type { Log } from '../util/log.ts'

export interface RecordedLog extends Log {
  readonly lines: { level: string; message: string; fields: Record<string, unknown> }[]
}

/** Keeps what is logged, for tests that look at it. */
export function createRecordedLog(): RecordedLog {
  const lines: RecordedLog['lines'] = []
  const record =
    (level: string) =>
    (message: string, fields: Record<string, unknown> = {}) =>
      void lines.push({ level, message, fields })
  return { lines, info: record('info'), warn: record('warn'), error: record('error') }
}
