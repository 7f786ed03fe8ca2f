import { useElementSize } from '@mantine/hooks'
import { useEffect, useMemo, useState } from 'react'
import type { LivePrinter } from '../../../lib/api/api-schema.generated.ts'
import { useConnection } from '../../../lib/live/connection.tsx'
import { countStatuses, sortPrinters, statusChoices } from '../list/printer-view.ts'
import { presentPrinterStatus } from '../printer-state.ts'
import { fitTiles } from './fit-tiles.ts'
import { WallTile } from './wall-tile.tsx'
import './wall-screen.css'

const pageTurnMs = 15_000

/** All printers in use on one screen, who needs a person first; nothing on it can be pressed. */
export function WallScreen({ rows }: { rows: readonly LivePrinter[] }) {
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
        <h1>{connection === 'live' ? 'Printers' : 'Printers: connection lost, trying again'}</h1>
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
              <b>{counts['needs-person']}</b> need a person
            </span>
          )}
          {pages > 1 && (
            <span>
              Page {page + 1} of {pages}
            </span>
          )}
        </div>
      </header>
      <ul
        ref={ref}
        className="wall-grid"
        aria-label="Printers"
        style={{
          gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
          gridTemplateRows: `repeat(${lines}, minmax(0, 1fr))`,
        }}
      >
        {width > 0 &&
          shown.slice(page * perPage, (page + 1) * perPage).map((row) => <WallTile key={row.id} row={row} />)}
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
