import { Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { DataOf } from '../../lib/api/api-routes.ts'
import { t } from '../../lib/i18n/t.ts'
import { FormProblem } from '../../ui/forms/form-problem.tsx'
import { NewPasswordInput } from '../../ui/forms/new-password-input.tsx'
import { useFormSubmit } from '../../ui/forms/use-form-submit.ts'
import { ProviderButton } from './provider-button.tsx'
import { useAcceptInvitation } from './session.api.ts'
import { CodeInput, useSignInCode } from './sign-in-code.tsx'

interface InvitationFormProps {
  token: string
  invitation: DataOf<'POST /invitations/look'>
  onDone: () => void
}

/** Who is known signs in by the password; who is not makes one up, with a name. */
export function InvitationForm({ token, invitation, onDone }: InvitationFormProps) {
  const form = useForm({ mode: 'uncontrolled', initialValues: { name: '', password: '', code: '' } })
  const accept = useAcceptInvitation()
  const signInCode = useSignInCode()
  const password = form.getInputProps('password')
  const { submit, problem } = useFormSubmit({
    form,
    mutation: accept,
    body: ({ name, password, code }) =>
      invitation.user_exists ? { token, password, ...signInCode.body(code) } : { token, name, password },
    onDone,
    fieldErrors: signInCode.fieldErrors,
  })

  return (
    <form onSubmit={submit}>
      <Stack>
        <FormProblem problem={problem} />
        <TextInput label={t('Email')} type="email" autoComplete="username" readOnly value={invitation.email} />
        {invitation.user_exists ? (
          <PasswordInput
            label={t('Your password')}
            description={t('You have an account here already: sign in with its password')}
            autoComplete="current-password"
            required
            data-autofocus
            {...password}
            key={form.key('password')}
          />
        ) : (
          <>
            <TextInput
              label={t('Your name')}
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
        {signInCode.isAsked && <CodeInput {...form.getInputProps('code')} key={form.key('code')} />}
        <Button type="submit" size="md" loading={accept.isPending}>
          {t('Join {account_name}', { account_name: invitation.account_name })}
        </Button>
        <ProviderButton invitation={{ token, accountName: invitation.account_name }} />
      </Stack>
    </form>
  )
}
