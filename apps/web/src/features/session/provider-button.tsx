import { Button, Divider } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { t } from '../../lib/i18n/t.ts'
import { FormProblem } from '../../ui/forms/form-problem.tsx'
import { providerQuery, useProviderSignIn } from './session.api.ts'

interface ProviderButtonProps {
  /** An invitation that the person says yes to by pressing it. */
  invitation?: { token: string; accountName: string }
}

/** Sign-in by the farm's own provider, where one is configured; otherwise nothing. */
export function ProviderButton({ invitation }: ProviderButtonProps) {
  const { data } = useQuery(providerQuery)
  const signIn = useProviderSignIn()
  if (!data?.configured) return null
  return (
    <>
      <Divider label={t('or')} />
      <FormProblem problem={signIn.error ?? undefined} />
      <Button
        variant="default"
        size="md"
        loading={signIn.isPending || signIn.isSuccess}
        onClick={() => signIn.mutate(invitation?.token)}
      >
        {invitation
          ? t('Join {accountName} with {name}', { accountName: invitation.accountName, name: data.name })
          : t('Sign in with {name}', { name: data.name })}
      </Button>
    </>
  )
}
