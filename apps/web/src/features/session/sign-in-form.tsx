import { Anchor, Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { ReactNode } from 'react'
import { t } from '../../lib/i18n/t.ts'
import { FormProblem } from '../../ui/forms/form-problem.tsx'
import { useFormSubmit } from '../../ui/forms/use-form-submit.ts'
import { useSignIn } from './session.api.ts'
import { CodeInput, useSignInCode } from './sign-in-code.tsx'

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
  const signInCode = useSignInCode()
  const { submit, problem } = useFormSubmit({
    form,
    mutation: signIn,
    body: ({ code, ...credentials }) => ({ ...credentials, ...signInCode.body(code) }),
    onDone,
    fieldErrors: signInCode.fieldErrors,
  })

  return (
    <form onSubmit={submit}>
      <Stack>
        <FormProblem problem={problem} />
        <TextInput
          label={t('Email')}
          type="email"
          autoComplete="username"
          required
          readOnly={email !== undefined}
          data-autofocus={email === undefined || undefined}
          {...form.getInputProps('email')}
          key={form.key('email')}
        />
        <PasswordInput
          label={t('Password')}
          autoComplete="current-password"
          required
          data-autofocus={email !== undefined || undefined}
          {...form.getInputProps('password')}
          key={form.key('password')}
        />
        {signInCode.isAsked && <CodeInput {...form.getInputProps('code')} key={form.key('code')} />}
        <Button type="submit" size="md" loading={signIn.isPending}>
          {t('Sign in')}
        </Button>
        {children}
      </Stack>
    </form>
  )
}

/** Where a person who forgot a password goes on. */
export function ForgotLink() {
  return (
    <Anchor href="/forgot" size="sm">
      {t('Forgot your password?')}
    </Anchor>
  )
}
