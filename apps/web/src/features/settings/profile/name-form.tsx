import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Session } from '../../../lib/api/api-schema.generated.ts'
import { t } from '../../../lib/i18n/t.ts'
import { FormProblem } from '../../../ui/forms/form-problem.tsx'
import { useFormSubmit } from '../../../ui/forms/use-form-submit.ts'
import { useChangeProfile } from '../settings.api.ts'

export function NameForm({ user }: { user: Session['user'] }) {
  const form = useForm({ mode: 'controlled', initialValues: { name: user.name } })
  const change = useChangeProfile()
  const { submit, problem } = useFormSubmit({
    form,
    mutation: change,
    body: ({ name }) => name,
    done: () => t('Your name is saved'),
  })
  return (
    <form onSubmit={submit}>
      <Stack className="form-narrow">
        <FormProblem problem={problem} />
        <TextInput
          label={t('Name')}
          description={t('As others see it')}
          autoComplete="name"
          maxLength={200}
          {...form.getInputProps('name')}
        />
        <TextInput
          label={t('Email')}
          description={t('You sign in by it')}
          value={user.email}
          readOnly
          variant="filled"
        />
        <Group>
          <Button type="submit" loading={change.isPending} disabled={form.values.name === user.name}>
            {t('Save')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
