import { Button, Group, Stack, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { PushDevice } from '../../../lib/api/api-schema.generated.ts'
import { morePages, rowsOf } from '../../../lib/api/paged-query.ts'
import { t } from '../../../lib/i18n/t.ts'
import { toastDone, toastFailed } from '../../../ui/dialogs/toast.tsx'
import { useActions } from '../../../ui/dialogs/use-actions.ts'
import { Icon } from '../../../ui/icon.tsx'
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { QueryView } from '../../../ui/page/query-view.tsx'
import { Time } from '../../../ui/time.tsx'
import { answerWords } from './notification-words.ts'
import { deviceListQuery, useAddDevice, useRemoveDevice, useTestDevice } from './notifications.api.ts'
import { findPushProblem, subscribeThisBrowser } from './this-browser.ts'

/** The browsers of the person who looks. The browser asks for permission only when the button is pressed. */
export function DevicesPanel() {
  const list = useInfiniteQuery(deviceListQuery())
  const add = useAddDevice()
  const { perform, busyId } = useActions()
  const problem = findPushProblem()
  const subscribe = () =>
    perform({
      id: 'this',
      call: async () => add.mutateAsync(await subscribeThisBrowser()),
      done: t('This device is notified from now on'),
      failed: t('This device could not be added'),
    })
  return (
    <Panel
      title={t('Your devices')}
      actions={
        <Button
          data-adds
          leftSection={<Icon name="bell" size={16} />}
          onClick={() => void subscribe()}
          loading={busyId === 'this'}
          disabled={problem !== undefined}
        >
          {t('Notify me on this device')}
        </Button>
      }
    >
      <Stack>
        {problem !== undefined && <Text size="sm">{problem}</Text>}
        <QueryView query={list} failed={t('Your devices could not be read')}>
          {(data) => {
            const devices = rowsOf(data) ?? []
            if (devices.length === 0) {
              return (
                <EmptyState icon="bell" title={t('None of your devices is notified')}>
                  {t('Press the button on each phone or computer that is to tell you when something needs a person.')}
                </EmptyState>
              )
            }
            return (
              <DataTable
                label={t('Your devices')}
                columns={columns}
                rows={devices}
                rowKey={({ id }) => id}
                {...morePages(list)}
              />
            )
          }}
        </QueryView>
      </Stack>
    </Panel>
  )
}

const columns: Column<PushDevice>[] = [
  { key: 'name', label: t('Device'), isTitle: true, cell: ({ name }) => name },
  { key: 'service', label: t('By'), isWideOnly: true, cell: ({ push_service }) => push_service },
  { key: 'added', label: t('Added'), cell: ({ created_at }) => <Time at={created_at} /> },
  { key: 'actions', label: t('Actions'), align: 'right', cell: (device) => <DeviceActions device={device} /> },
]

function DeviceActions({ device: { id, name } }: { device: PushDevice }) {
  const test = useTestDevice()
  const remove = useRemoveDevice()
  const { perform, busyId } = useActions()
  const send = () =>
    test.mutate(id, {
      onSuccess: (sent) =>
        sent.status === 'sent'
          ? toastDone(t('A test is on its way to {name}', { name }))
          : toastFailed(
              t('{name} did not take the test: {answerWords}', { name, answerWords: answerWords(sent) }),
              undefined,
            ),
      onError: (error) => toastFailed(t('The test could not be sent'), error),
    })
  return (
    <Group gap="xs" justify="flex-end">
      <Button size="xs" variant="default" onClick={send} loading={test.isPending}>
        {t('Send a test')}
      </Button>
      <Button
        size="xs"
        variant="default"
        loading={busyId === id}
        onClick={() =>
          void perform({
            id,
            call: () => remove.mutateAsync(id),
            done: t('{name} is not notified any more', { name }),
            failed: t('{name} could not be removed', { name }),
          })
        }
      >
        {t('Remove')}
      </Button>
    </Group>
  )
}
