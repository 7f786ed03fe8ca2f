import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { fileQuery } from '../../../features/files/files.api.ts'
import { LinkText } from '../../../ui/link-text.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { QueryView } from '../../../ui/query-view.tsx'

const route = getRouteApi('/member/shell/files/$fileId')

export function FilePage() {
  const { fileId } = route.useParams()
  const found = useQuery(fileQuery(fileId))
  return (
    <QueryView query={found} failed="The file could not be read">
      {({ name }) => <PageHeader title={name} description={<LinkText to="/files">Files</LinkText>} />}
    </QueryView>
  )
}
