import { Anchor, Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { type ReactNode, useState } from 'react'
import { ApiError } from '../../lib/api/api-error.ts'
import { showFieldErrors } from '../../ui/form-errors.ts'
import { FormProblem } from '../../ui/form-problem.tsx'
import { useSignIn } from './session.api.ts'

interface SignInFormProps {
  /** The one who was signed in before; then only the password is asked. */
  email?: string
  onDone: () => void
  /** Below the button. */
  children?: ReactNode
}

/** Email and password, then the code of the second factor when the service asks for one. */
export function SignInForm({ email, onDone, children }: SignInFormProps) {
  const form = useForm({ mode: 'uncontrolled', initialValues: { email: email ?? '', password: '', code: '' } })
  const signIn = useSignIn()
  const [isCodeAsked, setIsCodeAsked] = useState(false)
  const [problem, setProblem] = useState<Error>()

  const submit = form.onSubmit(({ code, ...credentials }) => {
    setProblem(undefined)
    signIn.mutate(isCodeAsked ? { ...credentials, code: code.replaceAll(/\s/g, '') } : credentials, {
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
        <TextInput
          label="Email"
          type="email"
          autoComplete="username"
          required
          readOnly={email !== undefined}
          data-autofocus={email === undefined || undefined}
          {...form.getInputProps('email')}
          key={form.key('email')}
        />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          required
          data-autofocus={email !== undefined || undefined}
          {...form.getInputProps('password')}
          key={form.key('password')}
        />
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
        <Button type="submit" size="md" loading={signIn.isPending}>
          Sign in
        </Button>
        {children}
      </Stack>
    </form>
  )
}

/** Where somebody who forgot a password goes on. */
export function ForgotLink() {
  return (
    <Anchor href="/forgot" size="sm">
      Forgot your password?
    </Anchor>
  )
}
