import { Button, Group, PasswordInput, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Session } from '../../../lib/api/api-schema.generated.ts'
import { t } from '../../../lib/i18n/t.ts'
import { FormProblem } from '../../../ui/forms/form-problem.tsx'
import { NewPasswordInput } from '../../../ui/forms/new-password-input.tsx'
import { useFormSubmit } from '../../../ui/forms/use-form-submit.ts'
import { useChangePassword } from '../settings.api.ts'

interface PasswordFormProps {
  user: Session['user']
  /** People may sign in by a provider here, and then have no password. */
  mayHaveNone: boolean
}

/** Another password. Everywhere else the person is signed out. */
export function PasswordForm({ user, mayHaveNone }: PasswordFormProps) {
  const form = useForm({ mode: 'controlled', initialValues: { current_password: '', new_password: '' } })
  const change = useChangePassword()
  const { submit, problem } = useFormSubmit({
    form,
    mutation: change,
    body: ({ current_password, new_password }) =>
      current_password === '' ? { new_password } : { current_password, new_password },
    done: () => t('Your password is changed. You are signed out everywhere else.'),
    onDone: form.reset,
    fieldErrors: ({ code }) =>
      code === 'INVALID_CREDENTIALS' ? { current_password: t('This is not your password') } : undefined,
  })
  return (
    <form onSubmit={submit}>
      <Stack className="form-narrow">
        <FormProblem problem={problem} />
        <input type="text" autoComplete="username" value={user.email} readOnly hidden />
        <PasswordInput
          label={t('Present password')}
          autoComplete="current-password"
          required={!mayHaveNone}
          {...(mayHaveNone && { description: t('Empty if you have none yet and sign in by the provider') })}
          {...form.getInputProps('current_password')}
        />
        <NewPasswordInput {...form.getInputProps('new_password')} label={t('New password')} />
        <Group>
          <Button type="submit" loading={change.isPending}>
            {t('Change the password')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
