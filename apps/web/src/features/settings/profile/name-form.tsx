import { Button, Group, Select, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Session } from '../../../lib/api/api-schema.generated.ts'
import { changeLanguage } from '../../../lib/i18n/language.ts'
import { languages, preferredLanguage, readLanguage } from '../../../lib/i18n/languages.ts'
import { t } from '../../../lib/i18n/t.ts'
import { FormProblem } from '../../../ui/forms/form-problem.tsx'
import { useFormSubmit } from '../../../ui/forms/use-form-submit.ts'
import { useChangeProfile } from '../settings.api.ts'

export function NameForm({ user }: { user: Session['user'] }) {
  const form = useForm({ mode: 'controlled', initialValues: { name: user.name, language: user.language ?? '' } })
  const change = useChangeProfile()
  const { submit, problem } = useFormSubmit({
    form,
    mutation: change,
    body: ({ name, language }) => ({ name, language: readLanguage(language) ?? null }),
    done: () => t('Your name is saved'),
    onDone: (saved) => void changeLanguage(readLanguage(saved.language) ?? preferredLanguage(navigator.languages)),
  })
  return (
    <form onSubmit={submit}>
      <Stack className="form-narrow">
        <FormProblem problem={problem} />
        <TextInput
          label={t('Name')}
          description={t('Your name as others see it')}
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
        <Select
          label={t('Language')}
          description={t('For this dashboard, wherever you sign in')}
          data={[
            { value: '', label: t('Language of the browser') },
            ...Object.entries(languages).map(([value, label]) => ({ value, label })),
          ]}
          allowDeselect={false}
          {...form.getInputProps('language')}
        />
        <Group>
          <Button
            type="submit"
            loading={change.isPending}
            disabled={form.values.name === user.name && form.values.language === (user.language ?? '')}
          >
            {t('Save')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
