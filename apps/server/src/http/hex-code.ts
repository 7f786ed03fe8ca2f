/** A code of a colour as callers write it: six or three hexadecimal digits, with # or without; empty for none. */
export const hexCodePattern = '^(#?([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6}))?$'

/** The same code with # and six digits. */
export function fullHexCode(code: string): string {
  const digits = code.replace('#', '')
  if (digits === '') return ''
  return `#${digits.length === 3 ? digits.replace(/./g, '$&$&') : digits}`
}
