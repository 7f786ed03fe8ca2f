import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { asApiError } from '../../../lib/api/api-error.ts'
import type { LivePrinter } from '../../../lib/api/api-schema.generated.ts'
import { formatPercent } from '../../../lib/format.ts'
import { t } from '../../../lib/i18n/t.ts'
import { Icon } from '../../../ui/icon.tsx'
import { StatusBadge } from '../../../ui/lists/status-badge.tsx'
import { useNearScreen } from '../list/use-near-screen.ts'
import { presentPrinterStatus } from '../printer-state.ts'
import { printerStillQuery } from '../printers.api.ts'
import { cameraSentence } from './camera-sentence.ts'
import { useObjectUrl } from './use-object-url.ts'
import './camera-wall.css'

/** What the cameras of printers see; asked for only of those that are on the screen. */
export function CameraWall({ rows, isStrip = false }: { rows: readonly LivePrinter[]; isStrip?: boolean }) {
  return (
    <ul className="camera-wall" data-strip={isStrip || undefined} aria-label={t('Cameras')}>
      {rows.map((row) => (
        <li key={row.id}>
          <CameraTile row={row} />
        </li>
      ))}
    </ul>
  )
}

function CameraTile({ row }: { row: LivePrinter }) {
  const [ref, isShown] = useNearScreen<HTMLAnchorElement>()
  const isReachable = row.hub_online && row.status !== 'offline'
  const still = useQuery(printerStillQuery(row.id, isShown && isReachable))
  const url = useObjectUrl(still.data)
  const { tone, word } = presentPrinterStatus(row.status)
  return (
    <Link to="/printers/$printerId" params={{ printerId: row.id }} preload={false} className="camera-tile" ref={ref}>
      {url === undefined ? (
        <span className="camera-tile-none">
          <Icon name="camera" size={28} strokeWidth={1.4} />
          <span>
            {!isReachable
              ? t('Out of reach')
              : still.error
                ? cameraSentence(asApiError(still.error))
                : t('The first picture comes')}
          </span>
        </span>
      ) : (
        <img src={url} alt={t('Camera picture of {name}', { name: row.name })} />
      )}
      <span className="camera-tile-foot">
        <b>{row.name}</b>
        <StatusBadge tone={tone}>
          {row.status === 'printing' && row.progress !== null ? formatPercent(row.progress) : word}
        </StatusBadge>
      </span>
    </Link>
  )
}
