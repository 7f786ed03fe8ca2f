import { useInfiniteQuery } from '@tanstack/react-query'
import { SignOutEverywhere } from '../../../features/session/sign-out-everywhere.tsx'
import { SessionTable } from '../../../features/settings/profile/session-table.tsx'
import { sessionListQuery } from '../../../features/settings/settings.api.ts'
import { morePages, rowsOf } from '../../../lib/api/paged-query.ts'
import { t } from '../../../lib/i18n/t.ts'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { QueryView } from '../../../ui/page/query-view.tsx'

export function SessionsPage() {
  const list = useInfiniteQuery(sessionListQuery())
  return (
    <>
      <PageHeader
        title={t('Sessions')}
        description={t(
          'Devices on which you are signed in. If you do not know one, sign it out and change your password.',
        )}
        actions={<SignOutEverywhere />}
      />
      <QueryView query={list} failed={t('The sessions could not be read')}>
        {(data) => <SessionTable sessions={rowsOf(data) ?? []} {...morePages(list)} />}
      </QueryView>
    </>
  )
}
