import { useState } from 'react'
import type { ApiClient } from '../../lib/api-client.ts'
import type { Job, Printer } from '../../lib/api-types.ts'
import type { Polled } from '../../lib/use-polling.ts'
import { Command } from '../../ui/command.tsx'
import { LoadState } from '../../ui/load-state.tsx'
import { Section } from '../../ui/section.tsx'
import { StatusMark } from '../../ui/status-mark.tsx'
import { PrinterCard } from './printer-card.tsx'
import { countStatuses, presentPrinter } from './printer-presentation.ts'
import { usePrinterStatuses } from './use-printer-statuses.ts'

const cardsPerPage = 24

type PrinterGridProps = { client: ApiClient; printers: Polled<Printer[]>; jobs: readonly Job[]; origin: string }

export function PrinterGrid({ client, printers, jobs, origin }: PrinterGridProps) {
  const [wantedPage, setWantedPage] = useState(0)
  const all = printers.value ?? []
  const lastPage = Math.max(0, Math.ceil(all.length / cardsPerPage) - 1)
  const page = Math.min(wantedPage, lastPage)
  const onPage = all.slice(page * cardsPerPage, (page + 1) * cardsPerPage)
  const readings = usePrinterStatuses(
    client,
    onPage.map(({ id }) => id),
  )
  const nowMs = Date.now()

  return (
    <Section title="Printers">
      <LoadState polled={printers} />
      {all.length > 0 && (
        <ul className="counts" aria-label="Printers by status">
          {countStatuses(all).map(({ tone, word, count }) => (
            <li key={word}>
              <StatusMark tone={tone} word={`${count} ${word.toLowerCase()}`} />
            </li>
          ))}
        </ul>
      )}
      {printers.value?.length === 0 && <NoPrinters origin={origin} />}
      <ul className="grid">
        {onPage.map((printer) => (
          <PrinterCard
            key={printer.id}
            printer={printer}
            shown={presentPrinter(printer, printers.readAtMs ?? 0, readings.get(printer.id), jobs, nowMs)}
          />
        ))}
      </ul>
      {lastPage > 0 && (
        <nav className="pager" aria-label="Pages of printers">
          <button type="button" className="quiet" disabled={page === 0} onClick={() => setWantedPage(page - 1)}>
            Previous
          </button>
          <span>
            {page * cardsPerPage + 1}–{page * cardsPerPage + onPage.length} of {all.length}
          </span>
          <button type="button" className="quiet" disabled={page === lastPage} onClick={() => setWantedPage(page + 1)}>
            Next
          </button>
        </nav>
      )}
    </Section>
  )
}

function NoPrinters({ origin }: { origin: string }) {
  const body = '{"name":"Printer 1","model":"MODEL","hub_id":"HUB_ID","connection_type":"virtual"}'
  return (
    <div className="empty">
      <p>No printer yet. Printers hang on a hub, so make a hub first and start it with the token you are given:</p>
      <Command line={'npx printyard hubs create --account ID --name "Workshop"'} purpose="create a hub" />
      <Command line={`npx printyard hub run --url ${origin} --token TOKEN`} purpose="start the hub" />
      <p>Then add a printer, with a key that may write. A virtual one is good for a first try:</p>
      <Command
        line={`curl -X POST ${origin}/public/v1/printers -H 'Authorization: Bearer KEY' -H 'Content-Type: application/json' -d '${body}'`}
        purpose="add a printer"
      />
    </div>
  )
}
