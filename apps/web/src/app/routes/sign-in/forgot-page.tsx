import { ForgotForm } from '../../../features/session/forgot-form.tsx'
import { t } from '../../../lib/i18n/t.ts'
import { LinkText } from '../../../ui/link-text.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'

export function ForgotPage() {
  return (
    <>
      <PageHeader title={t('Forgot your password?')} description={t('A link to set a new one comes by mail.')} />
      <ForgotForm />
      <LinkText to="/sign-in" size="sm" mt="md" display="inline-block">
        {t('Back to sign in')}
      </LinkText>
    </>
  )
}
