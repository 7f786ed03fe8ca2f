import { ApiError } from '../lib/api-client.ts'
import { formatClock } from '../lib/format.ts'
import type { Polled } from '../lib/use-polling.ts'
import { Notice } from './notice.tsx'

/** Says that the first answer is awaited, or why the latest one did not come and how old the data below is. */
export function LoadState({ polled }: { polled: Polled<unknown> }) {
  const { error, readAtMs } = polled
  // A request to wait concerns the whole page and is shown once, at its top.
  const isShown = error !== undefined && !(error instanceof ApiError && error.status === 429)
  if (!isShown) return readAtMs === undefined ? <p className="faint">Loading…</p> : null
  return (
    <Notice kind="trouble">
      <p>
        {error instanceof Error ? error.message : 'Something unexpected went wrong'}.{' '}
        {readAtMs === undefined ? 'Trying again.' : `Shown as of ${formatClock(readAtMs)}; trying again.`}
      </p>
      {error instanceof ApiError && (
        <p className="faint">
          Code <code>{error.code}</code>
          {error.requestId && (
            <>
              , request <code>{error.requestId}</code>
            </>
          )}
        </p>
      )}
    </Notice>
  )
}
