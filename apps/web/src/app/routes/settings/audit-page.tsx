import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { everyHubQuery } from '../../../features/hubs/hubs.api.ts'
import { AuditFilterBar, type AuditSearch } from '../../../features/settings/audit/audit-filters.tsx'
import { AuditTable } from '../../../features/settings/audit/audit-table.tsx'
import { apiKeyListQuery, auditQuery, memberListQuery } from '../../../features/settings/settings.api.ts'
import { morePages, rowsOf } from '../../../lib/api/paged-query.ts'
import { t } from '../../../lib/i18n/t.ts'
import { useMay, useSession } from '../../../lib/session.ts'
import { nextDay, startOfDay } from '../../../lib/zone-day.ts'
import { LinkButton } from '../../../ui/link-button.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { NoPermission } from '../../../ui/page/error-state.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { QueryView } from '../../../ui/page/query-view.tsx'

const route = getRouteApi('/member/shell/settings/audit')

export function AuditPage() {
  const mayLook = useMay('admin')
  return (
    <>
      <PageHeader title={t('Audit log')} description={t('Events of this account, and who caused them.')} />
      {mayLook ? <Audit /> : <NoPermission />}
    </>
  )
}

function Audit() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { account } = useSession()
  const list = useInfiniteQuery(auditQuery(filtersOf(search, account.time_zone)))
  const members = rowsOf(useInfiniteQuery(memberListQuery()).data) ?? []
  const keys = rowsOf(useInfiniteQuery(apiKeyListQuery()).data) ?? []
  const hubs = useQuery(everyHubQuery()).data ?? []
  const people = members.map(({ user_id, name, email }) => ({ id: user_id, name: name || email || user_id }))
  const names = new Map([...people, ...keys, ...hubs].map(({ id, name }) => [id, name]))
  const actors = [
    ...people.map(({ id, name }) => ({ value: `user:${id}`, label: name })),
    ...keys.map(({ id, name }) => ({ value: `key:${id}`, label: t('API key {name}', { name }) })),
    ...hubs.map(({ id, name }) => ({ value: `hub:${id}`, label: t('Hub {name}', { name }) })),
    { value: 'system', label: t('Printyard itself') },
  ]
  const types = [...commonTypes, ...(rowsOf(list.data) ?? []).map(({ type }) => type)]
  return (
    <>
      <AuditFilterBar
        search={search}
        actors={actors}
        types={types}
        onChange={(next) => void navigate({ search: next, replace: true })}
      />
      <QueryView query={list} failed={t('The audit log could not be read')}>
        {(data) => {
          const events = rowsOf(data) ?? []
          if (events.length === 0) {
            return (
              <EmptyState
                icon="search"
                title={t('No events of this kind')}
                action={
                  <LinkButton to="/settings/audit" search={{}} variant="default">
                    {t('Show all')}
                  </LinkButton>
                }
              >
                {t('Every change is recorded here with who made it.')}
              </EmptyState>
            )
          }
          return <AuditTable events={events} names={names} {...morePages(list)} />
        }}
      </QueryView>
    </>
  )
}

/** What people look for most, whether or not it is on the first page. */
const commonTypes = [
  'member.joined',
  'member.role_changed',
  'member.removed',
  'user.sessions_ended',
  'invitation.created',
  'api_key.created',
  'api_key.revoked',
  'agent.used_tool',
  'account.updated',
  'printer.created',
  'printer.updated',
  'printer.deleted',
  'hub.joined',
  'job.cancelled',
]

/** Days of the account's own clock, the last one with all its hours. */
function filtersOf({ from, to, ...rest }: AuditSearch, timeZone: string) {
  const dayAfter = to === undefined ? undefined : nextDay(to)
  return {
    ...rest,
    from: from === undefined ? undefined : startOfDay(from, timeZone),
    to: dayAfter === undefined ? undefined : startOfDay(dayAfter, timeZone),
  }
}
