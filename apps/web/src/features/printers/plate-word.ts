import type { LivePrinter } from '../../lib/api/api-schema.generated.ts'

const words: Record<LivePrinter['plate_state'], string> = {
  clear: 'Plate clear',
  occupied: 'Plate in use',
  unknown: 'Plate not known',
}

/** The plate in two or three words. */
export function plateWord(state: LivePrinter['plate_state']): string {
  return words[state]
}
