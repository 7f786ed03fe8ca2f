import { ForgotForm } from '../../../features/session/forgot-form.tsx'
import { LinkText } from '../../../ui/link-text.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'

export function ForgotPage() {
  return (
    <>
      <PageHeader title="Forgot your password?" description="A link to set a new one comes by mail." />
      <ForgotForm />
      <LinkText to="/sign-in" size="sm" mt="md" display="inline-block">
        Back to sign in
      </LinkText>
    </>
  )
}
