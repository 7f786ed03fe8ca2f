import { Group, Text } from '@mantine/core'
import type { Member } from '../../../lib/api/api-schema.generated.ts'
import type { MorePages } from '../../../lib/api/paged-query.ts'
import { t } from '../../../lib/i18n/t.ts'
import { roleWords } from '../../../lib/roles.ts'
import { useSession } from '../../../lib/session.ts'
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx'
import { Time } from '../../../ui/time.tsx'
import { MemberMenu } from './member-menu.tsx'

interface MemberTableProps extends MorePages {
  members: readonly Member[]
  /** All of them are here: only then is it known who is the last owner. */
  isWhole: boolean
}

export function MemberTable({ members, isWhole, ...more }: MemberTableProps) {
  const { member_id } = useSession()
  const owners = members.filter(({ role }) => role === 'owner')
  const lastOwnerId = isWhole && owners.length === 1 ? owners[0]?.id : undefined
  const columns: Column<Member>[] = [
    {
      key: 'name',
      label: t('Name'),
      isTitle: true,
      cell: ({ id, name, email }) => (
        <Group gap={6}>
          {name || email || t('Without a name')}
          {id === member_id && (
            <Text span size="sm" c="dimmed">
              {t('you')}
            </Text>
          )}
        </Group>
      ),
    },
    { key: 'email', label: t('Email'), cell: ({ email }) => email ?? '–' },
    {
      key: 'role',
      label: t('Role'),
      cell: ({ id, role }) =>
        id === lastOwnerId ? t('{role}, the only one', { role: roleWords[role] }) : roleWords[role],
    },
    { key: 'since', label: t('Since'), cell: ({ created_at }) => <Time at={created_at} as="clock" /> },
    {
      key: 'menu',
      label: t('Change'),
      align: 'right',
      cell: (member) => <MemberMenu member={member} isLastOwner={member.id === lastOwnerId} />,
    },
  ]
  return <DataTable label={t('Members')} columns={columns} rows={members} rowKey={({ id }) => id} {...more} />
}
