import { Button, SegmentedControl, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { Notification } from '../../../lib/api/api-schema.generated.ts'
import { morePages, rowsOf } from '../../../lib/api/paged-query.ts'
import { serviceSentence } from '../../../lib/i18n/service-sentence.ts'
import { t } from '../../../lib/i18n/t.ts'
import { LinkText } from '../../../ui/link-text.tsx'
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx'
import { StatusBadge } from '../../../ui/lists/status-badge.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { QueryView } from '../../../ui/page/query-view.tsx'
import { Time } from '../../../ui/time.tsx'
import { type NotificationState, notificationStates } from './notification-states.ts'
import { answerWords, notificationState } from './notification-words.ts'
import { notificationLogQuery } from './notifications.api.ts'

const stateWords: Record<'all' | NotificationState, string> = {
  all: t('All'),
  pending: t('Waiting'),
  sent: t('Sent'),
  failed: t('Failed'),
}

const columns: Column<Notification>[] = [
  {
    key: 'what',
    label: t('Notification'),
    isTitle: true,
    cell: ({ title, body, path }) => (
      <>
        <LinkText to={path} inherit>
          {serviceSentence(title)}
        </LinkText>
        {body !== '' && (
          <Text size="sm" c="dimmed" fw={400}>
            {serviceSentence(body)}
          </Text>
        )}
      </>
    ),
  },
  { key: 'channel', label: t('Channel'), cell: ({ channel_name: name }) => name ?? t('deleted') },
  {
    key: 'state',
    label: t('State'),
    cell: (notification) => {
      const { tone, word } = notificationState(notification)
      return <StatusBadge tone={tone}>{notification.taken_at === null ? word : t('Taken')}</StatusBadge>
    },
  },
  { key: 'answer', label: t('Answer'), isWideOnly: true, cell: (notification) => answerWords(notification) },
  { key: 'at', label: t('At'), cell: ({ created_at }) => <Time at={created_at} /> },
]

interface LogPanelProps {
  /** Undefined: all. */
  state: NotificationState | undefined
  onState: (state: NotificationState | undefined) => void
}

/** What people were told, and what the other side answered. */
export function LogPanel({ state, onState }: LogPanelProps) {
  const list = useInfiniteQuery(notificationLogQuery(state === undefined ? {} : { status: state }))
  return (
    <Panel
      title={t('Sent notifications')}
      actions={
        <SegmentedControl
          aria-label={t('State')}
          size="xs"
          value={state ?? 'all'}
          onChange={(next) => onState(notificationStates.find((each) => each === next))}
          data={(['all', ...notificationStates] as const).map((value) => ({ value, label: stateWords[value] }))}
        />
      }
    >
      <QueryView query={list} failed={t('The log could not be read')}>
        {(data) => {
          const rows = rowsOf(data) ?? []
          if (rows.length === 0) {
            return (
              <EmptyState
                icon="history"
                title={state === undefined ? t('Nothing was sent yet') : t('None in this state')}
                action={
                  state !== undefined && (
                    <Button variant="default" onClick={() => onState(undefined)}>
                      {t('Show all')}
                    </Button>
                  )
                }
              >
                {t('Sent notifications are listed here for 30 days, with the answers of the receivers.')}
              </EmptyState>
            )
          }
          return (
            <DataTable
              label={t('Sent notifications')}
              columns={columns}
              rows={rows}
              rowKey={({ id }) => id}
              {...morePages(list)}
            />
          )
        }}
      </QueryView>
    </Panel>
  )
}
