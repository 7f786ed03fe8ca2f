import { Button, Menu, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { NotificationChannel } from '../../../lib/api/api-schema.generated.ts'
import { morePages, rowsOf } from '../../../lib/api/paged-query.ts'
import { t } from '../../../lib/i18n/t.ts'
import { toastDone, toastFailed } from '../../../ui/dialogs/toast.tsx'
import { useActions } from '../../../ui/dialogs/use-actions.ts'
import { Icon } from '../../../ui/icon.tsx'
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx'
import { RowMenu } from '../../../ui/lists/row-menu.tsx'
import { StatusBadge } from '../../../ui/lists/status-badge.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { QueryView } from '../../../ui/page/query-view.tsx'
import { AddChannelDialog } from './channel-form.tsx'
import { answerWords, channelKindWords, channelState } from './notification-words.ts'
import { channelListQuery, useChangeChannel, useRemoveChannel, useTestChannel } from './notifications.api.ts'

/** Where the account sends notifications besides browsers. */
export function ChannelsPanel({ memberNames }: { memberNames: ReadonlyMap<string, string> }) {
  const list = useInfiniteQuery(channelListQuery())
  const [isAdding, { open, close }] = useDisclosure(false)
  const columns: Column<NotificationChannel>[] = [
    {
      key: 'name',
      label: t('Channel'),
      isTitle: true,
      cell: ({ name, user_id: userId }) => (
        <>
          {name}
          {userId !== null && (
            <Text size="sm" c="dimmed" fw={400}>
              {t('of {name}', { name: memberNames.get(userId) ?? userId })}
            </Text>
          )}
        </>
      ),
    },
    { key: 'kind', label: t('Service'), cell: ({ kind, target }) => `${channelKindWords[kind] ?? kind}, ${target}` },
    { key: 'state', label: t('State'), cell: (channel) => <ChannelBadge channel={channel} /> },
    { key: 'actions', label: t('Actions'), align: 'right', cell: (channel) => <ChannelActions channel={channel} /> },
  ]
  return (
    <Panel
      title={t('Channels')}
      actions={
        <Button data-adds variant="default" leftSection={<Icon name="plus" size={16} />} onClick={open}>
          {t('Add a channel')}
        </Button>
      }
    >
      <QueryView query={list} failed={t('The channels could not be read')}>
        {(data) => {
          const channels = rowsOf(data) ?? []
          if (channels.length === 0) {
            return (
              <EmptyState icon="forth" title={t('No channel yet')}>
                {t('Add mail, ntfy, Telegram, Discord, Slack, Matrix or a webhook, then a rule that sends there.')}
              </EmptyState>
            )
          }
          return (
            <DataTable
              label={t('Channels')}
              columns={columns}
              rows={channels}
              rowKey={({ id }) => id}
              {...morePages(list)}
            />
          )
        }}
      </QueryView>
      {isAdding && <AddChannelDialog memberNames={memberNames} onClose={close} />}
    </Panel>
  )
}

function ChannelBadge({ channel }: { channel: NotificationChannel }) {
  const { tone, word } = channelState(channel)
  return <StatusBadge tone={tone}>{channel.pause_reason === 'gone' ? t('Paused: it is gone') : word}</StatusBadge>
}

function ChannelActions({ channel }: { channel: NotificationChannel }) {
  const { id, name, status } = channel
  const { perform } = useActions()
  const change = useChangeChannel(id)
  const remove = useRemoveChannel()
  const test = useTestChannel()
  const isPaused = status === 'paused'
  const send = () =>
    test.mutate(id, {
      onSuccess: (sent) =>
        sent.status === 'sent'
          ? toastDone(t('{name} answered {answerWords}', { name, answerWords: answerWords(sent) }))
          : toastFailed(
              t('{name} did not take the test: {answerWords}', { name, answerWords: answerWords(sent) }),
              undefined,
            ),
      onError: (error) => toastFailed(t('The test could not be sent'), error),
    })
  return (
    <RowMenu label={t('More about the channel {name}', { name })}>
      <Menu.Item onClick={send}>{t('Send a test')}</Menu.Item>
      <Menu.Item
        onClick={() =>
          void perform({
            id,
            call: () => change.mutateAsync({ is_active: isPaused }),
            done: isPaused ? t('The channel {name} is resumed', { name }) : t('The channel {name} is paused', { name }),
            failed: t('The channel {name} could not be changed', { name }),
          })
        }
      >
        {isPaused ? t('Resume') : t('Pause')}
      </Menu.Item>
      <Menu.Item
        color="red"
        onClick={() =>
          void perform({
            id,
            question: {
              title: t('Delete the channel {name}?', { name }),
              body: t('Nothing more is sent there. This cannot be undone.'),
              confirmLabel: t('Delete the channel'),
              isDangerous: true,
            },
            call: () => remove.mutateAsync(id),
            done: t('The channel {name} is deleted', { name }),
            failed: t('The channel {name} could not be deleted', { name }),
          })
        }
      >
        {t('Delete…')}
      </Menu.Item>
    </RowMenu>
  )
}
