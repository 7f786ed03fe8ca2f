import { useQuery } from '@tanstack/react-query'
import { memo, useEffect, useMemo, useRef } from 'react'
import type { BoardPrinter, LivePrinter } from '../../../lib/api/api-schema.generated.ts'
import { t } from '../../../lib/i18n/t.ts'
import { useMay } from '../../../lib/session.ts'
import { boardQuery } from '../board.api.ts'
import { type CardActions, PrinterCard } from './printer-card.tsx'
import type { CardSize } from './printer-view.ts'
import { useBulkActions } from './use-bulk-actions.ts'
import { useFreshNearScreen } from './use-near-screen.ts'
import './printer-grid.css'

/**
 * All printers as cards. Every card is in the page, so that the browser's search finds it, but only those near the screen
 * follow what their printers say: the others keep what they showed last.
 */
export function PrinterGrid({ rows, size }: { rows: readonly LivePrinter[]; size: CardSize }) {
  const board = useQuery(boardQuery()).data
  const mayControl = useMay('control')
  const bulk = useBulkActions()
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
      {rows.map((row) => (
        <PrinterSlot
          key={row.id}
          row={row}
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
  board: BoardPrinter | undefined
  size: CardSize
  actions: CardActions | undefined
}

const PrinterSlot = memo(function PrinterSlot({ row, ...more }: PrinterSlotProps) {
  const [ref, shown] = useFreshNearScreen<HTMLLIElement, LivePrinter>(row)
  return (
    <li className="printer-slot" ref={ref}>
      <PrinterCard row={shown} {...more} />
    </li>
  )
})
