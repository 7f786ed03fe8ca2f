import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { use } from 'react'
import { failuresQuery } from '../../../features/overview/overview.api.ts'
import type { Overview } from '../../../lib/api/api-schema.generated.ts'
import { formatAmount, formatCount } from '../../../lib/format.ts'
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
    <Panel title="Today">
      <Stack gap="xs" align="flex-start">
        <LinkText to="/history" search={{ status: 'completed', from: today, to: today }} c="inherit">
          <StatusBadge tone="done">{`${formatAmount(jobs.today_completed, 'job')} completed`}</StatusBadge>
        </LinkText>
        <LinkText to="/history" search={{ status: 'failed', from: today, to: today }} c="inherit">
          <StatusBadge tone={jobs.today_failed > 0 ? 'trouble' : 'resting'}>
            {`${formatAmount(jobs.today_failed, 'job')} failed`}
          </StatusBadge>
        </LinkText>
        {failures !== undefined && failures.unresolved > 0 && (
          <LinkText to="/failures" size="sm">
            {formatAmount(failures.unresolved, 'failure')} {failures.unresolved === 1 ? 'is' : 'are'} not looked into
            yet
          </LinkText>
        )}
        <LinkText to="/queue" search={{ running: 'all' }} size="sm">
          {formatCount(jobs.printing)} printing, {formatCount(jobs.processing)} starting
        </LinkText>
        <LinkText to="/queue" size="sm">
          {formatAmount(jobs.queued, 'job')} waiting
        </LinkText>
        <LinkText to="/worklist" search={{ type: 'collection' }} size="sm">
          {formatCount(tasks.collection)} to collect
        </LinkText>
        <LinkText to="/worklist" search={{ type: 'assembly' }} size="sm">
          {formatCount(tasks.assembly)} to assemble
        </LinkText>
        <LinkText to="/worklist" search={{ type: 'filament_change' }} size="sm">
          {formatAmount(tasks.filament_change, 'filament change')}
        </LinkText>
        {alerts.low_stock > 0 && (
          <LinkText to="/stock" search={{ status: 'short' }} size="sm">
            {formatAmount(alerts.low_stock, 'product')} low in stock
          </LinkText>
        )}
        <LinkText to="/hubs" size="sm">
          {hubs.online} of {formatAmount(hubs.total, 'hub')} connected
        </LinkText>
      </Stack>
    </Panel>
  )
}
