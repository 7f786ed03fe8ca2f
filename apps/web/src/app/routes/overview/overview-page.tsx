import { List } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Figure } from '../../../features/overview/figure.tsx'
import { overviewQuery } from '../../../features/overview/overview.api.ts'
import { countStatuses, type StatusChoice } from '../../../features/printers/list/printer-view.ts'
import { livePrintersQuery } from '../../../features/printers/printers.api.ts'
import type { LivePrinter, Overview } from '../../../lib/api/api-schema.generated.ts'
import { LinkButton } from '../../../ui/link-button.tsx'
import { LinkText } from '../../../ui/link-text.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { QueryView } from '../../../ui/page/query-view.tsx'
import { OverviewNeeds } from './overview-needs.tsx'
import { OverviewToday } from './overview-today.tsx'
import './overview-page.css'

export function OverviewPage() {
  const overview = useQuery(overviewQuery())
  const printers = useQuery(livePrintersQuery())
  return (
    <>
      <PageHeader title="Overview" />
      <QueryView query={overview} failed="The overview could not be read">
        {(counts) => (
          <QueryView query={printers} failed="The printers could not be read">
            {(rows) => (rows.length === 0 ? <FirstSteps counts={counts} /> : <Farm counts={counts} rows={rows} />)}
          </QueryView>
        )}
      </QueryView>
    </>
  )
}

/** A farm without printers: what comes next. */
function FirstSteps({ counts }: { counts: Overview }) {
  const hasHub = counts.hubs.total > 0
  return (
    <EmptyState
      icon="printer"
      title="No printer yet"
      action={<LinkButton to={hasHub ? '/printers' : '/hubs'}>{hasHub ? 'Add a printer' : 'Set up a hub'}</LinkButton>}
    >
      {hasHub
        ? 'Your hub is there. Adopt the printers that it finds, or add one by hand.'
        : 'A hub runs on the network of your printers and talks to them. Set one up first.'}
      <List type="ordered" size="sm" mt="md" ta="start" w="fit-content" mx="auto">
        <List.Item>{hasHub ? 'Set up a hub: done' : 'Set up a hub'}</List.Item>
        <List.Item>Add the printers that it finds, or by their addresses</List.Item>
        <List.Item>Look at their plates, and say that they are clear</List.Item>
        <List.Item>
          Upload a sliced file under <LinkText to="/files">Files</LinkText>, and print it
        </List.Item>
      </List>
    </EmptyState>
  )
}

function Farm({ counts, rows }: { counts: Overview; rows: readonly LivePrinter[] }) {
  // What printers say is newer than what was counted.
  const { printing, idle, offline, error, 'needs-person': waiting } = countStatuses(rows)
  const printers = (status: StatusChoice) => ({ to: '/printers', search: { status } }) as const
  return (
    <>
      <ul className="overview-figures" aria-label="Counts">
        <li>
          <Figure {...printers('needs-person')} icon="user" count={waiting} label="need a person" tone="waiting" />
        </li>
        <li>
          <Figure {...printers('printing')} icon="play" count={printing} label="printing" tone="working" />
        </li>
        <li>
          <Figure {...printers('idle')} icon="idle" count={idle} label="idle" />
        </li>
        <li>
          <Figure {...printers('error')} icon="warning" count={error} label="in error" tone="trouble" />
        </li>
        <li>
          <Figure {...printers('offline')} icon="away" count={offline} label="offline" tone="waiting" />
        </li>
        <li>
          <Figure to="/queue" icon="queue" count={counts.jobs.queued} label="jobs waiting" />
        </li>
        <li>
          <Figure to="/worklist" icon="worklist" count={counts.tasks.pending} label="tasks to do" />
        </li>
      </ul>
      <div className="overview-columns">
        <OverviewNeeds rows={rows} tasks={counts.tasks.pending} />
        <OverviewToday counts={counts} />
      </div>
    </>
  )
}
