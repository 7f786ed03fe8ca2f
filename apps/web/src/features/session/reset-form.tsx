import { Button, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { t } from '../../lib/i18n/t.ts'
import { FormProblem } from '../../ui/forms/form-problem.tsx'
import { NewPasswordInput } from '../../ui/forms/new-password-input.tsx'
import { useFormSubmit } from '../../ui/forms/use-form-submit.ts'
import { useResetPassword } from './session.api.ts'

/** A new password by the token of a link. All sessions end with it. */
export function ResetForm({ token, onDone }: { token: string; onDone: () => void }) {
  const form = useForm({ mode: 'uncontrolled', initialValues: { password: '' } })
  const reset = useResetPassword()
  const { submit, problem } = useFormSubmit({
    form,
    mutation: reset,
    body: ({ password }) => ({ token, password }),
    onDone,
  })
  return (
    <form onSubmit={submit}>
      <Stack>
        <FormProblem problem={problem} />
        <NewPasswordInput
          label={t('New password')}
          data-autofocus
          {...form.getInputProps('password')}
          key={form.key('password')}
        />
        <Button type="submit" size="md" loading={reset.isPending}>
          {t('Set password')}
        </Button>
      </Stack>
    </form>
  )
}
