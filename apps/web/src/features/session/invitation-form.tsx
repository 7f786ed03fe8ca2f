import { Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import type { DataOf } from '../../lib/api/api-routes.ts'
import { showFieldErrors } from '../../ui/form-errors.ts'
import { FormProblem } from '../../ui/form-problem.tsx'
import { NewPasswordInput } from './new-password-input.tsx'
import { useAcceptInvitation } from './session.api.ts'

interface InvitationFormProps {
  token: string
  invitation: DataOf<'POST /invitations/look'>
  onDone: () => void
}

/** Who is known signs in by the password; who is not makes one up, with a name. */
export function InvitationForm({ token, invitation, onDone }: InvitationFormProps) {
  const form = useForm({ mode: 'uncontrolled', initialValues: { name: '', password: '' } })
  const accept = useAcceptInvitation()
  const [problem, setProblem] = useState<Error>()
  const password = form.getInputProps('password')

  const submit = form.onSubmit((values) => {
    setProblem(undefined)
    accept.mutate(invitation.user_exists ? { token, password: values.password } : { token, ...values }, {
      onSuccess: onDone,
      onError: (error) => setProblem(showFieldErrors(form, error)),
    })
  })

  return (
    <form onSubmit={submit}>
      <Stack>
        <FormProblem problem={problem} />
        <TextInput label="Email" type="email" autoComplete="username" readOnly value={invitation.email} />
        {invitation.user_exists ? (
          <PasswordInput
            label="Your password"
            description="You have an account here already: sign in with its password"
            autoComplete="current-password"
            required
            data-autofocus
            {...password}
            key={form.key('password')}
          />
        ) : (
          <>
            <TextInput
              label="Your name"
              autoComplete="name"
              required
              maxLength={120}
              data-autofocus
              {...form.getInputProps('name')}
              key={form.key('name')}
            />
            <NewPasswordInput {...password} key={form.key('password')} />
          </>
        )}
        <Button type="submit" size="md" loading={accept.isPending}>
          Join {invitation.account_name}
        </Button>
      </Stack>
    </form>
  )
}
