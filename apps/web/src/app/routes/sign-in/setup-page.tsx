import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Navigate, useNavigate } from '@tanstack/react-router'
import { setupNeededQuery } from '../../../features/session/session.api.ts'
import { SetupForm } from '../../../features/session/setup-form.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { QueryView } from '../../../ui/page/query-view.tsx'

const route = getRouteApi('/visitor/setup')

export function SetupPage() {
  const { setup: code } = route.useSearch()
  const navigate = useNavigate()
  const state = useQuery(setupNeededQuery)
  return (
    <>
      <PageHeader title="Set up your farm" description="You become its owner. Others join by invitation." />
      <QueryView query={state} failed="The service did not answer">
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
