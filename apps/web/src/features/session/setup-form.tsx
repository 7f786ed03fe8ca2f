import { Button, Select, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { t } from '../../lib/i18n/t.ts'
import { FormProblem } from '../../ui/forms/form-problem.tsx'
import { NewPasswordInput } from '../../ui/forms/new-password-input.tsx'
import { useFormSubmit } from '../../ui/forms/use-form-submit.ts'
import { useSetUp } from './session.api.ts'

const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone
// The list leaves out UTC, and a browser may be set to a name that is not in it.
const timeZones = [...new Set([ownZone, 'UTC', ...Intl.supportedValuesOf('timeZone')])]

interface SetupFormProps {
  /** From the address that the service printed at its first start. */
  code: string | undefined
  onDone: () => void
}

/** The first account and its owner. */
export function SetupForm({ code, onDone }: SetupFormProps) {
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: {
      code: code ?? '',
      account_name: '',
      name: '',
      email: '',
      password: '',
      time_zone: ownZone,
    },
  })
  const setUp = useSetUp()
  const { submit, problem } = useFormSubmit({
    form,
    mutation: setUp,
    body: ({ code: typed, ...rest }) => (typed === '' ? rest : { ...rest, code: typed }),
    onDone,
    fieldErrors: ({ code: errorCode, message }) => (errorCode === 'SETUP_CODE_INVALID' ? { code: message } : undefined),
  })

  return (
    <form onSubmit={submit}>
      <Stack>
        <FormProblem problem={problem} />
        {(code === undefined || form.errors.code !== undefined) && (
          <TextInput
            label={t('Set-up code')}
            description={t('The service printed it when it started, beside its address')}
            required
            autoComplete="off"
            {...form.getInputProps('code')}
            key={form.key('code')}
          />
        )}
        <TextInput
          label={t('Name of the farm')}
          description={t('Shown to everybody who works with it')}
          required
          maxLength={120}
          data-autofocus
          {...form.getInputProps('account_name')}
          key={form.key('account_name')}
        />
        <TextInput
          label={t('Your name')}
          autoComplete="name"
          required
          maxLength={120}
          {...form.getInputProps('name')}
          key={form.key('name')}
        />
        <TextInput
          label={t('Email')}
          type="email"
          autoComplete="username"
          required
          {...form.getInputProps('email')}
          key={form.key('email')}
        />
        <NewPasswordInput {...form.getInputProps('password')} key={form.key('password')} />
        <Select
          label={t('Time zone')}
          description={t('Days begin and times are shown by it')}
          data={timeZones}
          searchable
          limit={50}
          allowDeselect={false}
          {...form.getInputProps('time_zone')}
          key={form.key('time_zone')}
        />
        <Button type="submit" size="md" loading={setUp.isPending}>
          {t('Begin')}
        </Button>
      </Stack>
    </form>
  )
}
