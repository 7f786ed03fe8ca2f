import { Checkbox, Group, Modal, PasswordInput, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { BodyOf } from '../../../lib/api/api-routes.ts'
import type { MqttBroker } from '../../../lib/api/api-schema.generated.ts'
import { t } from '../../../lib/i18n/t.ts'
import { FormButtons } from '../../../ui/forms/form-buttons.tsx'
import { FormProblem } from '../../../ui/forms/form-problem.tsx'
import { useFormSubmit } from '../../../ui/forms/use-form-submit.ts'
import { useChangeBroker } from './mqtt.api.ts'

type Command = MqttBroker['allowed_commands'][number]

const commands: readonly { value: Command; label: string }[] = [
  { value: 'pause', label: t('Pause') },
  { value: 'resume', label: t('Resume') },
  { value: 'stop', label: t('Stop') },
  { value: 'light', label: t('Light') },
]

interface Values {
  url: string
  username: string
  password: string
  ca: string
  base_topic: string
  discovery_prefix: string
  allowed_commands: string[]
  is_active: boolean
}

/** Sets a broker up, or changes the one that is there. */
export function BrokerDialog({ broker, onClose }: { broker: MqttBroker; onClose: () => void }) {
  const isNew = broker.id === null
  const form = useForm<Values>({
    mode: 'controlled',
    initialValues: {
      ...{ url: broker.url, username: '', password: '', ca: '' },
      ...{ base_topic: broker.base_topic, discovery_prefix: broker.discovery_prefix },
      ...{ allowed_commands: broker.allowed_commands, is_active: isNew || broker.is_active },
    },
  })
  const change = useChangeBroker()
  const { submit, problem } = useFormSubmit({
    form,
    mutation: change,
    body: bodyOf,
    done: () => t('The broker is saved'),
    onDone: onClose,
  })
  const kept = (isStored: boolean) => (isStored ? { placeholder: t('Stays as it is') } : {})
  return (
    <Modal opened onClose={onClose} title={isNew ? t('Set up a broker') : t('Change the broker')} size="lg">
      <form onSubmit={submit}>
        <Stack>
          <FormProblem problem={problem} />
          <TextInput
            label={t('Address of the broker')}
            description={t('mqtts://… with TLS, or mqtt://… in a network that the operator of this service allows')}
            required
            maxLength={300}
            data-autofocus
            {...form.getInputProps('url')}
          />
          <TextInput
            label={t('User name')}
            maxLength={200}
            autoComplete="off"
            {...kept(broker.has_username)}
            {...form.getInputProps('username')}
          />
          <PasswordInput
            label={t('Password')}
            maxLength={500}
            autoComplete="off"
            {...kept(broker.has_password)}
            {...form.getInputProps('password')}
          />
          <Textarea
            label={t('Certificate of its authority')}
            description={t('In PEM format; only for a broker with a certificate from your own authority')}
            maxLength={20_000}
            autosize
            minRows={2}
            maxRows={8}
            {...kept(broker.has_ca)}
            {...form.getInputProps('ca')}
          />
          <Checkbox.Group
            label={t('Commands')}
            description={t('Everyone who may write to the broker can give them')}
            {...form.getInputProps('allowed_commands')}
          >
            <Group mt="xs">
              {commands.map(({ value, label }) => (
                <Checkbox key={value} value={value} label={label} />
              ))}
            </Group>
          </Checkbox.Group>
          <TextInput
            label={t('Topic')}
            description={t('Below it states are published')}
            required
            maxLength={100}
            {...form.getInputProps('base_topic')}
          />
          <TextInput
            label={t('Discovery prefix')}
            description={t('The prefix set in Home Assistant')}
            required
            maxLength={100}
            {...form.getInputProps('discovery_prefix')}
          />
          <Switch label={t('Publish the printers')} {...form.getInputProps('is_active', { type: 'checkbox' })} />
          <Text size="sm" c="dimmed">
            {t('Everyone who may read the broker sees the names of printers and jobs.')}
          </Text>
          <FormButtons label={t('Save')} isBusy={change.isPending} onCancel={onClose} />
        </Stack>
      </form>
    </Modal>
  )
}

/** What is stored is never shown; an empty field leaves it as it is. */
function bodyOf({ url, username, password, ca, allowed_commands, ...others }: Values): BodyOf<'PATCH /mqtt/broker'> {
  return {
    ...others,
    url: url.trim(),
    allowed_commands: commands.flatMap(({ value }) => (allowed_commands.includes(value) ? [value] : [])),
    ...(username.trim() !== '' && { username: username.trim() }),
    ...(password !== '' && { password }),
    ...(ca.trim() !== '' && { ca: ca.trim() }),
  }
}
