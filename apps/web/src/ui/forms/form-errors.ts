import { asApiError, fieldMessages } from '../../lib/api/api-error.ts'

interface ErrorTaker {
  values: unknown
  setErrors: (errors: Record<string, string>) => void
}

/**
 * Puts what the service says of single fields beside them, and answers what is left to say: undefined when every message
 * found its field. Fields `within` an object of the body stand in the form under their last name.
 */
export function showFieldErrors(form: ErrorTaker, error: unknown, within?: string): Error | undefined {
  const messages = Object.entries(fieldMessages(error)).map(([path, texts]) => {
    const isWithin = within !== undefined && path.startsWith(`${within}.`)
    return [isWithin ? path.slice(within.length + 1) : path, texts] as const
  })
  const { shown, rest } = splitMessages(Object.fromEntries(messages), Object.keys(form.values as object))
  form.setErrors(shown)
  if (Object.keys(shown).length === 0) return asApiError(error)
  return rest.length === 0 ? undefined : new Error(rest.join(' '))
}

/** Messages for fields of the form, and sentences about everything else. A field of a field counts as the outer one. */
export function splitMessages(messages: Record<string, string[]>, fields: readonly string[]) {
  const shown: Record<string, string> = {}
  const rest: string[] = []
  for (const [path, texts] of Object.entries(messages)) {
    const field = fields.find((name) => path === name || path.startsWith(`${name}.`) || path.startsWith(`${name}[`))
    const text = texts.join(', ')
    if (field === undefined) rest.push(path === '_root' ? `${text}.` : `${path}: ${text}.`)
    else shown[field] = shown[field] === undefined ? text : `${shown[field]}, ${text}`
  }
  return { shown, rest }
}
