import { Text } from '@mantine/core'
import { useSession } from '../../../lib/session.ts'
import { PageHeader } from '../../../ui/page-header.tsx'
import { Panel } from '../../../ui/panel.tsx'

export function ProfilePage() {
  const { user, role, account } = useSession()
  return (
    <>
      <PageHeader title="Profile" />
      <Panel title={user.name}>
        <Text>{user.email}</Text>
        <Text c="dimmed">
          {role} of {account.name}
        </Text>
      </Panel>
    </>
  )
}
