import { Button, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { showFieldErrors } from '../../ui/form-errors.ts'
import { FormProblem } from '../../ui/form-problem.tsx'
import { NewPasswordInput } from '../../ui/new-password-input.tsx'
import { useResetPassword } from './session.api.ts'

/** A new password by the token of a link. All sessions end with it. */
export function ResetForm({ token, onDone }: { token: string; onDone: () => void }) {
  const form = useForm({ mode: 'uncontrolled', initialValues: { password: '' } })
  const reset = useResetPassword()
  const [problem, setProblem] = useState<Error>()
  const submit = form.onSubmit(({ password }) => {
    setProblem(undefined)
    reset.mutate(
      { token, password },
      { onSuccess: onDone, onError: (error) => setProblem(showFieldErrors(form, error)) },
    )
  })
  return (
    <form onSubmit={submit}>
      <Stack>
        <FormProblem problem={problem} />
        <NewPasswordInput
          label="New password"
          data-autofocus
          {...form.getInputProps('password')}
          key={form.key('password')}
        />
        <Button type="submit" size="md" loading={reset.isPending}>
          Set password
        </Button>
      </Stack>
    </form>
  )
}
