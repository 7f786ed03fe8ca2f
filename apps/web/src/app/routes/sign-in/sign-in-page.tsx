import { Alert, Text } from '@mantine/core'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { PasskeyButton } from '../../../features/session/passkey-button.tsx'
import { ProviderButton } from '../../../features/session/provider-button.tsx'
import { explainProviderProblem } from '../../../features/session/provider-problems.ts'
import { ForgotLink, SignInForm } from '../../../features/session/sign-in-form.tsx'
import { t } from '../../../lib/i18n/t.ts'
import { safeReturn } from '../../../lib/safe-return.ts'
import { Icon } from '../../../ui/icon.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'

const route = getRouteApi('/visitor/sign-in')

export function SignInPage() {
  const { return: returnPath, problem } = route.useSearch()
  const router = useRouter()
  return (
    <>
      <PageHeader title={t('Sign in')} />
      {problem !== undefined && (
        <Alert color="red" variant="light" icon={<Icon name="warning" />} role="alert" mb="md">
          <Text size="sm">{explainProviderProblem(problem)}</Text>
        </Alert>
      )}
      <SignInForm onDone={() => router.history.push(safeReturn(returnPath))}>
        <PasskeyButton onDone={() => router.history.push(safeReturn(returnPath))} />
        <ProviderButton />
        <ForgotLink />
      </SignInForm>
    </>
  )
}
