import { useCallback, useEffect, useMemo, useState } from 'react'
import { JobHistory } from '../features/jobs/job-history.tsx'
import { JobQueue } from '../features/jobs/job-queue.tsx'
import { listFinished, listQueue } from '../features/jobs/jobs.api.ts'
import { PrinterGrid } from '../features/printers/printer-grid.tsx'
import { listPrinters } from '../features/printers/printers.api.ts'
import { type ApiError, createApiClient } from '../lib/api-client.ts'
import { formatClock } from '../lib/format.ts'
import { usePolling } from '../lib/use-polling.ts'
import { Notice } from '../ui/notice.tsx'

/** The farm as one key sees it. */
export function FarmPage({ apiKey, onUnauthorized }: { apiKey: string; onUnauthorized: (error: ApiError) => void }) {
  const [silentUntilMs, setSilentUntilMs] = useState<number>()
  const client = useMemo(
    () =>
      createApiClient({
        key: apiKey,
        fetch: (input, init) => fetch(input, init),
        now: Date.now,
        onUnauthorized,
        onRateLimited: setSilentUntilMs,
      }),
    [apiKey, onUnauthorized],
  )
  const printers = usePolling(
    useCallback((signal) => listPrinters(client, signal), [client]),
    10_000,
  )
  const queue = usePolling(
    useCallback((signal) => listQueue(client, signal), [client]),
    10_000,
  )
  const finished = usePolling(
    useCallback((signal) => listFinished(client, signal), [client]),
    30_000,
  )
  const printerNames = useMemo(() => new Map(printers.value?.map(({ id, name }) => [id, name])), [printers.value])
  const origin = window.location.origin

  useEffect(() => {
    if (silentUntilMs === undefined) return
    const timer = setTimeout(() => setSilentUntilMs(undefined), silentUntilMs - Date.now())
    return () => clearTimeout(timer)
  }, [silentUntilMs])

  return (
    <>
      <h1 className="unseen">Farm at a glance</h1>
      {silentUntilMs !== undefined && (
        <Notice kind="info">
          This key has made more requests than it may in a minute. The page waits until {formatClock(silentUntilMs)}, as
          the service asked (<code>RATE_LIMITED</code>), and goes on by itself.
        </Notice>
      )}
      <PrinterGrid client={client} printers={printers} jobs={queue.value ?? []} origin={origin} />
      <JobQueue jobs={queue} printerNames={printerNames} origin={origin} />
      <JobHistory jobs={finished} printerNames={printerNames} />
    </>
  )
}
