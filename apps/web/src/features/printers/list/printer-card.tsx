import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { memo, use } from 'react'
import type { BoardPrinter, LivePrinter } from '../../../lib/api/api-schema.generated.ts'
import { formatClock, formatTemperature } from '../../../lib/format.ts'
import { t, tc } from '../../../lib/i18n/t.ts'
import { colorWords } from '../../../lib/words/color-words.ts'
import { Icon } from '../../../ui/icon.tsx'
import { StatusBadge } from '../../../ui/lists/status-badge.tsx'
import { TimeZoneContext } from '../../../ui/time.tsx'
import { pictureOf, printWords } from '../board.api.ts'
import { whyNot } from '../controls/printer-actions.ts'
import { FilamentText } from '../filament-text.tsx'
import { LastKnown } from '../last-known.tsx'
import { plateWord } from '../plate-word.ts'
import { PrintProgress } from '../print-progress.tsx'
import { presentPrinterStatus } from '../printer-state.ts'
import { needOf } from './printer-need.ts'
import type { CardSize } from './printer-view.ts'
import './printer-card.css'

/** What a person does on the card itself; undefined: they may only look. */
export interface CardActions {
  clear: (row: LivePrinter) => void
  resume: (row: LivePrinter) => void
}

interface PrinterCardProps {
  row: LivePrinter
  board: BoardPrinter | undefined
  size: CardSize
  actions: CardActions | undefined
}

/** One printer of the grid, drawn again only when its row is another. The whole card leads to its page. */
export const PrinterCard = memo(function PrinterCard({ row, board, size, actions }: PrinterCardProps) {
  const { tone, word } = presentPrinterStatus(row.status)
  const need = needOf(row)
  const isBusy = row.status === 'printing' || row.status === 'paused'
  return (
    <article className="printer-card" data-size={size} data-past={row.last_known !== null || undefined}>
      <div className="printer-card-head">
        <Link
          to="/printers/$printerId"
          params={{ printerId: row.id }}
          preload={false}
          className="printer-card-name"
          aria-label={`${row.name}, ${word}`}
        >
          {row.name}
        </Link>
        <StatusBadge tone={tone}>{word}</StatusBadge>
      </div>
      {row.last_known && (
        <div className="printer-card-line">
          <span>
            <LastKnown last={row.last_known} />
          </span>
        </div>
      )}
      {isBusy ? (
        <Print row={row} board={board} size={size} />
      ) : (
        size !== 's' && (
          <div className="printer-card-line">
            <span>{plateWord(row.plate_state)}</span>
            {board?.next_job && <NextJob job={board.next_job} />}
          </div>
        )
      )}
      {need && (
        <div className="printer-card-line printer-card-need" data-kind={need.kind}>
          <span title={need.sentence}>{need.sentence}</span>
        </div>
      )}
      {actions && <CardButtons row={row} actions={actions} />}
      {size !== 's' && (
        <div className="printer-card-line printer-card-foot">
          <Slots row={row} slots={board?.slots ?? []} />
          <span>{row.location || row.model}</span>
        </div>
      )}
      {size === 'l' && (
        <div className="printer-card-line">
          <span>{temperaturesOf(row)}</span>
          {isBusy && row.total_layers !== null && (
            <span>
              {t('layer {layer_num} of {total_layers}', {
                layer_num: row.layer_num ?? 0,
                total_layers: row.total_layers,
              })}
            </span>
          )}
        </div>
      )}
    </article>
  )
})

function Print({ row, board, size }: Omit<PrinterCardProps, 'actions'>) {
  const timeZone = use(TimeZoneContext)
  const picture = pictureOf(board?.job)
  const { remaining_time_minutes: minutes } = row
  const doneAt =
    row.status === 'printing' && minutes !== null
      ? formatClock(Date.now() + minutes * 60_000, timeZone === undefined ? {} : { timeZone })
      : undefined
  const words = printWords(board?.job ?? undefined, row.file_name)
  return (
    <div className="printer-card-print">
      {size !== 's' && (
        <Link
          to="/printers/$printerId"
          params={{ printerId: row.id }}
          hash="camera"
          preload={false}
          className="printer-card-picture"
          aria-label={t('Camera of {name}', { name: row.name })}
          title={t('Camera of {name}', { name: row.name })}
        >
          {picture === undefined ? (
            <Icon name="file" size={20} strokeWidth={1.4} />
          ) : (
            <img src={picture} alt="" loading="lazy" decoding="async" />
          )}
        </Link>
      )}
      <div>
        {size !== 's' && (
          <div className="printer-card-what" title={row.file_name ?? undefined}>
            {words}
          </div>
        )}
        <PrintProgress
          percent={row.progress}
          minutesLeft={minutes}
          doneAt={doneAt}
          isPaused={row.status === 'paused'}
        />
        {size !== 's' && board?.next_job && (
          <div className="printer-card-line">
            <NextJob job={board.next_job} />
          </div>
        )}
      </div>
    </div>
  )
}

function NextJob({ job: { id, name } }: { job: NonNullable<BoardPrinter['next_job']> }) {
  return (
    <Link to="/jobs/$jobId" params={{ jobId: id }} preload={false} title={name} className="printer-card-next">
      {t('next: {name}', { name })}
    </Link>
  )
}

/** What the card can be asked for now; nothing stands there that is impossible. */
function CardButtons({ row, actions }: { row: LivePrinter; actions: CardActions }) {
  const isToClear = row.status === 'idle' && whyNot('clear_bed', row) === undefined
  const isToResume = whyNot('resume', row) === undefined
  if (!isToClear && !isToResume) return null
  return (
    <div className="printer-card-buttons">
      {isToClear && (
        <Button
          size="compact-sm"
          leftSection={<Icon name="check" size={14} />}
          onClick={() => actions.clear(row)}
          aria-label={t('Clear plate: {name}', { name: row.name })}
        >
          {t('Clear plate')}
        </Button>
      )}
      {isToResume && (
        <Button
          size="compact-sm"
          leftSection={<Icon name="play" size={14} />}
          onClick={() => actions.resume(row)}
          aria-label={t('Resume {name}', { name: row.name })}
        >
          {t('Resume')}
        </Button>
      )}
    </div>
  )
}

/** One place in words; several as dots, with the one that is drawn from marked. */
function Slots({ row, slots }: { row: LivePrinter; slots: BoardPrinter['slots'] }) {
  if (slots.length < 2) {
    return (
      <span>
        <FilamentText {...row} />
      </span>
    )
  }
  return (
    <span className="printer-card-slots">
      {slots.map(({ name, type, color, color_hex, is_empty, is_active }, place) => {
        const words = is_empty
          ? tc('place of a printer', 'empty')
          : [type, color || colorWords(color_hex)].filter(Boolean).join(' ') || t('not known')
        return (
          <span
            key={name || place}
            className="printer-card-slot"
            role="img"
            aria-label={`${name || t('Place {place}', { place: place + 1 })}: ${words}`}
            title={`${name || t('Place {place}', { place: place + 1 })}: ${words}`}
            data-active={is_active || undefined}
            data-empty={is_empty || undefined}
            style={is_empty || color_hex === '' ? {} : { backgroundColor: color_hex }}
          />
        )
      })}
    </span>
  )
}

function temperaturesOf({ nozzle_temp, target_nozzle_temp, bed_temp, target_bed_temp }: LivePrinter): string {
  return [
    nozzle_temp === null ? '' : formatTemperature(nozzle_temp, target_nozzle_temp),
    bed_temp === null ? '' : t('bed {bed_temp}', { bed_temp: formatTemperature(bed_temp, target_bed_temp) }),
  ]
    .filter(Boolean)
    .join(', ')
}
