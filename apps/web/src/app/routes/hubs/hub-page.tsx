import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { hubQuery } from '../../../features/hubs/hubs.api.ts'
import { LinkText } from '../../../ui/link-text.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { QueryView } from '../../../ui/query-view.tsx'

const route = getRouteApi('/member/shell/hubs/$hubId')

export function HubPage() {
  const { hubId } = route.useParams()
  const found = useQuery(hubQuery(hubId))
  return (
    <QueryView query={found} failed="The hub could not be read">
      {({ name }) => <PageHeader title={name} description={<LinkText to="/hubs">Hubs</LinkText>} />}
    </QueryView>
  )
}
