import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Navigate, useNavigate } from '@tanstack/react-router'
import { setupNeededQuery } from '../../../features/session/session.api.ts'
import { SetupForm } from '../../../features/session/setup-form.tsx'
import { t } from '../../../lib/i18n/t.ts'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { QueryView } from '../../../ui/page/query-view.tsx'

const route = getRouteApi('/visitor/setup')

export function SetupPage() {
  const { setup: code } = route.useSearch()
  const navigate = useNavigate()
  const state = useQuery(setupNeededQuery)
  return (
    <>
      <PageHeader title={t('Set up your farm')} description={t('You become its owner. Others join by invitation.')} />
      <QueryView query={state} failed={t('The service did not answer')}>
        {({ needed }) =>
          needed ? (
            <SetupForm code={code} onDone={() => void navigate({ to: '/', replace: true })} />
          ) : (
            <Navigate to="/" replace />
          )
        }
      </QueryView>
    </>
  )
}
