import { Modal, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Shop, ShopTroubles } from '../../../lib/api/api-schema.generated.ts'
import { t } from '../../../lib/i18n/t.ts'
import { LinkText } from '../../../ui/link-text.tsx'
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx'
import { QueryView } from '../../../ui/page/query-view.tsx'
import { Time } from '../../../ui/time.tsx'
import { shopTroublesQuery } from './shops.api.ts'

type Trouble = ShopTroubles['troubles'][number]

const columns: Column<Trouble>[] = [
  {
    key: 'name',
    label: t('Record'),
    isTitle: true,
    cell: ({ kind, name, order_id: orderId }) =>
      orderId === null ? (
        t('Order {name} of the shop', { name })
      ) : (
        <LinkText to="/orders/$orderId" params={{ orderId }}>
          {kind === 'parcel' ? t('A parcel of order {name}', { name }) : t('Order {name}', { name })}
        </LinkText>
      ),
  },
  { key: 'problem', label: t('Problem'), cell: ({ problem }) => problem },
  { key: 'at', label: t('Last tried'), cell: ({ at }) => <Time at={at} /> },
]

/** What of a shop a person should look at. */
export function TroublesDialog({ shop, onClose }: { shop: Shop; onClose: () => void }) {
  const query = useQuery(shopTroublesQuery(shop.id))
  return (
    <Modal opened onClose={onClose} title={t('To look at in {name}', { name: shop.name })} size="xl">
      <QueryView query={query} failed={t('The problems could not be read')}>
        {({ troubles }) => (
          <>
            <DataTable
              label={t('To look at')}
              columns={columns}
              rows={troubles}
              rowKey={({ kind, name, at }) => `${kind} ${name} ${at}`}
            />
            <Text size="sm" c="dimmed" mt="sm">
              {t('Read now tries all of it once more.')}
            </Text>
          </>
        )}
      </QueryView>
    </Modal>
  )
}
