import { Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { overviewQuery } from '../../../features/overview/overview.api.ts'
import { presentPrinterStatus } from '../../../features/printers/printer-state.ts'
import { formatAmount } from '../../../lib/format.ts'
import { PageHeader } from '../../../ui/page-header.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { StatusBadge } from '../../../ui/status-badge.tsx'

const printerStates = ['error', 'paused', 'offline', 'maintenance', 'printing', 'idle'] as const

export function OverviewPage() {
  const overview = useQuery(overviewQuery())
  return (
    <>
      <PageHeader title="Overview" />
      <QueryView query={overview} failed="The overview could not be read">
        {({ printers, jobs, tasks, hubs }) => (
          <Stack>
            <Panel title={formatAmount(printers.total, 'printer')}>
              <Group gap="xs">
                {printerStates
                  .filter((state) => printers[state] > 0)
                  .map((state) => {
                    const { tone, word } = presentPrinterStatus(state)
                    return (
                      <StatusBadge key={state} tone={tone}>{`${printers[state]} ${word.toLowerCase()}`}</StatusBadge>
                    )
                  })}
              </Group>
            </Panel>
            <Panel title="Today">
              <Text>
                {formatAmount(jobs.today_completed, 'job')} completed, {jobs.today_failed} failed, {jobs.queued} waiting
              </Text>
              <Text>{formatAmount(tasks.pending, 'task')} to do</Text>
              <Text>
                {hubs.online} of {formatAmount(hubs.total, 'hub')} connected
              </Text>
            </Panel>
          </Stack>
        )}
      </QueryView>
    </>
  )
}
