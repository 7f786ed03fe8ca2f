import { Checkbox } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { memo, type ReactNode } from 'react'
import type { LivePrinter } from '../../../lib/api/api-schema.generated.ts'
import { formatMinutes, formatPercent, formatTemperature } from '../../../lib/format.ts'
import { t } from '../../../lib/i18n/t.ts'
import { StatusBadge } from '../../../ui/lists/status-badge.tsx'
import { useDrawnInParts } from '../../../ui/lists/use-drawn-in-parts.ts'
import { FilamentText } from '../filament-text.tsx'
import { plateWord } from '../plate-word.ts'
import { presentPrinterStatus } from '../printer-state.ts'
import { needOf } from './printer-need.ts'
import { useFreshNearScreen } from './use-near-screen.ts'
import './printer-table.css'
import '../../../ui/lists/data-table.css'

const labels = [
  t('Printer'),
  t('State'),
  t('Progress'),
  t('Left'),
  t('Plate'),
  t('Needs'),
  t('Filament'),
  t('Nozzle'),
  t('Bed'),
  t('Place'),
  t('Model'),
]

interface PrinterTableProps {
  rows: readonly LivePrinter[]
  selected: ReadonlySet<string>
  /** The same function each time, so that lines that did not change are not drawn again; undefined: nothing is selected here. */
  onToggle: ((id: string) => void) | undefined
}

/** All printers in lines, as dense as can be read; cards on a phone. */
export function PrinterTable({ rows, selected, onToggle }: PrinterTableProps) {
  const drawn = useDrawnInParts(rows.length)
  return (
    <table className="data-table printer-table" aria-label={t('Printers')}>
      <thead>
        <tr>
          {labels.map((label) => (
            <th key={label} scope="col">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, place) => (
          <PrinterSlot
            key={row.id}
            row={row}
            isDrawn={place < drawn}
            isSelected={selected.has(row.id)}
            onToggle={onToggle}
          />
        ))}
      </tbody>
    </table>
  )
}

interface CellsProps extends Pick<PrinterTableProps, 'onToggle'> {
  row: LivePrinter
  isSelected: boolean
}

interface SlotProps extends CellsProps {
  /** False until its part has its turn; near the screen it is drawn before. */
  isDrawn: boolean
}

/** Only lines near the screen follow what their printers say. */
const PrinterSlot = memo(function PrinterSlot({ row, isDrawn, ...selection }: SlotProps) {
  const [ref, shown, isNear] = useFreshNearScreen<HTMLTableRowElement, LivePrinter>(row)
  return (
    <tr ref={ref}>
      {isDrawn || isNear ? (
        <PrinterCells row={shown} {...selection} />
      ) : (
        <td colSpan={labels.length} className="printer-room" />
      )}
    </tr>
  )
})

const PrinterCells = memo(function PrinterCells({ row, isSelected, onToggle }: CellsProps) {
  const { tone, word } = presentPrinterStatus(row.status)
  const degrees = (value: number | null, target: number | null) =>
    value === null ? '–' : formatTemperature(value, target)
  const cells: [label: string, content: ReactNode][] = [
    [
      t('State'),
      <StatusBadge key="state" tone={tone}>
        {word}
      </StatusBadge>,
    ],
    [t('Progress'), row.progress === null ? '–' : formatPercent(row.progress)],
    [t('Left'), row.remaining_time_minutes === null ? '–' : formatMinutes(row.remaining_time_minutes)],
    [t('Plate'), plateWord(row.plate_state)],
    [t('Needs'), needOf(row)?.sentence ?? '–'],
    [t('Filament'), <FilamentText key="filament" {...row} />],
    [t('Nozzle'), degrees(row.nozzle_temp, row.target_nozzle_temp)],
    [t('Bed'), degrees(row.bed_temp, row.target_bed_temp)],
    [t('Place'), row.location || '–'],
    [t('Model'), row.model],
  ]
  return (
    <>
      <td data-title>
        {onToggle && (
          <Checkbox
            className="printer-select"
            aria-label={t('Select {name}', { name: row.name })}
            checked={isSelected}
            onChange={() => onToggle(row.id)}
          />
        )}
        <Link to="/printers/$printerId" params={{ printerId: row.id }} preload={false} className="printer-link">
          {row.name}
        </Link>
      </td>
      {cells.map(([label, content]) => (
        <td key={label} data-label={label}>
          <span>{content}</span>
        </td>
      ))}
    </>
  )
})
