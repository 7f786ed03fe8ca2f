/** One thing that was looked at. A problem keeps Printyard from working; a warning may come to that. */
export interface Finding {
  name: string
  status: 'ok' | 'warning' | 'problem'
  message: string
  /** What to do, where the message of something that is not ok does not say so itself. */
  remedy?: string
}

export function ok(name: string, message: string): Finding {
  return { name, status: 'ok', message }
}

export function warning(name: string, message: string, remedy: string): Finding {
  return { name, status: 'warning', message, remedy }
}

export function problem(name: string, message: string, remedy?: string): Finding {
  return { name, status: 'problem', message, ...(remedy !== undefined && { remedy }) }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
