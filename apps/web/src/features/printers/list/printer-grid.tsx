import { memo } from 'react'
import type { LivePrinter } from '../../../lib/api/api-schema.generated.ts'
import { PrinterCard } from './printer-card.tsx'
import { useFreshNearScreen } from './use-near-screen.ts'
import './printer-grid.css'

/**
 * All printers as cards. Every card is in the page, so that the browser's search finds it, but only those near the screen
 * follow what their printers say: the others keep what they showed last.
 */
export function PrinterGrid({ rows }: { rows: readonly LivePrinter[] }) {
  return (
    <ul className="printer-grid" aria-label="Printers">
      {rows.map((row) => (
        <PrinterSlot key={row.id} row={row} />
      ))}
    </ul>
  )
}

const PrinterSlot = memo(function PrinterSlot({ row }: { row: LivePrinter }) {
  const [ref, shown] = useFreshNearScreen<HTMLLIElement, LivePrinter>(row)
  return (
    <li className="printer-slot" ref={ref}>
      <PrinterCard row={shown} />
    </li>
  )
})
