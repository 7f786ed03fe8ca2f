import { Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { ApiError } from '../../lib/api/api-error.ts'
import type { DataOf } from '../../lib/api/api-routes.ts'
import { showFieldErrors } from '../../ui/form-errors.ts'
import { FormProblem } from '../../ui/form-problem.tsx'
import { NewPasswordInput } from '../../ui/new-password-input.tsx'
import { useAcceptInvitation } from './session.api.ts'

interface InvitationFormProps {
  token: string
  invitation: DataOf<'POST /invitations/look'>
  onDone: () => void
}

/** Who is known signs in by the password; who is not makes one up, with a name. */
export function InvitationForm({ token, invitation, onDone }: InvitationFormProps) {
  const form = useForm({ mode: 'uncontrolled', initialValues: { name: '', password: '', code: '' } })
  const accept = useAcceptInvitation()
  const [isCodeAsked, setIsCodeAsked] = useState(false)
  const [problem, setProblem] = useState<Error>()
  const password = form.getInputProps('password')

  const submit = form.onSubmit(({ name, password, code }) => {
    setProblem(undefined)
    const known = isCodeAsked ? { token, password, code: code.replaceAll(/\s/g, '') } : { token, password }
    accept.mutate(invitation.user_exists ? known : { token, name, password }, {
      onSuccess: onDone,
      onError: (error) => {
        const errorCode = error instanceof ApiError ? error.code : undefined
        if (errorCode === 'CODE_REQUIRED') setIsCodeAsked(true)
        else if (errorCode === 'CODE_INVALID') form.setErrors({ code: 'This code is wrong or has been used' })
        else setProblem(showFieldErrors(form, error))
      },
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
              maxLength={200}
              data-autofocus
              {...form.getInputProps('name')}
              key={form.key('name')}
            />
            <NewPasswordInput {...password} key={form.key('password')} />
          </>
        )}
        {isCodeAsked && (
          <TextInput
            label="Code"
            description="Six digits from your authenticator app, or one of your backup codes"
            autoComplete="one-time-code"
            required
            autoFocus
            {...form.getInputProps('code')}
            key={form.key('code')}
          />
        )}
        <Button type="submit" size="md" loading={accept.isPending}>
          Join {invitation.account_name}
        </Button>
      </Stack>
    </form>
  )
}
