import { Button, Group, Menu, Stack, Text } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useJobDialogs } from '../../../features/jobs/dialogs/job-dialogs.tsx'
import { priorityOptions } from '../../../features/jobs/job-priority.tsx'
import { subjectOf } from '../../../features/jobs/job-subject.ts'
import {
  queueCountsQuery,
  queueTimelineQuery,
  runningJobsQuery,
  waitingJobsQuery,
} from '../../../features/jobs/jobs.api.ts'
import { QueueList } from '../../../features/jobs/queue/queue-list.tsx'
import { queueFiltersOf } from '../../../features/jobs/queue/queue-search.ts'
import { RunningList } from '../../../features/jobs/queue/running-list.tsx'
import { AllDone } from '../../../features/jobs/timeline/forecast-line.tsx'
import { useJobActions } from '../../../features/jobs/use-job-actions.ts'
import { WaitingGroups } from '../../../features/jobs/why/waiting-groups.tsx'
import { WhyDrawer } from '../../../features/jobs/why/why-drawer.tsx'
import { livePrintersQuery } from '../../../features/printers/printers.api.ts'
import type { LivePrinter, QueuedJob } from '../../../lib/api/api-schema.generated.ts'
import { rowsOf } from '../../../lib/api/paged-query.ts'
import { formatCount } from '../../../lib/format.ts'
import { t } from '../../../lib/i18n/t.ts'
import { useMay } from '../../../lib/session.ts'
import { Icon } from '../../../ui/icon.tsx'
import { LinkButton } from '../../../ui/link-button.tsx'
import { LinkText } from '../../../ui/link-text.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { QueryView } from '../../../ui/page/query-view.tsx'
import { QueueBar } from './queue-bar.tsx'
import { QueueViews, TimelinePart } from './queue-views.tsx'
import { usePrinterOptions } from './use-printer-options.ts'
import '../../../ui/page/panel.css'

const route = getRouteApi('/member/shell/queue')

/** More than these would push what waits off the screen; who wants all of them says so, and the address keeps it. */
const fewRunning = 6

export function QueuePage() {
  const search = route.useSearch()
  const filters = queueFiltersOf(search)
  const isPart = Object.keys(filters).length > 0
  const waiting = useInfiniteQuery(waitingJobsQuery(filters))
  const running = useInfiniteQuery(runningJobsQuery(filters))
  const timeline = useQuery(queueTimelineQuery())
  const counts = useQuery(queueCountsQuery(filters)).data
  const printers = usePrinterOptions()
  const lastSeen = useQuery({ ...livePrintersQuery(), select: lastSeenOf }).data ?? {}
  const actions = useJobActions()
  const dialogs = useJobDialogs(printers)
  const mayWrite = useMay('write')
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [asked, setAsked] = useState<{ id: string; name: string }>()

  const jobs = rowsOf(waiting.data) ?? []
  const forecasts = useMemo(() => new Map(timeline.data?.jobs.map((job) => [job.id, job])), [timeline.data])
  // What was selected and has left the queue meanwhile is no longer meant.
  const chosen = jobs.filter(({ id }) => selected.has(id))
  const print = mayWrite && (
    <LinkButton data-adds to="/files" leftSection={<Icon name="plus" size={16} />}>
      {t('Print a file')}
    </LinkButton>
  )
  return (
    <>
      <PageHeader title={t('Queue')} actions={print} />
      <Group gap="md" mb="md">
        <QueueViews search={search} />
        <AllDone timeline={timeline.data} />
      </Group>
      {search.view === 'timeline' ? (
        <TimelinePart search={search} />
      ) : (
        <Stack gap="md">
          <QueueBar search={search} printers={printers} filaments={counts?.filament_types ?? []} />
          <QueryView query={running} failed={t('The jobs on printers could not be read')}>
            {(data) => {
              const rows = rowsOf(data) ?? []
              if (rows.length === 0) return null
              const amount = counts?.running ?? rows.length
              const isShort = search.running !== 'all' && rows.length > fewRunning
              return (
                <Panel title={t('On printers ({amount})', { amount: formatCount(amount) })}>
                  <RunningList
                    jobs={isShort ? askingFirst(rows).slice(0, fewRunning) : rows}
                    actions={actions}
                    dialogs={dialogs}
                    lastSeen={lastSeen}
                  />
                  {rows.length > fewRunning && (
                    <LinkText
                      to="/queue"
                      search={({ running: _, ...others }) => ({ ...others, ...(isShort && { running: 'all' }) })}
                      replace
                      resetScroll={false}
                      size="sm"
                      className="touch-target"
                    >
                      {isShort ? t('Show all that are on printers') : t('Show few of them')}
                    </LinkText>
                  )}
                  {!isShort && running.hasNextPage && (
                    <Button variant="default" mt="sm" onClick={() => void running.fetchNextPage()}>
                      {t('Show more')}
                    </Button>
                  )}
                </Panel>
              )
            }}
          </QueryView>
          <QueryView query={waiting} failed={t('The queue could not be read')}>
            {() =>
              jobs.length === 0 && isPart ? (
                <EmptyState
                  icon="search"
                  title={t('No job that waits matches')}
                  action={
                    <LinkButton to="/queue" search={{}} variant="default">
                      {t('Show all')}
                    </LinkButton>
                  }
                />
              ) : jobs.length === 0 ? (
                <EmptyState icon="queue" title={t('Nothing waits to be printed')} action={print}>
                  {t('Choose a file and the number of units. Jobs start automatically on printers that fit.')}
                </EmptyState>
              ) : (
                <div className="panel">
                  {!isPart && <WaitingGroups />}
                  <Group justify="space-between" mb="sm" mih={36}>
                    <Text fw={650} component="h2">
                      {t('Waiting ({waiting})', { waiting: formatCount(counts?.waiting ?? jobs.length) })}
                    </Text>
                    {chosen.length > 0 && (
                      <Group gap="xs">
                        <Text size="sm">
                          {t('{chosen, plural, one {# job} other {# jobs}} selected', { chosen: chosen.length })}
                        </Text>
                        <Button size="xs" variant="default" onClick={() => setSelected(new Set())}>
                          {t('Select none')}
                        </Button>
                        {chosen.length < jobs.length && (
                          <Button
                            size="xs"
                            variant="default"
                            onClick={() => setSelected(new Set(jobs.map(({ id }) => id)))}
                          >
                            {t('Select all {jobs} shown', { jobs: formatCount(jobs.length) })}
                          </Button>
                        )}
                        {mayWrite && (
                          <Menu position="bottom-end">
                            <Menu.Target>
                              <Button size="xs" variant="default" rightSection={<Icon name="down" size={14} />}>
                                {t('Priority')}
                              </Button>
                            </Menu.Target>
                            <Menu.Dropdown>
                              {priorityOptions.map(({ value, label }) => (
                                <Menu.Item
                                  key={value}
                                  onClick={() =>
                                    void actions.prioritizeAll(
                                      chosen.map((job) => ({ ...subjectOf(job), priority: job.priority })),
                                      value,
                                    )
                                  }
                                >
                                  {label}
                                </Menu.Item>
                              ))}
                            </Menu.Dropdown>
                          </Menu>
                        )}
                        <Button
                          size="xs"
                          color="red.9"
                          onClick={async () => {
                            await actions.cancelAll(chosen.map(subjectOf))
                            setSelected(new Set())
                          }}
                        >
                          {t('Cancel selected')}
                        </Button>
                      </Group>
                    )}
                  </Group>
                  <QueueList
                    jobs={jobs}
                    actions={actions}
                    dialogs={dialogs}
                    selected={selected}
                    isPart={isPart}
                    forecasts={forecasts}
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
                      {t('Show more')}
                    </Button>
                  )}
                </div>
              )
            }
          </QueryView>
        </Stack>
      )}
      <WhyDrawer job={asked} onClose={() => setAsked(undefined)} />
      {dialogs.element}
    </>
  )
}

/** When printers out of reach were last seen, by their IDs: the page is drawn again when that changes, and not with each report. */
const lastSeenOf = (rows: readonly LivePrinter[]): Record<string, string> =>
  Object.fromEntries(rows.flatMap(({ id, last_known }) => (last_known ? [[id, last_known.reported_at]] : [])))

/** Of few that are shown, those come first that a person must do something about. */
function askingFirst(jobs: readonly QueuedJob[]): QueuedJob[] {
  const asks = ({ needs_look, status }: QueuedJob) => (needs_look ? 0 : status === 'paused' ? 1 : 2)
  return [...jobs].sort((a, b) => asks(a) - asks(b))
}
