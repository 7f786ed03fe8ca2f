import { Text } from '@mantine/core'
import { use } from 'react'
import type { QueueTimeline, TimelineJob } from '../../../lib/api/api-schema.generated.ts'
import { t } from '../../../lib/i18n/t.ts'
import { TimeZoneContext, useNowMs } from '../../../ui/time.tsx'
import { forecastWords, lateWords } from './forecast-words.ts'

/** When a job of the queue starts and is done by the forecast; nothing where there is none. */
export function ForecastLine({ job }: { job: TimelineJob | undefined }) {
  const clock = { timeZone: use(TimeZoneContext), nowMs: useNowMs() }
  const words = job === undefined ? '' : forecastWords(job, clock)
  if (job === undefined || words === '') return null
  const late = lateWords(job.done_p90_at, clock)
  return (
    <Text size="sm" c="dimmed" {...(late !== '' && { title: t('Forecast: {late}', { late }) })}>
      {words}
    </Text>
  )
}

/** When all of the queue is done, as far as that is known. */
export function AllDone({ timeline }: { timeline: QueueTimeline | undefined }) {
  const clock = { timeZone: use(TimeZoneContext), nowMs: useNowMs() }
  if (!timeline || (timeline.done_p50_at === null && timeline.unknown_jobs === 0)) return null
  const { done_p50_at, done_p90_at, unknown_jobs } = timeline
  const isAll = unknown_jobs === 0
  const done = forecastWords({ starts_at: null, done_p50_at, status: 'queued' }, clock)
  const late = lateWords(done_p90_at, clock)
  const words = [
    done === '' ? '' : `${isAll ? t('All') : t('The rest')} ${done.toLowerCase().slice(0, 1)}${done.slice(1)}`,
    done === '' ? '' : late,
    isAll ? '' : t('{unknown_jobs, plural, one {# job} other {# jobs}} without a forecast', { unknown_jobs }),
  ]
  return (
    <Text component="p" m={0} size="sm" className="all-done">
      {words.filter((part) => part !== '').join(' · ')}
    </Text>
  )
}
