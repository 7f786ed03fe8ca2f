import { Button, Group, PasswordInput, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { ApiError } from '../../lib/api/api-error.ts'
import type { User } from '../../lib/api/api-routes.ts'
import { showFieldErrors } from '../../ui/form-errors.ts'
import { FormProblem } from '../../ui/form-problem.tsx'
import { NewPasswordInput } from '../../ui/new-password-input.tsx'
import { toastDone } from '../../ui/toast.tsx'
import { useChangePassword } from './settings.api.ts'

interface PasswordFormProps {
  user: User
  /** People may sign in by a provider here, and then have no password. */
  mayHaveNone: boolean
}

/** Another password. Everywhere else the person is signed out. */
export function PasswordForm({ user, mayHaveNone }: PasswordFormProps) {
  const form = useForm({ mode: 'controlled', initialValues: { current_password: '', new_password: '' } })
  const change = useChangePassword()
  const [problem, setProblem] = useState<Error>()
  const submit = form.onSubmit(({ current_password, new_password }) => {
    setProblem(undefined)
    change.mutate(current_password === '' ? { new_password } : { current_password, new_password }, {
      onSuccess: () => {
        form.reset()
        toastDone('Your password is changed. You are signed out everywhere else.')
      },
      onError: (error) => {
        if (error instanceof ApiError && error.code === 'INVALID_CREDENTIALS') {
          form.setErrors({ current_password: 'This is not your password' })
        } else setProblem(showFieldErrors(form, error))
      },
    })
  })
  return (
    <form onSubmit={submit}>
      <Stack className="form-narrow">
        <FormProblem problem={problem} />
        <input type="text" autoComplete="username" value={user.email} readOnly hidden />
        <PasswordInput
          label="Present password"
          autoComplete="current-password"
          required={!mayHaveNone}
          {...(mayHaveNone && { description: 'Empty if you have none yet and sign in by the provider' })}
          {...form.getInputProps('current_password')}
        />
        <NewPasswordInput {...form.getInputProps('new_password')} label="New password" />
        <Group>
          <Button type="submit" loading={change.isPending}>
            Change the password
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
