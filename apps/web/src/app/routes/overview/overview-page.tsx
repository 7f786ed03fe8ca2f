import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Figure } from '../../../features/overview/figure.tsx'
import { overviewQuery } from '../../../features/overview/overview.api.ts'
import { countStatuses, type StatusChoice } from '../../../features/printers/list/printer-view.ts'
import { livePrintersQuery } from '../../../features/printers/printers.api.ts'
import type { LivePrinter, Overview } from '../../../lib/api/api-schema.generated.ts'
import { t } from '../../../lib/i18n/t.ts'
import { LoadingBlock } from '../../../ui/page/loading.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { QueryView } from '../../../ui/page/query-view.tsx'
import './overview-page.css'

// The first page is there before what is looked at second.
const FirstSteps = lazy(async () => ({ default: (await import('./first-steps.tsx')).FirstSteps }))
const OverviewNeeds = lazy(async () => ({ default: (await import('./overview-needs.tsx')).OverviewNeeds }))
const OverviewToday = lazy(async () => ({ default: (await import('./overview-today.tsx')).OverviewToday }))
const OverviewDay = lazy(async () => ({ default: (await import('./overview-farm.tsx')).OverviewDay }))
const OverviewWeek = lazy(async () => ({ default: (await import('./overview-farm.tsx')).OverviewWeek }))
const OverviewCameras = lazy(async () => ({ default: (await import('./overview-farm.tsx')).OverviewCameras }))

export function OverviewPage() {
  const overview = useQuery(overviewQuery())
  const printers = useQuery(livePrintersQuery())
  return (
    <>
      <PageHeader title={t('Overview')} />
      <QueryView query={overview} failed={t('The overview could not be read')}>
        {(counts) => (
          <QueryView query={printers} failed={t('The printers could not be read')}>
            {(rows) => (
              <Stack gap="md">
                <Suspense fallback={<LoadingBlock />}>
                  <FirstSteps counts={counts} rows={rows} />
                </Suspense>
                {rows.length > 0 && <Farm counts={counts} rows={rows} />}
              </Stack>
            )}
          </QueryView>
        )}
      </QueryView>
    </>
  )
}

function Farm({ counts, rows }: { counts: Overview; rows: readonly LivePrinter[] }) {
  // What printers say is newer than what was counted.
  const { printing, idle, offline, error, 'needs-person': waiting } = countStatuses(rows)
  const printers = (status: StatusChoice) => ({ to: '/printers', search: { status } }) as const
  return (
    <div>
      <ul className="overview-figures" aria-label={t('Counts')}>
        <li>
          <Figure
            {...printers('needs-person')}
            icon="user"
            count={waiting}
            label={t('{waiting, plural, one {printer needs a person} other {printers need a person}}', { waiting })}
            tone="waiting"
          />
        </li>
        <li>
          <Figure {...printers('printing')} icon="play" count={printing} label={t('printing')} tone="working" />
        </li>
        <li>
          <Figure {...printers('idle')} icon="idle" count={idle} label={t('idle')} />
        </li>
        <li>
          <Figure {...printers('error')} icon="warning" count={error} label={t('in error')} tone="trouble" />
        </li>
        <li>
          <Figure {...printers('offline')} icon="away" count={offline} label={t('offline')} tone="waiting" />
        </li>
        <li>
          <Figure to="/queue" icon="queue" count={counts.jobs.queued} label={t('jobs waiting')} />
        </li>
        <li>
          <Figure to="/worklist" icon="worklist" count={counts.tasks.pending} label={t('tasks to do')} />
        </li>
      </ul>
      <div className="overview-columns">
        <Suspense fallback={<LoadingBlock height={240} />}>
          <OverviewNeeds rows={rows} tasks={counts.tasks.pending} />
        </Suspense>
        <Suspense fallback={<LoadingBlock height={240} />}>
          <OverviewToday counts={counts} />
        </Suspense>
        <Suspense fallback={<LoadingBlock height={240} />}>
          <OverviewDay rows={rows} />
        </Suspense>
        <Suspense fallback={<LoadingBlock height={240} />}>
          <OverviewWeek />
        </Suspense>
      </div>
      <Suspense fallback={<LoadingBlock height={240} />}>
        <OverviewCameras rows={rows} />
      </Suspense>
    </div>
  )
}
