import { diffLines } from 'diff'
import { t } from '../../lib/i18n/t.ts'

interface DiffLine {
  kind: 'added' | 'removed' | 'same' | 'gap'
  text: string
}

/** Unchanged lines that stay around a change, so that it is known where it is. */
const around = 2

/** What became of a text, line by line; of long stretches without a change only how many lines they are is left. */
export function compareTexts(before: string, after: string): DiffLine[] {
  const parts = diffLines(before, after).map(({ value, added, removed }) => ({
    kind: added ? ('added' as const) : removed ? ('removed' as const) : ('same' as const),
    lines: value.replace(/\n$/, '').split('\n'),
  }))
  return parts.flatMap(({ kind, lines }, place) => {
    const shown = lines.map((text): DiffLine => ({ kind, text }))
    if (kind !== 'same') return shown
    const [head, tail] = [place === 0 ? 0 : around, place === parts.length - 1 ? 0 : around]
    const hidden = shown.length - head - tail
    if (hidden <= 1) return shown
    const gap: DiffLine = { kind: 'gap', text: t('{hidden} lines as before', { hidden }) }
    return [...shown.slice(0, head), gap, ...shown.slice(shown.length - tail)]
  })
}
