import { SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { queueTimelineQuery } from '../../../features/jobs/jobs.api.ts'
import { type QueueSearch, readQueueSearch } from '../../../features/jobs/queue/queue-search.ts'
import { t } from '../../../lib/i18n/t.ts'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { LoadingRows } from '../../../ui/page/loading.tsx'
import { QueryView } from '../../../ui/page/query-view.tsx'

const QueueGantt = lazy(async () => ({
  default: (await import('../../../features/jobs/timeline/queue-gantt.tsx')).QueueGantt,
}))

function useQueueSearch(): (change: Partial<Record<keyof QueueSearch, string | null>>) => void {
  const navigate = useNavigate()
  return (change) =>
    void navigate({ to: '/queue', search: (before) => readQueueSearch({ ...before, ...change }), replace: true })
}

/** The queue as a list in its order, or along the hours. */
export function QueueViews({ search }: { search: QueueSearch }) {
  const set = useQueueSearch()
  return (
    <SegmentedControl
      aria-label={t('View of the queue')}
      data={[
        { value: 'list', label: t('List') },
        { value: 'timeline', label: t('Timeline') },
      ]}
      value={search.view ?? 'list'}
      onChange={(view) => set({ view })}
    />
  )
}

export function TimelinePart({ search }: { search: QueueSearch }) {
  const set = useQueueSearch()
  const timeline = useQuery(queueTimelineQuery())
  return (
    <QueryView query={timeline} failed={t('The timeline could not be read')}>
      {(data) =>
        data.jobs.length === 0 ? (
          <EmptyState icon="queue" title={t('Nothing prints and nothing waits')}>
            {t('Once jobs are queued, this shows when they would start and be done.')}
          </EmptyState>
        ) : (
          <Suspense fallback={<LoadingRows />}>
            <QueueGantt timeline={data} span={search.hours ?? '24'} onSpan={(hours) => set({ hours })} />
          </Suspense>
        )
      }
    </QueryView>
  )
}
