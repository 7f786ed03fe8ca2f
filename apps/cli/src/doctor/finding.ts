import { isKnownCode } from '@printyard/server/modules/support/redact-log'
import { type Told, tell } from '@printyard/server/modules/support/tell'

/** One thing that was looked at. A problem keeps Printyard from working; a warning may come to that. */
export interface Finding {
  name: string
  status: 'ok' | 'warning' | 'problem'
  message: string
  /** Remedy, where the message of something that is not ok does not say so itself. */
  remedy?: string
  /** The same for a support bundle, without what is of this machine and its people. */
  shareable: { message: string; remedy?: string }
}

export function ok(name: string, message: Told): Finding {
  return finding(name, 'ok', message)
}

export function warning(name: string, message: Told, remedy: Told): Finding {
  return finding(name, 'warning', message, remedy)
}

export function problem(name: string, message: Told, remedy?: Told): Finding {
  return finding(name, 'problem', message, remedy)
}

function finding(name: string, status: Finding['status'], message: Told, remedy?: Told): Finding {
  const texts = (how: keyof Told) => ({ message: message[how], ...(remedy !== undefined && { remedy: remedy[how] }) })
  return { name, status, ...texts('text'), shareable: texts('shareable') }
}

/** The message of an error; strangers see its code. */
export function messageOf(error: unknown): Told {
  return explained(error instanceof Error ? error.message : String(error), error)
}

/** Words for an error; strangers see its code. */
export function explained(text: string, error: unknown): Told {
  const code = (error as { code?: unknown } | null)?.code
  return {
    text,
    shareable: typeof code === 'string' && isKnownCode(code) ? code : tell`an error without a code`.shareable,
  }
}
