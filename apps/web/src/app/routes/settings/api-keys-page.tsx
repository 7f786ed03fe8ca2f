import { Anchor, Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useInfiniteQuery } from '@tanstack/react-query'
import { ApiKeyDialog } from '../../../features/settings/api-keys/api-key-dialog.tsx'
import { ApiKeyTable } from '../../../features/settings/api-keys/api-key-table.tsx'
import { apiKeyListQuery } from '../../../features/settings/settings.api.ts'
import { morePages, rowsOf } from '../../../lib/api/paged-query.ts'
import { useMay } from '../../../lib/session.ts'
import { Icon } from '../../../ui/icon.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { NoPermission } from '../../../ui/page/error-state.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { QueryView } from '../../../ui/page/query-view.tsx'

const reference = (
  <>
    Programs use a key to work with this account. The{' '}
    <Anchor href="/docs" underline="always">
      API reference
    </Anchor>{' '}
    says how.
  </>
)

export function ApiKeysPage() {
  const mayMake = useMay('admin')
  return mayMake ? (
    <ApiKeys />
  ) : (
    <>
      <PageHeader title="API keys" />
      <NoPermission />
    </>
  )
}

function ApiKeys() {
  const list = useInfiniteQuery(apiKeyListQuery())
  const [isMaking, { open, close }] = useDisclosure(false)
  const make = (
    <Button data-adds leftSection={<Icon name="plus" size={16} />} onClick={open}>
      Make an API key
    </Button>
  )
  return (
    <>
      <PageHeader title="API keys" description={reference} actions={make} />
      <QueryView query={list} failed="The keys could not be read">
        {(data) => {
          const keys = rowsOf(data) ?? []
          if (keys.length === 0) {
            return (
              <EmptyState icon="key" title="No API key yet">
                Make one for each program, so that it can be revoked alone.
              </EmptyState>
            )
          }
          return <ApiKeyTable keys={keys} {...morePages(list)} />
        }}
      </QueryView>
      <ApiKeyDialog isOpen={isMaking} onClose={close} />
    </>
  )
}
