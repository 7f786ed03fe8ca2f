import { Button } from '@mantine/core'
import type { Invitation } from '../../../lib/api/api-schema.generated.ts'
import type { MorePages } from '../../../lib/api/paged-query.ts'
import { t } from '../../../lib/i18n/t.ts'
import { roleWords } from '../../../lib/roles.ts'
import { useActions } from '../../../ui/dialogs/use-actions.ts'
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx'
import { Time } from '../../../ui/time.tsx'
import { useWithdrawInvitation } from '../settings.api.ts'

interface InvitationTableProps extends MorePages {
  invitations: readonly Invitation[]
}

/** Invitations that no one has accepted yet. */
export function InvitationTable({ invitations, ...more }: InvitationTableProps) {
  const columns: Column<Invitation>[] = [
    { key: 'email', label: t('Email'), isTitle: true, cell: ({ email }) => email },
    { key: 'role', label: t('Role'), cell: ({ role }) => roleWords[role] },
    { key: 'sent', label: t('Sent'), cell: ({ mailed }) => (mailed ? t('by mail') : t('by hand')) },
    { key: 'ends', label: t('Ends'), cell: ({ expires_at }) => <Time at={expires_at} /> },
    { key: 'withdraw', label: '', align: 'right', cell: (invitation) => <Withdraw invitation={invitation} /> },
  ]
  return (
    <DataTable label={t('Open invitations')} columns={columns} rows={invitations} rowKey={({ id }) => id} {...more} />
  )
}

function Withdraw({ invitation: { id, email } }: { invitation: Invitation }) {
  const withdraw = useWithdrawInvitation()
  const { busyId, perform } = useActions()
  const ask = () =>
    perform({
      id,
      question: {
        title: t('Withdraw the invitation of {email}?', { email }),
        body: t('The link works no longer. You can invite the address again.'),
        confirmLabel: t('Withdraw'),
        isDangerous: true,
      },
      call: () => withdraw.mutateAsync(id),
      done: t('The invitation of {email} is withdrawn', { email }),
      failed: t('The invitation of {email} could not be withdrawn', { email }),
    })
  return (
    <Button
      size="xs"
      variant="default"
      onClick={() => void ask()}
      loading={busyId === id}
      aria-label={t('Withdraw the invitation of {email}', { email })}
    >
      {t('Withdraw')}
    </Button>
  )
}
