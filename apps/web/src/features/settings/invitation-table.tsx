import { Button } from '@mantine/core'
import type { Invitation } from '../../lib/api/api-routes.ts'
import { useConfirm } from '../../ui/confirm.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Time } from '../../ui/time.tsx'
import { toastDone, toastFailed } from '../../ui/toast.tsx'
import { useWithdrawInvitation } from './settings.api.ts'

interface InvitationTableProps {
  invitations: readonly Invitation[]
  onMore: (() => void) | undefined
  isLoadingMore: boolean
}

/** Invitations that nobody has accepted yet. */
export function InvitationTable({ invitations, onMore, isLoadingMore }: InvitationTableProps) {
  const columns: Column<Invitation>[] = [
    { key: 'email', label: 'Email', isTitle: true, cell: ({ email }) => email },
    { key: 'role', label: 'Role', cell: ({ role }) => role },
    { key: 'sent', label: 'Sent', cell: ({ mailed }) => (mailed ? 'by mail' : 'by hand') },
    { key: 'ends', label: 'Ends', cell: ({ expires_at }) => <Time at={expires_at} /> },
    { key: 'withdraw', label: '', align: 'right', cell: (invitation) => <Withdraw invitation={invitation} /> },
  ]
  return (
    <DataTable
      label="Open invitations"
      columns={columns}
      rows={invitations}
      rowKey={({ id }) => id}
      onMore={onMore}
      isLoadingMore={isLoadingMore}
    />
  )
}

function Withdraw({ invitation: { id, email } }: { invitation: Invitation }) {
  const confirm = useConfirm()
  const withdraw = useWithdrawInvitation()
  async function ask() {
    const isConfirmed = await confirm({
      title: `Withdraw the invitation of ${email}?`,
      body: 'The link works no longer. You can invite the address again.',
      confirmLabel: 'Withdraw',
      isDangerous: true,
    })
    if (!isConfirmed) return
    withdraw.mutate(id, {
      onSuccess: () => toastDone(`The invitation of ${email} is withdrawn`),
      onError: (error) => toastFailed(`The invitation of ${email} could not be withdrawn`, error),
    })
  }
  return (
    <Button
      size="xs"
      variant="default"
      onClick={() => void ask()}
      loading={withdraw.isPending}
      aria-label={`Withdraw the invitation of ${email}`}
    >
      Withdraw
    </Button>
  )
}
