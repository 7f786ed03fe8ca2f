import { useNavigate, useRouterState } from '@tanstack/react-router'
import { useState } from 'react'
import { readLinkToken } from '../../../features/session/link-token.ts'
import { ResetForm } from '../../../features/session/reset-form.tsx'
import { t } from '../../../lib/i18n/t.ts'
import { toastDone } from '../../../ui/dialogs/toast.tsx'
import { LinkText } from '../../../ui/link-text.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'

export function ResetPage() {
  const hash = useRouterState({ select: ({ location }) => location.hash })
  // Kept while the page is open, whatever becomes of the address.
  const [token] = useState(() => readLinkToken(hash))
  const navigate = useNavigate()
  return (
    <>
      <PageHeader title={t('Set a new password')} />
      {token === undefined ? (
        <EmptyState
          icon="key"
          title={t('This link is not complete')}
          action={<LinkText to="/forgot">{t('Ask for another one')}</LinkText>}
        >
          {t('Open it from the mail again, or copy all of it.')}
        </EmptyState>
      ) : (
        <ResetForm
          token={token}
          onDone={() => {
            toastDone(t('Your password is set. Sign in with it.'))
            void navigate({ to: '/sign-in', replace: true })
          }}
        />
      )}
    </>
  )
}
