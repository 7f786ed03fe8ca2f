import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useInfiniteQuery } from '@tanstack/react-query'
import { AddHubDialog } from '../../../features/hubs/add-hub-dialog.tsx'
import { HubTable } from '../../../features/hubs/hub-table.tsx'
import { hubListQuery } from '../../../features/hubs/hubs.api.ts'
import { morePages, rowsOf } from '../../../lib/api/paged-query.ts'
import { t } from '../../../lib/i18n/t.ts'
import { useMay } from '../../../lib/session.ts'
import { Icon } from '../../../ui/icon.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { QueryView } from '../../../ui/page/query-view.tsx'

export function HubsPage() {
  const list = useInfiniteQuery(hubListQuery())
  const mayAdd = useMay('admin')
  const [isAdding, { open, close }] = useDisclosure(false)
  const add = mayAdd && (
    <Button data-adds leftSection={<Icon name="plus" size={16} />} onClick={open}>
      {t('Add a hub')}
    </Button>
  )
  return (
    <>
      <PageHeader
        title={t('Hubs')}
        description={t('Machines that talk to the printers of their network.')}
        actions={add}
      />
      <QueryView query={list} failed={t('The hubs could not be read')}>
        {(data) => {
          const hubs = rowsOf(data) ?? []
          if (hubs.length === 0) {
            return (
              <EmptyState icon="hub" title={t('No hub yet')} action={add}>
                {t('A hub runs on the network of your printers, finds them and talks to them.')}
              </EmptyState>
            )
          }
          return <HubTable hubs={hubs} {...morePages(list)} />
        }}
      </QueryView>
      <AddHubDialog isOpen={isAdding} onClose={close} />
    </>
  )
}
