import { SegmentedControl, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { FailureList } from '../../../features/failures/failure-list.tsx'
import { failureListQuery } from '../../../features/failures/failures.api.ts'
import { formatCount } from '../../../lib/format.ts'
import { Rich } from '../../../lib/i18n/rich.tsx'
import { t } from '../../../lib/i18n/t.ts'
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
  const all = useQuery(failureListQuery({ show: 'all' }))
  return (
    <>
      <PageHeader
        title={t('Failures')}
        description={
          <Rich
            text="<link>History</link> · prints of the last 30 days that failed or were stopped"
            values={{ link: (words) => <LinkText to="/history">{words}</LinkText> }}
          />
        }
        actions={
          <LinkButton to="/reports" search={{ report: 'failures' }} variant="default">
            {t('Report')}
          </LinkButton>
        }
      />
      <SegmentedControl
        aria-label={t('Filter of failures')}
        mb="md"
        data={[
          { value: 'open', label: t('Not looked into') },
          { value: 'all', label: t('All') },
        ]}
        value={search.show ?? 'open'}
        onChange={(chosen) => void navigate({ search: chosen === 'all' ? { show: 'all' } : {}, replace: true })}
      />
      <QueryView query={list} failed={t('The failures could not be read')}>
        {({ recent, total_failures }) =>
          recent.length === 0 ? (
            <NoFailure isPart={(all.data?.total_failures ?? 0) > 0} />
          ) : (
            <>
              <FailureList failures={recent} />
              {total_failures > recent.length && (
                <Text size="sm" c="dimmed" mt="xs">
                  {t('The latest {recent} of {total_failures}.', {
                    recent: formatCount(recent.length),
                    total_failures: formatCount(total_failures),
                  })}
                </Text>
              )}
            </>
          )
        }
      </QueryView>
    </>
  )
}

function NoFailure({ isPart }: { isPart: boolean }) {
  if (!isPart) {
    return (
      <EmptyState icon="check" title={t('No failures')}>
        {t('Prints that fail or are stopped are listed here, with a picture from the camera of their printer.')}
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon="check"
      title={t('Every failure was looked into')}
      action={
        <LinkButton to="/failures" search={{ show: 'all' }} variant="default">
          {t('Show all')}
        </LinkButton>
      }
    />
  )
}
