import type { LivePrinter } from '../../lib/api/api-schema.generated.ts'
import { formatPercent } from '../../lib/format.ts'
import { Rich } from '../../lib/i18n/rich.tsx'
import { Time } from '../../ui/time.tsx'
import { presentPrinterStatus } from './printer-state.ts'
import './last-known.css'

/** What a printer out of reach did when it was last seen, and how long ago that was. */
export function LastKnown({ last }: { last: NonNullable<LivePrinter['last_known']> }) {
  const { status, progress, file_name, reported_at } = last
  const isBusy = status === 'printing' || status === 'paused'
  const words = [
    presentPrinterStatus(status).word,
    isBusy && progress !== null && formatPercent(progress),
    isBusy && file_name,
  ]
  return (
    <span className="last-known">
      <Rich
        text="Last seen {time}: {state}"
        values={{ time: <Time at={reported_at} />, state: words.filter(Boolean).join(' · ') }}
      />
    </span>
  )
}
