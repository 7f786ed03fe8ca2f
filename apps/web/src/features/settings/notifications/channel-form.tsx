import { Button, Group, Modal, PasswordInput, Select, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { BodyOf } from '../../../lib/api/api-routes.ts'
import { t } from '../../../lib/i18n/t.ts'
import { Secret } from '../../../ui/codes/secret.tsx'
import { FormButtons } from '../../../ui/forms/form-buttons.tsx'
import { FormProblem } from '../../../ui/forms/form-problem.tsx'
import { useFormSubmit } from '../../../ui/forms/use-form-submit.ts'
import { channelKindWords } from './notification-words.ts'
import { useAddChannel } from './notifications.api.ts'

type NewChannel = BodyOf<'POST /notification-channels'>
type Kind = NewChannel['kind']
type Field = 'server' | 'topic' | 'token' | 'chat_id' | 'room_id' | 'url'

interface FieldWords {
  label: string
  description: string
  isSecret?: true
  isOptional?: true
}

/** What the form of each kind asks for. */
const fieldsOfKinds: Record<Kind, Partial<Record<Field, FieldWords>>> = {
  mail: {},
  ntfy: {
    topic: { label: t('Topic'), description: t('One that is hard to guess'), isSecret: true },
    server: { label: t('Server'), description: t('https://ntfy.sh unless you run your own'), isOptional: true },
    token: { label: t('Access token'), description: t('If the topic requires one'), isSecret: true, isOptional: true },
  },
  telegram: {
    token: { label: t('Token of the bot'), description: t('@BotFather shows it'), isSecret: true },
    chat_id: { label: t('ID of the chat'), description: t('The bot must be a member of it') },
  },
  discord: {
    url: { label: t('URL of the webhook'), description: t('Channel settings, Integrations'), isSecret: true },
  },
  slack: { url: { label: t('URL of the webhook'), description: t('Your app, Incoming Webhooks'), isSecret: true } },
  matrix: {
    server: { label: t('Server'), description: 'https://…' },
    token: { label: t('Access token'), description: t('Token of the user that sends the messages'), isSecret: true },
    room_id: { label: t('ID of the room'), description: t('Begins with !; the room must not be encrypted') },
  },
  webhook: { url: { label: 'URL', description: t('Messages are sent there by POST, signed'), isSecret: true } },
}
const kinds = Object.keys(fieldsOfKinds) as Kind[]

type Values = { kind: Kind; name: string; user_id: string | null } & Record<Field, string>

interface AddChannelProps {
  memberNames: ReadonlyMap<string, string>
  onClose: () => void
}

export function AddChannelDialog({ memberNames, onClose }: AddChannelProps) {
  const initialValues: Values = {
    ...{ kind: 'ntfy', name: '', user_id: null },
    ...{ server: '', topic: '', token: '', chat_id: '', room_id: '', url: '' },
  }
  const form = useForm<Values>({ mode: 'controlled', initialValues })
  const add = useAddChannel()
  const { submit, problem } = useFormSubmit({
    form,
    mutation: add,
    body: bodyOf,
    done: ({ name }) => t('The channel {name} is added', { name }),
    onDone: ({ secret }) => {
      if (secret === null) onClose()
    },
  })
  const { kind } = form.values
  return (
    <Modal opened onClose={onClose} title={t('Add a channel')} size="lg">
      {add.data?.secret ? (
        <Stack>
          <Secret label={t('Secret of the webhook')} value={add.data.secret} />
          <Text size="sm">{t('Give it to the receiver, which verifies by it that a message is from here.')}</Text>
          <Group justify="flex-end">
            <Button onClick={onClose}>{t('Done')}</Button>
          </Group>
        </Stack>
      ) : (
        <form onSubmit={submit}>
          <Stack>
            <FormProblem problem={problem} />
            <Select
              label={t('Service')}
              data={kinds.map((value) => ({ value, label: channelKindWords[value] ?? value }))}
              allowDeselect={false}
              {...form.getInputProps('kind')}
            />
            <TextInput label={t('Name')} required maxLength={100} {...form.getInputProps('name')} />
            {Object.entries(fieldsOfKinds[kind]).map(([field, { label, description, isSecret, isOptional }]) => {
              const Input = isSecret ? PasswordInput : TextInput
              const shown = { label, description, required: !isOptional, maxLength: 2000, autoComplete: 'off' }
              return <Input key={field} {...shown} {...form.getInputProps(field)} />
            })}
            <Select
              label={t('Belongs to')}
              description={t(
                'One member who alone reads it, and takes tasks from it. Several read it when no one is chosen',
              )}
              data={[...memberNames].map(([value, label]) => ({ value, label }))}
              required={kind === 'mail'}
              clearable={kind !== 'mail'}
              clearButtonProps={{ 'aria-label': t('No member') }}
              {...form.getInputProps('user_id')}
            />
            <FormButtons label={t('Add the channel')} isBusy={add.isPending} onCancel={onClose} />
          </Stack>
        </form>
      )}
    </Modal>
  )
}

function bodyOf({ kind, name, user_id: userId, ...texts }: Values): NewChannel {
  const asked = Object.keys(fieldsOfKinds[kind]) as Field[]
  const entered = Object.fromEntries(
    asked.flatMap((field) => (texts[field] === '' ? [] : [[field, texts[field].trim()]])),
  )
  return { kind, name, ...(userId !== null && { user_id: userId }), ...entered }
}
