import { Button } from '@mantine/core'
import type { Invitation } from '../../../lib/api/api-schema.generated.ts'
import type { MorePages } from '../../../lib/api/paged-query.ts'
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
    { key: 'email', label: 'Email', isTitle: true, cell: ({ email }) => email },
    { key: 'role', label: 'Role', cell: ({ role }) => role },
    { key: 'sent', label: 'Sent', cell: ({ mailed }) => (mailed ? 'by mail' : 'by hand') },
    { key: 'ends', label: 'Ends', cell: ({ expires_at }) => <Time at={expires_at} /> },
    { key: 'withdraw', label: '', align: 'right', cell: (invitation) => <Withdraw invitation={invitation} /> },
  ]
  return <DataTable label="Open invitations" columns={columns} rows={invitations} rowKey={({ id }) => id} {...more} />
}

function Withdraw({ invitation: { id, email } }: { invitation: Invitation }) {
  const withdraw = useWithdrawInvitation()
  const { busyId, perform } = useActions()
  const ask = () =>
    perform({
      id,
      question: {
        title: `Withdraw the invitation of ${email}?`,
        body: 'The link works no longer. You can invite the address again.',
        confirmLabel: 'Withdraw',
        isDangerous: true,
      },
      call: () => withdraw.mutateAsync(id),
      done: `The invitation of ${email} is withdrawn`,
      failed: `The invitation of ${email} could not be withdrawn`,
    })
  return (
    <Button
      size="xs"
      variant="default"
      onClick={() => void ask()}
      loading={busyId === id}
      aria-label={`Withdraw the invitation of ${email}`}
    >
      Withdraw
    </Button>
  )
}
