import { Modal, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Shop, ShopTroubles } from '../../../lib/api/api-schema.generated.ts'
import { LinkText } from '../../../ui/link-text.tsx'
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx'
import { QueryView } from '../../../ui/page/query-view.tsx'
import { Time } from '../../../ui/time.tsx'
import { shopTroublesQuery } from './shops.api.ts'

type Trouble = ShopTroubles['troubles'][number]

const columns: Column<Trouble>[] = [
  {
    key: 'name',
    label: 'What',
    isTitle: true,
    cell: ({ kind, name, order_id: orderId }) =>
      orderId === null ? (
        `Order ${name} of the shop`
      ) : (
        <LinkText to="/orders/$orderId" params={{ orderId }}>
          {kind === 'parcel' ? `A parcel of order ${name}` : `Order ${name}`}
        </LinkText>
      ),
  },
  { key: 'problem', label: 'What is wrong', cell: ({ problem }) => problem },
  { key: 'at', label: 'Last tried', cell: ({ at }) => <Time at={at} /> },
]

/** What of a shop a person should look at. */
export function TroublesDialog({ shop, onClose }: { shop: Shop; onClose: () => void }) {
  const query = useQuery(shopTroublesQuery(shop.id))
  return (
    <Modal opened onClose={onClose} title={`To look at in ${shop.name}`} size="xl">
      <QueryView query={query} failed="What is to look at could not be read">
        {({ troubles }) => (
          <>
            <DataTable
              label="To look at"
              columns={columns}
              rows={troubles}
              rowKey={({ kind, name, at }) => `${kind} ${name} ${at}`}
            />
            <Text size="sm" c="dimmed" mt="sm">
              Read now tries all of it once more.
            </Text>
          </>
        )}
      </QueryView>
    </Modal>
  )
}
