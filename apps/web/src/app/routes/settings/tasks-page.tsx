import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { memberListQuery } from '../../../features/settings/settings.api.ts'
import {
  AssignmentDefaultsFacts,
  AssignmentDefaultsForm,
} from '../../../features/worklist/assignment-defaults-form.tsx'
import { assignmentDefaultsQuery } from '../../../features/worklist/worklist.api.ts'
import { rowsOf } from '../../../lib/api/paged-query.ts'
import { t } from '../../../lib/i18n/t.ts'
import { useMay } from '../../../lib/session.ts'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { QueryView } from '../../../ui/page/query-view.tsx'

export function TasksPage() {
  const defaults = useQuery(assignmentDefaultsQuery())
  const members = useInfiniteQuery(memberListQuery())
  const mayChange = useMay('write')
  return (
    <>
      <PageHeader title={t('Task assignment')} description={t('Default assignees of new tasks.')} />
      <Panel>
        <QueryView query={members} failed={t('The members could not be read')}>
          {(data) => (
            <QueryView query={defaults} failed={t('The assignment could not be read')}>
              {(rows) => {
                const people = (rowsOf(data) ?? []).map(({ user_id, name, email }) => ({
                  user_id,
                  name: name || email || user_id,
                }))
                const Defaults = mayChange ? AssignmentDefaultsForm : AssignmentDefaultsFacts
                return <Defaults defaults={rows} people={people} />
              }}
            </QueryView>
          )}
        </QueryView>
      </Panel>
    </>
  )
}
