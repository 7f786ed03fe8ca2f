import { Button, Group } from '@mantine/core'
import type { OwnSession } from '../../../lib/api/api-schema.generated.ts'
import type { MorePages } from '../../../lib/api/paged-query.ts'
import { t } from '../../../lib/i18n/t.ts'
import { useActions } from '../../../ui/dialogs/use-actions.ts'
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx'
import { StatusBadge } from '../../../ui/lists/status-badge.tsx'
import { Time } from '../../../ui/time.tsx'
import { useRevokeSession } from '../settings.api.ts'
import { deviceName } from './device-name.ts'

interface SessionTableProps extends MorePages {
  sessions: readonly OwnSession[]
}

/** Where the person is signed in. */
export function SessionTable({ sessions, ...more }: SessionTableProps) {
  const columns: Column<OwnSession>[] = [
    {
      key: 'agent',
      label: t('Device'),
      isTitle: true,
      cell: ({ user_agent, is_current }) => (
        <Group gap="xs">
          <span title={user_agent}>{deviceName(user_agent)}</span>
          {is_current && <StatusBadge tone="done">{t('This one')}</StatusBadge>}
        </Group>
      ),
    },
    { key: 'ip', label: t('Address'), cell: ({ ip }) => ip },
    { key: 'seen', label: t('Last used'), cell: ({ last_seen_at }) => <Time at={last_seen_at} /> },
    { key: 'since', label: t('Signed in'), cell: ({ created_at }) => <Time at={created_at} as="clock" /> },
    { key: 'end', label: '', align: 'right', cell: (session) => <End session={session} /> },
  ]
  return <DataTable label={t('Sessions')} columns={columns} rows={sessions} rowKey={({ id }) => id} {...more} />
}

/** This one is ended by signing out. */
function End({ session: { id, user_agent, is_current } }: { session: OwnSession }) {
  const revoke = useRevokeSession()
  const { busyId, perform } = useActions()
  if (is_current) return null
  const device = deviceName(user_agent)
  const ask = () =>
    perform({
      id,
      question: {
        title: t('Sign out {device}?', { device }),
        body: t('The device must sign in again at once.'),
        confirmLabel: t('Sign out there'),
        isDangerous: true,
      },
      call: () => revoke.mutateAsync(id),
      done: t('{device} is signed out', { device }),
      failed: t('{device} could not be signed out', { device }),
    })
  return (
    <Button
      size="xs"
      variant="default"
      onClick={() => void ask()}
      loading={busyId === id}
      aria-label={t('Sign out {device}', { device })}
    >
      {t('Sign out')}
    </Button>
  )
}
