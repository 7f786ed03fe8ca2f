import { Button } from '@mantine/core'
import { t } from '../../lib/i18n/t.ts'
import { hasPasskeys } from '../../lib/passkeys.ts'
import { FormProblem } from '../../ui/forms/form-problem.tsx'
import { Icon } from '../../ui/icon.tsx'
import { usePasskeySignIn } from './session.api.ts'

/** Sign-in by a passkey, where the browser can use one. */
export function PasskeyButton({ onDone }: { onDone: () => void }) {
  const signIn = usePasskeySignIn()
  if (!hasPasskeys()) return null
  return (
    <>
      <FormProblem problem={signIn.error ?? undefined} />
      <Button
        variant="default"
        size="md"
        leftSection={<Icon name="key" size={16} />}
        loading={signIn.isPending}
        onClick={() => signIn.mutate(undefined, { onSuccess: onDone })}
      >
        {t('Sign in with a passkey')}
      </Button>
    </>
  )
}
