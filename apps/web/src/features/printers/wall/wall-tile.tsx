import { memo } from 'react'
import type { LivePrinter } from '../../../lib/api/api-schema.generated.ts'
import { formatMinutes, formatPercent } from '../../../lib/format.ts'
import { t } from '../../../lib/i18n/t.ts'
import { Icon } from '../../../ui/icon.tsx'
import { toneIcons } from '../../../ui/tone.ts'
import { LastKnown } from '../last-known.tsx'
import { needOf } from '../list/printer-need.ts'
import { presentPrinterStatus } from '../printer-state.ts'
import './wall-tile.css'

interface WallTileProps {
  row: LivePrinter
  /** Of what prints; undefined: there is none. */
  picture: string | undefined
}

/** One printer as it is read from across a room. */
export const WallTile = memo(function WallTile({ row, picture }: WallTileProps) {
  const { word, tone: ofStatus } = presentPrinterStatus(row.status)
  const need = needOf(row)
  const tone =
    need?.kind === 'plate'
      ? 'waiting'
      : need?.kind === 'problem'
        ? 'trouble'
        : row.status === 'maintenance'
          ? 'away'
          : ofStatus
  const isPlate = need?.kind === 'plate'
  return (
    <li className="wall-tile" data-tone={tone}>
      <div className="wall-tile-inside">
        {picture !== undefined && (row.status === 'printing' || row.status === 'paused') && (
          <img src={picture} alt="" className="wall-picture" />
        )}
        <span className="wall-name">{row.name}</span>
        <span className="wall-state">
          <Icon
            name={isPlate ? 'user' : row.status === 'maintenance' ? 'settings' : toneIcons[tone]}
            strokeWidth={2.4}
          />
          {isPlate ? t('Clear the plate') : word}
        </span>
        {row.progress !== null && (row.status === 'printing' || row.status === 'paused') ? (
          <>
            <span className="wall-figure">
              <span>{formatPercent(row.progress)}</span>
              {row.remaining_time_minutes !== null && <span>{formatMinutes(row.remaining_time_minutes)}</span>}
            </span>
            <span className="wall-bar" aria-hidden="true">
              <span style={{ transform: `scaleX(${row.progress / 100})` }} />
            </span>
          </>
        ) : (
          <span className="wall-sentence">
            {row.last_known ? <LastKnown last={row.last_known} /> : (!isPlate && need?.sentence) || row.location}
          </span>
        )}
      </div>
    </li>
  )
})
