import { thingPrefixes } from '../../lib/things.ts'

const prefixes = Object.values(thingPrefixes).join('|')
const label = new RegExp(`(?:^|[^a-z0-9])(${prefixes})[^a-z0-9]([0-9a-z]{26})(?![0-9a-z])`, 'i')

/**
 * The ID in what was scanned: the address on a label, under whatever name the service was reached when it was printed, or
 * the ID alone. A hand scanner types as a keyboard does: one that is set to another country writes other signs for `/` and
 * `_`, and one with the shift lock writes capitals; both are taken. Undefined: no label of ours.
 */
export function scannedId(text: string): string | undefined {
  const [, prefix, rest] = label.exec(text.trim()) ?? []
  return prefix && rest && `${prefix}_${rest}`.toLowerCase()
}
