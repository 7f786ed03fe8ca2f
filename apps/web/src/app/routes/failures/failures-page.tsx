import { SegmentedControl, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { FailureList } from '../../../features/failures/failure-list.tsx'
import { failureListQuery } from '../../../features/failures/failures.api.ts'
import { formatCount } from '../../../lib/format.ts'
import { LinkButton } from '../../../ui/link-button.tsx'
import { LinkText } from '../../../ui/link-text.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { QueryView } from '../../../ui/page/query-view.tsx'

const route = getRouteApi('/member/shell/failures')

export function FailuresPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const list = useQuery(failureListQuery(search))
  return (
    <>
      <PageHeader
        title="Failures"
        description={
          <>
            <LinkText to="/history">History</LinkText> · prints of the last 30 days that failed or were stopped
          </>
        }
        actions={
          <LinkButton to="/reports" search={{ report: 'failures' }} variant="default">
            Report
          </LinkButton>
        }
      />
      <SegmentedControl
        aria-label="Which failures"
        mb="md"
        data={[
          { value: 'open', label: 'Not looked into' },
          { value: 'all', label: 'All' },
        ]}
        value={search.show ?? 'open'}
        onChange={(chosen) => void navigate({ search: chosen === 'all' ? { show: 'all' } : {}, replace: true })}
      />
      <QueryView query={list} failed="The failures could not be read">
        {({ recent, total_failures }) =>
          recent.length === 0 ? (
            <EmptyState
              icon="check"
              title={search.show === 'all' ? 'Nothing failed' : 'Every failure was looked into'}
            />
          ) : (
            <>
              <FailureList failures={recent} />
              {total_failures > recent.length && (
                <Text size="sm" c="dimmed" mt="xs">
                  The latest {formatCount(recent.length)} of {formatCount(total_failures)}.
                </Text>
              )}
            </>
          )
        }
      </QueryView>
    </>
  )
}
