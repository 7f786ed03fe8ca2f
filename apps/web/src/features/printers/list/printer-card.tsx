import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import type { LivePrinter } from '../../../lib/api/api-schema.generated.ts'
import { formatTemperature } from '../../../lib/format.ts'
import { StatusBadge } from '../../../ui/lists/status-badge.tsx'
import { FilamentText } from '../filament-text.tsx'
import { plateWord } from '../plate-word.ts'
import { PrintProgress } from '../print-progress.tsx'
import { presentPrinterStatus } from '../printer-state.ts'
import { needOf } from './printer-need.ts'
import './printer-card.css'

/** One printer of the grid, drawn again only when its row is another. */
export const PrinterCard = memo(function PrinterCard({ row }: { row: LivePrinter }) {
  const { tone, word } = presentPrinterStatus(row.status)
  const need = needOf(row)
  const isBusy = row.status === 'printing' || row.status === 'paused'
  return (
    <Link to="/printers/$printerId" params={{ printerId: row.id }} preload={false} className="printer-card">
      <div className="printer-card-head">
        <span className="printer-card-name">{row.name}</span>
        <StatusBadge tone={tone}>{word}</StatusBadge>
      </div>
      {isBusy ? (
        <>
          <PrintProgress
            percent={row.progress}
            minutesLeft={row.remaining_time_minutes}
            isPaused={row.status === 'paused'}
          />
          <div className="printer-card-line">
            <span>{row.file_name ?? 'A print'}</span>
          </div>
        </>
      ) : (
        <div className="printer-card-line">
          <span>{plateWord(row.plate_state)}</span>
        </div>
      )}
      {need && (
        <div className="printer-card-line printer-card-need" data-kind={need.kind}>
          <span title={need.sentence}>{need.sentence}</span>
        </div>
      )}
      <div className="printer-card-line">
        <span>
          <FilamentText {...row} />
        </span>
        <span>{row.location || row.model}</span>
      </div>
      <div className="printer-card-line">
        <span>{temperaturesOf(row)}</span>
      </div>
    </Link>
  )
})

function temperaturesOf({ nozzle_temp, target_nozzle_temp, bed_temp, target_bed_temp }: LivePrinter): string {
  return [
    nozzle_temp === null ? '' : formatTemperature(nozzle_temp, target_nozzle_temp),
    bed_temp === null ? '' : `bed ${formatTemperature(bed_temp, target_bed_temp)}`,
  ]
    .filter(Boolean)
    .join(', ')
}
