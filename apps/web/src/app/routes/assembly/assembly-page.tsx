import { Group, Select } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { assemblyListQuery } from '../../../features/assembly/assembly.api.ts'
import { readAssemblySearch } from '../../../features/assembly/assembly-search.ts'
import { AssemblyTable } from '../../../features/assembly/assembly-table.tsx'
import { assemblyKinds, assemblyStatuses } from '../../../features/assembly/assembly-words.ts'
import { morePages, rowsOf } from '../../../lib/api/paged-query.ts'
import { t } from '../../../lib/i18n/t.ts'
import { LinkButton } from '../../../ui/link-button.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { QueryView } from '../../../ui/page/query-view.tsx'
import { useMemberNames } from '../use-member-names.ts'
import '../jobs/filter-bar.css'

const route = getRouteApi('/member/shell/assembly')

export function AssemblyPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const list = useInfiniteQuery(assemblyListQuery(search))
  const names = useMemberNames()
  const show = (next: Record<string, unknown>) => void navigate({ search: readAssemblySearch(next), replace: true })
  return (
    <>
      <PageHeader title={t('Assembly')} description={t('Units to put together, and their progress.')} />
      <Group align="end" gap="sm" mb="md" className="filter-bar">
        <Select
          label={t('State')}
          placeholder={t('All')}
          data={Object.entries(assemblyStatuses).map(([value, { word }]) => ({ value, label: word }))}
          value={search.status ?? null}
          onChange={(status) => show({ ...search, status })}
          clearable
        />
        <Select
          label={t('Kind')}
          placeholder={t('All')}
          data={Object.entries(assemblyKinds).map(([value, label]) => ({ value, label }))}
          value={search.kind ?? null}
          onChange={(kind) => show({ ...search, kind })}
          clearable
        />
      </Group>
      <QueryView query={list} failed={t('The assembly tasks could not be read')}>
        {(data) => {
          const tasks = rowsOf(data) ?? []
          if (tasks.length > 0) return <AssemblyTable tasks={tasks} memberNames={names} {...morePages(list)} />
          if (Object.keys(search).length > 0) {
            return (
              <EmptyState
                icon="search"
                title={t('No assembly task matches')}
                action={
                  <LinkButton to="/assembly" search={{}} variant="default">
                    {t('Show all')}
                  </LinkButton>
                }
              />
            )
          }
          return (
            <EmptyState
              icon="assembly"
              title={t('Nothing to put together yet')}
              action={
                <LinkButton to="/production" search={{}} variant="default">
                  {t('To production')}
                </LinkButton>
              }
            >
              {t(
                'Kits that orders need, and printed units that need assembly, are asked for here by themselves. A SKU with a bill of materials has the button Put together.',
              )}
            </EmptyState>
          )
        }}
      </QueryView>
    </>
  )
}
