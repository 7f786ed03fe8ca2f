import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { accountQuery } from '../../../features/settings/settings.api.ts'
import { PageHeader } from '../../../ui/page-header.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { QueryView } from '../../../ui/query-view.tsx'

export function AccountPage() {
  const account = useQuery(accountQuery())
  return (
    <>
      <PageHeader title="Account" />
      <QueryView query={account} failed="The account could not be read">
        {({ name, time_zone }) => (
          <Panel title={name}>
            <Text>Time zone: {time_zone}</Text>
          </Panel>
        )}
      </QueryView>
    </>
  )
}
