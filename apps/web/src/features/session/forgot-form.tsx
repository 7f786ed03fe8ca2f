import { Alert, Button, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { t } from '../../lib/i18n/t.ts'
import { FormProblem } from '../../ui/forms/form-problem.tsx'
import { useFormSubmit } from '../../ui/forms/use-form-submit.ts'
import { Icon } from '../../ui/icon.tsx'
import { useForgotPassword } from './session.api.ts'

/** Asks for a mail with a link. The answer is the same whether or not a person has this address. */
export function ForgotForm() {
  const form = useForm({ mode: 'uncontrolled', initialValues: { email: '' } })
  const forgot = useForgotPassword()
  const { submit, problem } = useFormSubmit({ form, mutation: forgot, body: ({ email }) => email })

  if (forgot.isSuccess) {
    return (
      <Alert icon={<Icon name="check" />} title={t('Look into your mail')} role="status">
        <Text size="sm">
          {t(
            'If the address is known here and this service can send mail, a link is on its way. Where no mail comes, an owner or admin can make the link under Settings, Members.',
          )}
        </Text>
      </Alert>
    )
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <FormProblem problem={problem} />
        <TextInput
          label={t('Email')}
          type="email"
          autoComplete="username"
          required
          data-autofocus
          {...form.getInputProps('email')}
          key={form.key('email')}
        />
        <Button type="submit" size="md" loading={forgot.isPending}>
          {t('Send a link')}
        </Button>
      </Stack>
    </form>
  )
}
