import { useQuery } from '@tanstack/react-query'
import { useNavigate, useRouterState } from '@tanstack/react-router'
import { useState } from 'react'
import { InvitationForm } from '../../../features/session/invitation-form.tsx'
import { readLinkToken } from '../../../features/session/link-token.ts'
import { invitationQuery } from '../../../features/session/session.api.ts'
import { t } from '../../../lib/i18n/t.ts'
import { LinkText } from '../../../ui/link-text.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { QueryView } from '../../../ui/page/query-view.tsx'

export function InvitationPage() {
  const hash = useRouterState({ select: ({ location }) => location.hash })
  // Kept while the page is open, whatever becomes of the address.
  const [token] = useState(() => readLinkToken(hash))
  return (
    <>
      <PageHeader title={t('You are invited')} />
      {token === undefined ? (
        <EmptyState icon="key" title={t('This link is not complete')}>
          {t('Open it from the mail again, or copy all of it.')}
        </EmptyState>
      ) : (
        <Invited token={token} />
      )}
    </>
  )
}

function Invited({ token }: { token: string }) {
  const navigate = useNavigate()
  const invitation = useQuery(invitationQuery(token))
  return (
    <>
      <QueryView query={invitation} failed={t('This invitation cannot be used')}>
        {(data) => (
          <InvitationForm token={token} invitation={data} onDone={() => void navigate({ to: '/', replace: true })} />
        )}
      </QueryView>
      {invitation.isError && (
        // Anyone who has joined by it already opens the mail again to get in.
        <LinkText to="/sign-in" size="sm" mt="md" display="inline-block">
          {t('Go to sign in')}
        </LinkText>
      )}
    </>
  )
}
