import { Button, Group, Menu, Modal, NumberInput, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import type { Webhook } from '../../../lib/api/api-schema.generated.ts'
import { Rich } from '../../../lib/i18n/rich.tsx'
import { t } from '../../../lib/i18n/t.ts'
import { Secret } from '../../../ui/codes/secret.tsx'
import { toastDone, toastFailed } from '../../../ui/dialogs/toast.tsx'
import { useActions } from '../../../ui/dialogs/use-actions.ts'
import { FormButtons } from '../../../ui/forms/form-buttons.tsx'
import { FormProblem } from '../../../ui/forms/form-problem.tsx'
import { useFormSubmit } from '../../../ui/forms/use-form-submit.ts'
import { RowMenu } from '../../../ui/lists/row-menu.tsx'
import { Time } from '../../../ui/time.tsx'
import { RedeliverDialog } from './redeliver-dialog.tsx'
import { ChangeWebhookDialog } from './webhook-form.tsx'
import { attemptWords } from './webhook-words.ts'
import { useChangeWebhook, useRemoveWebhook, useRotateSecret, useTestWebhook } from './webhooks.api.ts'

const dayMs = 86_400_000

interface WebhookActionsProps {
  webhook: Webhook
  /** It is gone: its page shows nothing any more. */
  onRemoved: () => void
}

export function WebhookActions({ webhook, onRemoved }: WebhookActionsProps) {
  const [open, setOpen] = useState<'change' | 'rotate' | 'redeliver'>()
  const { perform, busyId } = useActions()
  const change = useChangeWebhook(webhook.id)
  const remove = useRemoveWebhook()
  const test = useTestWebhook(webhook.id)
  const { id } = webhook
  const host = new URL(webhook.url).host
  const isPaused = webhook.status === 'paused'
  const close = () => setOpen(undefined)

  const call = () =>
    test.mutate(undefined, {
      onSuccess: (delivery) =>
        delivery.status === 'delivered'
          ? toastDone(t('{host} answered {attemptWords}', { host, attemptWords: attemptWords(delivery) }))
          : toastFailed(
              t('{host} did not take the test call: {attemptWords}', { host, attemptWords: attemptWords(delivery) }),
              undefined,
            ),
      onError: (error) => toastFailed(t('The test call could not be sent'), error),
    })
  const pauseOrResume = () =>
    perform({
      id,
      call: () => change.mutateAsync({ is_active: isPaused }),
      done: isPaused ? t('The webhook to {host} is resumed', { host }) : t('The webhook to {host} is paused', { host }),
      failed: t('The webhook to {host} could not be changed', { host }),
    })
  async function askToRemove() {
    const isRemoved = await perform({
      id,
      question: {
        title: t('Delete the webhook to {host}?', { host }),
        body: t('Nothing more is sent there, and its log is gone. This cannot be undone.'),
        confirmLabel: t('Delete the webhook'),
        isDangerous: true,
      },
      call: () => remove.mutateAsync(id),
      done: t('The webhook to {host} is deleted', { host }),
      failed: t('The webhook to {host} could not be deleted', { host }),
    })
    if (isRemoved) onRemoved()
  }

  return (
    <Group gap="xs">
      <Button onClick={call} loading={test.isPending}>
        {t('Send a test call')}
      </Button>
      <Button variant="default" onClick={() => void pauseOrResume()} loading={busyId === id}>
        {isPaused ? t('Resume') : t('Pause')}
      </Button>
      <RowMenu label={t('More about the webhook to {host}', { host })}>
        <Menu.Item onClick={() => setOpen('change')}>{t('Change…')}</Menu.Item>
        <Menu.Item onClick={() => setOpen('redeliver')}>{t('Redeliver a stretch of time…')}</Menu.Item>
        <Menu.Item onClick={() => setOpen('rotate')}>{t('New secret…')}</Menu.Item>
        <Menu.Item color="red" onClick={() => void askToRemove()}>
          {t('Delete…')}
        </Menu.Item>
      </RowMenu>
      {open === 'change' && <ChangeWebhookDialog webhook={webhook} onClose={close} />}
      {open === 'rotate' && <RotateDialog webhookId={id} onClose={close} />}
      {open === 'redeliver' && (
        <RedeliverDialog
          webhookId={id}
          from={webhook.paused_at ?? new Date(Date.now() - dayMs).toISOString()}
          onClose={close}
        />
      )}
    </Group>
  )
}

function RotateDialog({ webhookId, onClose }: { webhookId: string; onClose: () => void }) {
  const form = useForm({ mode: 'controlled', initialValues: { overlap_hours: 24 } })
  const rotate = useRotateSecret(webhookId)
  const { submit, problem } = useFormSubmit({
    form,
    mutation: rotate,
    body: ({ overlap_hours }) => Number(overlap_hours),
  })
  return (
    <Modal opened onClose={onClose} title={t('New secret')} size="lg">
      {rotate.data ? (
        <Stack>
          <Secret label={t('New secret of the webhook')} value={rotate.data.secret} />
          <Text size="sm" c="dimmed">
            <Rich
              text="Messages are signed by the former one too until {time}."
              values={{ time: <Time at={rotate.data.former_valid_until} as="full" /> }}
            />
          </Text>
          <Group justify="flex-end">
            <Button onClick={onClose}>{t('Done')}</Button>
          </Group>
        </Stack>
      ) : (
        <form onSubmit={submit}>
          <Stack>
            <FormProblem problem={problem} />
            <NumberInput
              label={t('Hours for which the former secret stays valid')}
              description={t('Give the receiver the new one within them. 0 when the former one was lost to someone')}
              min={0}
              max={168}
              allowDecimal={false}
              {...form.getInputProps('overlap_hours')}
            />
            <FormButtons label={t('Make a new secret')} isBusy={rotate.isPending} onCancel={onClose} />
          </Stack>
        </form>
      )}
    </Modal>
  )
}
