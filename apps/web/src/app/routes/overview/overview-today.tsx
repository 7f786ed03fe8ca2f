import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { failuresQuery } from '../../../features/overview/overview.api.ts'
import type { Overview } from '../../../lib/api/api-schema.generated.ts'
import { formatAmount, formatCount } from '../../../lib/format.ts'
import { LinkText } from '../../../ui/link-text.tsx'
import { StatusBadge } from '../../../ui/lists/status-badge.tsx'
import { Panel } from '../../../ui/page/panel.tsx'

/** What was done today, and what went wrong. */
export function OverviewToday({ counts }: { counts: Overview }) {
  const { jobs, hubs, tasks, alerts } = counts
  const failures = useQuery(failuresQuery()).data
  return (
    <Panel title="Today">
      <Stack gap="xs" align="flex-start">
        <LinkText to="/history" c="inherit">
          <StatusBadge tone="done">{`${formatAmount(jobs.today_completed, 'job')} completed`}</StatusBadge>
        </LinkText>
        <LinkText to="/history" c="inherit">
          <StatusBadge tone={jobs.today_failed > 0 ? 'trouble' : 'resting'}>
            {`${formatAmount(jobs.today_failed, 'job')} failed`}
          </StatusBadge>
        </LinkText>
        {failures !== undefined && failures.unresolved > 0 && (
          <Text size="sm">
            {formatAmount(failures.unresolved, 'failure')} {failures.unresolved === 1 ? 'is' : 'are'} not looked into
            yet.
          </Text>
        )}
        <Text size="sm">
          {formatCount(jobs.printing)} printing, {formatCount(jobs.processing)} starting, {formatCount(jobs.queued)}{' '}
          waiting
        </Text>
        <Text size="sm">
          {formatCount(tasks.collection)} to collect, {formatCount(tasks.assembly)} to assemble,{' '}
          {formatAmount(tasks.filament_change, 'filament change')}
        </Text>
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
