import { Anchor, Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useInfiniteQuery } from '@tanstack/react-query'
import { ApiKeyDialog } from '../../../features/settings/api-keys/api-key-dialog.tsx'
import { ApiKeyTable } from '../../../features/settings/api-keys/api-key-table.tsx'
import { apiKeyListQuery } from '../../../features/settings/settings.api.ts'
import { morePages, rowsOf } from '../../../lib/api/paged-query.ts'
import { Rich } from '../../../lib/i18n/rich.tsx'
import { t } from '../../../lib/i18n/t.ts'
import { useMay } from '../../../lib/session.ts'
import { Icon } from '../../../ui/icon.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { NoPermission } from '../../../ui/page/error-state.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { QueryView } from '../../../ui/page/query-view.tsx'

const reference = (
  <>
    <Rich
      text="Programs use a key to work with this account. The <link>documentation</link> says how."
      values={{
        link: (words) => (
          <Anchor href="/docs/api" underline="always">
            {words}
          </Anchor>
        ),
      }}
    />
  </>
)

export function ApiKeysPage() {
  const mayMake = useMay('admin')
  return mayMake ? (
    <ApiKeys />
  ) : (
    <>
      <PageHeader title={t('API keys')} />
      <NoPermission />
    </>
  )
}

function ApiKeys() {
  const list = useInfiniteQuery(apiKeyListQuery())
  const [isMaking, { open, close }] = useDisclosure(false)
  const make = (
    <Button data-adds leftSection={<Icon name="plus" size={16} />} onClick={open}>
      {t('Make an API key')}
    </Button>
  )
  return (
    <>
      <PageHeader title={t('API keys')} description={reference} actions={make} />
      <QueryView query={list} failed={t('The keys could not be read')}>
        {(data) => {
          const keys = rowsOf(data) ?? []
          if (keys.length === 0) {
            return (
              <EmptyState icon="key" title={t('No API key yet')}>
                {t('Make one for each program, so that it can be revoked alone.')}
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
