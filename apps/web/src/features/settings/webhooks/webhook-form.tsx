import { Button, Group, Modal, Stack, TagsInput, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Webhook } from '../../../lib/api/api-schema.generated.ts'
import { t } from '../../../lib/i18n/t.ts'
import { Secret } from '../../../ui/codes/secret.tsx'
import { FormButtons } from '../../../ui/forms/form-buttons.tsx'
import { FormProblem } from '../../../ui/forms/form-problem.tsx'
import { useFormSubmit } from '../../../ui/forms/use-form-submit.ts'
import { useAddWebhook, useChangeWebhook } from './webhooks.api.ts'

/** What people ask for most; any other type can be typed. */
const commonTypes = [
  'job.*',
  'job.completed',
  'job.failed',
  'order.*',
  'order.created',
  'order.fulfilled',
  'printer.offline',
  'printer.error',
  'inventory.low',
  'material.low',
  'worklist_task.created',
  'hub.disconnected',
]

interface Values {
  url: string
  description: string
  event_types: string[]
  subject_ids: string[]
}

const none: Values = { url: '', description: '', event_types: [], subject_ids: [] }

const useWebhookForm = (initialValues: Values) => useForm<Values>({ mode: 'controlled', initialValues })

function Fields({ form }: { form: ReturnType<typeof useWebhookForm> }) {
  return (
    <>
      <TextInput
        label="URL"
        description={t('Address to which events are sent by POST: https://…')}
        required
        maxLength={2000}
        data-autofocus
        {...form.getInputProps('url')}
      />
      <TextInput label={t('Purpose')} maxLength={200} {...form.getInputProps('description')} />
      <TagsInput
        label={t('Types of events')}
        description={t('All when it is empty. job.* stands for all that begin so')}
        data={commonTypes}
        clearable
        {...form.getInputProps('event_types')}
      />
      <TagsInput
        label={t('Only of these things')}
        description={t('IDs, such as of one printer or one order. Of all when it is empty')}
        clearable
        {...form.getInputProps('subject_ids')}
      />
    </>
  )
}

export function AddWebhookDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={t('Add a webhook')} size="lg">
      <AddWebhook onClose={onClose} />
    </Modal>
  )
}

function AddWebhook({ onClose }: { onClose: () => void }) {
  const form = useWebhookForm(none)
  const add = useAddWebhook()
  const { submit, problem } = useFormSubmit({ form, mutation: add, body: (values) => values })
  if (add.data) {
    return (
      <Stack>
        <Secret label={t('Secret of the webhook')} value={add.data.secret} />
        <Text size="sm" c="dimmed">
          {t('Give it to the receiver, which verifies by it that a message is from here. Then send a test call.')}
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
        <Fields form={form} />
        <FormButtons label={t('Add the webhook')} isBusy={add.isPending} onCancel={onClose} />
      </Stack>
    </form>
  )
}

export function ChangeWebhookDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { url, description, event_types, subject_ids } = webhook
  const form = useWebhookForm({ url, description, event_types, subject_ids })
  const change = useChangeWebhook(webhook.id)
  const { submit, problem } = useFormSubmit({
    form,
    mutation: change,
    // Another URL takes a proof; it is sent only when it is another.
    body: (values) => (values.url === url ? { ...values, url: undefined } : values),
    done: () => t('The webhook is changed'),
    onDone: onClose,
  })
  return (
    <Modal opened onClose={onClose} title={t('Change the webhook')} size="lg">
      <form onSubmit={submit}>
        <Stack>
          <FormProblem problem={problem} />
          <Fields form={form} />
          <FormButtons label={t('Save')} isBusy={change.isPending} onCancel={onClose} />
        </Stack>
      </form>
    </Modal>
  )
}
