import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { assignmentDefaultsQuery } from '../../../features/worklist/worklist.api.ts'
import { PageHeader } from '../../../ui/page-header.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { QueryView } from '../../../ui/query-view.tsx'

export function TasksPage() {
  const defaults = useQuery(assignmentDefaultsQuery())
  return (
    <>
      <PageHeader title="Task assignment" description="Who gets a new task when nobody is named." />
      <QueryView query={defaults} failed="The assignment could not be read">
        {(rows) => (
          <Panel>
            {rows.length === 0 && <Text c="dimmed">New tasks wait for whoever takes them.</Text>}
            {rows.map(({ task_type, assigned_to }) => (
              <Text key={task_type ?? 'all'}>
                {task_type?.replace('_', ' ') ?? 'All other tasks'}: {assigned_to}
              </Text>
            ))}
          </Panel>
        )}
      </QueryView>
    </>
  )
}
