import { Button, Checkbox, Group, Modal, Select, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Scope } from '../../../lib/api/api-routes.ts'
import { t } from '../../../lib/i18n/t.ts'
import { useSession } from '../../../lib/session.ts'
import { Secret } from '../../../ui/codes/secret.tsx'
import { FormButtons } from '../../../ui/forms/form-buttons.tsx'
import { FormProblem } from '../../../ui/forms/form-problem.tsx'
import { useFormSubmit } from '../../../ui/forms/use-form-submit.ts'
import { useMakeApiKey } from '../settings.api.ts'

const scopeSentences: Record<Scope, string> = {
  read: t('See everything in this account'),
  write: t('Change data: files, jobs, stock, orders'),
  control: t('Move machines: start, pause and stop prints'),
}

const lives = [
  { value: '', label: t('Never') },
  { value: '7', label: t('After 7 days') },
  { value: '30', label: t('After 30 days') },
  { value: '90', label: t('After 90 days') },
  { value: '365', label: t('After a year') },
]

export function ApiKeyDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={t('Make an API key')} size="lg">
      <MakeApiKey onClose={onClose} />
    </Modal>
  )
}

function MakeApiKey({ onClose }: { onClose: () => void }) {
  const { scopes: own } = useSession()
  const form = useForm<{ name: string; scopes: Scope[]; expires_in_days: string }>({
    mode: 'controlled',
    initialValues: { name: '', scopes: ['read'], expires_in_days: '90' },
    validate: { scopes: (scopes) => (scopes.length === 0 ? t('Choose at least one') : null) },
  })
  const make = useMakeApiKey()
  const { submit, problem } = useFormSubmit({
    form,
    mutation: make,
    body: ({ name, scopes, expires_in_days: days }) => ({
      name,
      scopes,
      expires_in_days: days === '' ? null : Number(days),
    }),
  })

  if (make.data) {
    return (
      <Stack>
        <Secret label={t('Key of {name}', { name: make.data.name })} value={make.data.key} />
        <Text size="sm" c="dimmed">
          {t('Send it as a bearer token: Authorization: Bearer …')}
        </Text>
        <Group justify="flex-end">
          <Button onClick={onClose}>{t('Done')}</Button>
        </Group>
      </Stack>
    )
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <FormProblem problem={problem} />
        <TextInput
          label={t('Name')}
          description={t('The program that will use it')}
          required
          maxLength={200}
          data-autofocus
          {...form.getInputProps('name')}
        />
        <Checkbox.Group label={t('Permissions')} {...form.getInputProps('scopes')}>
          <Stack gap="xs" mt="xs">
            {own.map((scope) => (
              <Checkbox key={scope} value={scope} label={scope} description={scopeSentences[scope]} />
            ))}
          </Stack>
        </Checkbox.Group>
        <Select
          label={t('Ends')}
          allowDeselect={false}
          data={lives}
          {...form.getInputProps('expires_in_days')}
          className="form-narrow"
        />
        <FormButtons label={t('Make the key')} isBusy={make.isPending} onCancel={onClose} />
      </Stack>
    </form>
  )
}
