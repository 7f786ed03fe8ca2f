import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { use } from 'react'
import { failuresQuery } from '../../../features/overview/overview.api.ts'
import type { Overview } from '../../../lib/api/api-schema.generated.ts'
import { formatCount } from '../../../lib/format.ts'
import { t } from '../../../lib/i18n/t.ts'
import { dateOf } from '../../../lib/zone-day.ts'
import { LinkText } from '../../../ui/link-text.tsx'
import { StatusBadge } from '../../../ui/lists/status-badge.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { TimeZoneContext } from '../../../ui/time.tsx'

/** What was done today, and what went wrong. */
export function OverviewToday({ counts }: { counts: Overview }) {
  const { jobs, hubs, tasks, alerts } = counts
  const failures = useQuery(failuresQuery()).data
  const today = dateOf(Date.now(), use(TimeZoneContext))
  return (
    <Panel title={t('Today')}>
      <Stack gap="xs" align="flex-start">
        <LinkText to="/history" search={{ status: 'completed', from: today, to: today }} c="inherit">
          <StatusBadge tone="done">
            {t('{today_completed, plural, one {# job} other {# jobs}} completed', {
              today_completed: jobs.today_completed,
            })}
          </StatusBadge>
        </LinkText>
        <LinkText to="/history" search={{ status: 'failed', from: today, to: today }} c="inherit">
          <StatusBadge tone={jobs.today_failed > 0 ? 'trouble' : 'resting'}>
            {t('{today_failed, plural, one {# job} other {# jobs}} failed', { today_failed: jobs.today_failed })}
          </StatusBadge>
        </LinkText>
        {failures !== undefined && failures.unresolved > 0 && (
          <LinkText to="/failures" size="sm">
            {t('{count, plural, one {# failure is} other {# failures are}} not looked into yet', {
              count: failures.unresolved,
            })}
          </LinkText>
        )}
        <LinkText to="/queue" search={{ running: 'all' }} size="sm">
          {t('{printing} printing, {processing} starting', {
            printing: formatCount(jobs.printing),
            processing: formatCount(jobs.processing),
          })}
        </LinkText>
        <LinkText to="/queue" size="sm">
          {t('{queued, plural, one {# job} other {# jobs}} waiting', { queued: jobs.queued })}
        </LinkText>
        <LinkText to="/worklist" search={{ type: 'collection' }} size="sm">
          {t('{collection} to collect', { collection: formatCount(tasks.collection) })}
        </LinkText>
        <LinkText to="/worklist" search={{ type: 'assembly' }} size="sm">
          {t('{assembly} to assemble', { assembly: formatCount(tasks.assembly) })}
        </LinkText>
        <LinkText to="/worklist" search={{ type: 'filament_change' }} size="sm">
          {t('{filament_change, plural, one {# filament change} other {# filament changes}}', {
            filament_change: tasks.filament_change,
          })}
        </LinkText>
        {alerts.low_stock > 0 && (
          <LinkText to="/stock" search={{ status: 'short' }} size="sm">
            {t('{low_stock, plural, one {# product} other {# products}} low in stock', { low_stock: alerts.low_stock })}
          </LinkText>
        )}
        <LinkText to="/hubs" size="sm">
          {t('{online} of {total, plural, one {# hub} other {# hubs}} connected', {
            online: hubs.online,
            total: hubs.total,
          })}
        </LinkText>
      </Stack>
    </Panel>
  )
}
