/**
 * `#RRGGBB` of a colour as slicers write it: `#RGB`, `#RRGGBB`, `#RRGGBBAA`, with or without `#`, any case.
 * The alpha is dropped: a spool is what it is. Null for anything else.
 */
export function normalizeColor(text: string | null | undefined): string | null {
  const digits = /^"?#?([0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})"?$/i.exec(text?.trim() ?? '')?.[1]
  if (digits === undefined) return null
  const full = digits.length === 3 ? digits.replace(/./g, '$&$&') : digits.slice(0, 6)
  return `#${full.toUpperCase()}`
}
