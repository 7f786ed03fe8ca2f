import { VisuallyHidden } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import type { LivePrinter } from '../../../lib/api/api-schema.generated.ts'
import { Rich } from '../../../lib/i18n/rich.tsx'
import { t } from '../../../lib/i18n/t.ts'
import { useConnection } from '../../../lib/live/connection.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { boardQuery, pictureOf } from '../board.api.ts'
import { countStatuses, sortPrinters, statusChoices } from '../list/printer-view.ts'
import { presentPrinterStatus } from '../printer-state.ts'
import { fitTiles } from './fit-tiles.ts'
import { WallTile } from './wall-tile.tsx'
import './wall-screen.css'

const pageTurnMs = 15_000

interface WallScreenProps {
  rows: readonly LivePrinter[]
  /** The only place that is shown; undefined: all. */
  location: string | undefined
}

/** All printers in use on one screen, who needs a person first. */
export function WallScreen({ rows, location }: WallScreenProps) {
  const board = useQuery(boardQuery()).data
  const { ref, width, height } = useElementSize()
  const connection = useConnection()
  const shown = useMemo(
    () =>
      sortPrinters(
        rows.filter(({ is_active }) => is_active),
        'need',
      ),
    [rows],
  )
  const { columns, rows: lines, pages } = fitTiles(shown.length, width, height)
  const page = useTurningPage(pages)
  const counts = countStatuses(rows)
  const perPage = columns * lines

  return (
    <main className="wall-screen" id="main">
      <header className="wall-head">
        <h1>
          <Link to="/printers" search={location === undefined ? {} : { location }} className="wall-back">
            <Icon name="back" size={20} />
            <VisuallyHidden>{t('Back to the printers')}</VisuallyHidden>
          </Link>
          {location ?? t('Printers')}
          {connection !== 'live' && t(': connection lost, trying again')}
        </h1>
        <div className="wall-counts">
          {statusChoices
            .filter((status) => counts[status] > 0)
            .map((status) => (
              <span key={status}>
                <b>{counts[status]}</b> {presentPrinterStatus(status).word.toLowerCase()}
              </span>
            ))}
          {counts['needs-person'] > 0 && (
            <span>
              <Rich
                text="<b>{waiting}</b> {waiting, plural, one {needs a person} other {need a person}}"
                values={{ waiting: counts['needs-person'], b: (words) => <b>{words}</b> }}
              />
            </span>
          )}
          {pages > 1 && <span>{t('Page {page} of {pages}', { page: page + 1, pages })}</span>}
        </div>
      </header>
      <ul
        ref={ref}
        className="wall-grid"
        aria-label={t('Printers')}
        style={{
          gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
          gridTemplateRows: `repeat(${lines}, minmax(0, 1fr))`,
        }}
      >
        {width > 0 &&
          shown
            .slice(page * perPage, (page + 1) * perPage)
            .map((row) => <WallTile key={row.id} row={row} picture={pictureOf(board?.get(row.id)?.job)} />)}
      </ul>
    </main>
  )
}

function useTurningPage(pages: number): number {
  const [turn, setTurn] = useState(0)
  useEffect(() => {
    if (pages < 2) return undefined
    const timer = setInterval(() => setTurn((value) => value + 1), pageTurnMs)
    return () => clearInterval(timer)
  }, [pages])
  return turn % Math.max(1, pages)
}
