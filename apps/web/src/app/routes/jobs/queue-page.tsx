import { Button, Group, Stack, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useJobDialogs } from '../../../features/jobs/job-dialogs.tsx'
import { subjectOf } from '../../../features/jobs/job-subject.ts'
import { runningJobsQuery, waitingJobsQuery } from '../../../features/jobs/jobs.api.ts'
import { QueueList } from '../../../features/jobs/queue-list.tsx'
import { RunningList } from '../../../features/jobs/running-list.tsx'
import { useJobActions } from '../../../features/jobs/use-job-actions.ts'
import { WhyDrawer } from '../../../features/jobs/why-drawer.tsx'
import { rowsOf } from '../../../lib/api/paged-query.ts'
import { formatAmount } from '../../../lib/format.ts'
import { useMay } from '../../../lib/session.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { LinkButton } from '../../../ui/link-button.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { usePrinterOptions } from './use-printer-options.ts'
import '../../../ui/panel.css'

export function QueuePage() {
  const waiting = useInfiniteQuery(waitingJobsQuery())
  const running = useInfiniteQuery(runningJobsQuery())
  const actions = useJobActions()
  const dialogs = useJobDialogs(usePrinterOptions())
  const mayWrite = useMay('write')
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [asked, setAsked] = useState<{ id: string; name: string }>()

  const jobs = rowsOf(waiting.data) ?? []
  // What was selected and has left the queue meanwhile is no longer meant.
  const chosen = jobs.filter(({ id }) => selected.has(id))
  const print = mayWrite && (
    <LinkButton to="/files" leftSection={<Icon name="plus" size={16} />}>
      Print a file
    </LinkButton>
  )
  return (
    <>
      <PageHeader title="Queue" actions={print} />
      <Stack gap="md">
        <QueryView query={running} failed="The jobs on printers could not be read">
          {(data) => {
            const rows = rowsOf(data) ?? []
            if (rows.length === 0) return null
            return (
              <Panel title="On printers">
                <RunningList jobs={rows} actions={actions} dialogs={dialogs} />
                {running.hasNextPage && (
                  <Button variant="default" mt="sm" onClick={() => void running.fetchNextPage()}>
                    Show more
                  </Button>
                )}
              </Panel>
            )
          }}
        </QueryView>
        <QueryView query={waiting} failed="The queue could not be read">
          {() =>
            jobs.length === 0 ? (
              <EmptyState icon="queue" title="Nothing waits to be printed" action={print}>
                Choose a file and how many units of it are needed. Jobs start by themselves on printers that fit.
              </EmptyState>
            ) : (
              <div className="panel">
                <Group justify="space-between" mb="sm" mih={36}>
                  <Text fw={650} component="h2">
                    Waiting
                  </Text>
                  {chosen.length > 0 && (
                    <Group gap="xs">
                      <Text size="sm">{formatAmount(chosen.length, 'job')} selected</Text>
                      <Button size="xs" variant="default" onClick={() => setSelected(new Set())}>
                        Select none
                      </Button>
                      <Button
                        size="xs"
                        color="red.9"
                        onClick={async () => {
                          if (await actions.cancelAll(chosen.map(subjectOf))) setSelected(new Set())
                        }}
                      >
                        Cancel selected…
                      </Button>
                    </Group>
                  )}
                </Group>
                <QueueList
                  jobs={jobs}
                  actions={actions}
                  dialogs={dialogs}
                  selected={selected}
                  onSelect={setSelected}
                  onWhy={setAsked}
                />
                {waiting.hasNextPage && (
                  <Button
                    variant="default"
                    mt="sm"
                    loading={waiting.isFetchingNextPage}
                    onClick={() => void waiting.fetchNextPage()}
                  >
                    Show more
                  </Button>
                )}
              </div>
            )
          }
        </QueryView>
      </Stack>
      <WhyDrawer job={asked} onClose={() => setAsked(undefined)} />
      {dialogs.element}
    </>
  )
}
