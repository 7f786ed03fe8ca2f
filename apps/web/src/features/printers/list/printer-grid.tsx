import { useQuery } from '@tanstack/react-query'
import { memo, useEffect, useMemo, useRef } from 'react'
import type { BoardPrinter, LivePrinter } from '../../../lib/api/api-schema.generated.ts'
import { t } from '../../../lib/i18n/t.ts'
import { useMay } from '../../../lib/session.ts'
import { useDrawnInParts } from '../../../ui/lists/use-drawn-in-parts.ts'
import { boardQuery } from '../board.api.ts'
import { type CardActions, PrinterCard } from './printer-card.tsx'
import type { CardSize } from './printer-view.ts'
import { useBulkActions } from './use-bulk-actions.ts'
import { useFreshNearScreen } from './use-near-screen.ts'
import './printer-grid.css'

/**
 * All printers as cards. Every card is in the page, so that the browser's search finds it, but only those near the screen
 * follow what their printers say: the others keep what they showed last. The first drawing has room for all of them and
 * the first cards: a page of a thousand is there as soon as one of forty.
 */
export function PrinterGrid({ rows, size }: { rows: readonly LivePrinter[]; size: CardSize }) {
  const board = useQuery(boardQuery()).data
  const mayControl = useMay('control')
  const bulk = useBulkActions()
  const drawn = useDrawnInParts(rows.length)
  // The same functions for every drawing, so that no card is drawn again for them.
  const latest = useRef(bulk)
  useEffect(() => {
    latest.current = bulk
  })
  const actions = useMemo<CardActions>(
    () => ({
      clear: (row) => void latest.current.clearPlates([row]),
      resume: (row) => void latest.current.resume([row]),
    }),
    [],
  )
  return (
    <ul className="printer-grid" data-size={size} aria-label={t('Printers')}>
      {rows.map((row, place) => (
        <PrinterSlot
          key={row.id}
          row={row}
          isDrawn={place < drawn}
          board={board?.get(row.id)}
          size={size}
          actions={mayControl ? actions : undefined}
        />
      ))}
    </ul>
  )
}

interface PrinterSlotProps {
  row: LivePrinter
  /** False until its part has its turn; near the screen it is drawn before. */
  isDrawn: boolean
  board: BoardPrinter | undefined
  size: CardSize
  actions: CardActions | undefined
}

const PrinterSlot = memo(function PrinterSlot({ row, isDrawn, ...more }: PrinterSlotProps) {
  const [ref, shown, isNear] = useFreshNearScreen<HTMLLIElement, LivePrinter>(row)
  return (
    <li className="printer-slot" ref={ref}>
      {(isDrawn || isNear) && <PrinterCard row={shown} {...more} />}
    </li>
  )
})
