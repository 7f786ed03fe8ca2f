import { Button } from '@mantine/core'
import type { ListingMap } from '../../../lib/api/api-schema.generated.ts'
import type { MorePages } from '../../../lib/api/paged-query.ts'
import { t } from '../../../lib/i18n/t.ts'
import { useMay } from '../../../lib/session.ts'
import { useActions } from '../../../ui/dialogs/use-actions.ts'
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx'
import { ThingLink } from '../../../ui/thing-link.tsx'
import { Time } from '../../../ui/time.tsx'
import { placeOf } from '../order-state.ts'
import { forgetListing } from '../orders.api.ts'
import { listingWords } from '../page/order-lines.ts'

/** What listings of shops stand for, as people said it. */
export function ListingMapTable({ maps, ...more }: MorePages & { maps: readonly ListingMap[] }) {
  const mayWrite = useMay('write')
  const columns: Column<ListingMap>[] = [
    { key: 'listing', label: t('In the shop'), isTitle: true, cell: (map) => listingWords(map) },
    { key: 'place', label: t('Shop'), cell: (map) => placeOf(map) },
    {
      key: 'sku',
      label: t('Stands for'),
      cell: ({ pack_size, product_sku_id, sku, product_name }) => (
        <>
          {pack_size} × <ThingLink id={product_sku_id}>{sku}</ThingLink>, {product_name}
        </>
      ),
    },
    { key: 'at', label: t('Since'), cell: ({ created_at }) => <Time at={created_at} /> },
    ...(mayWrite
      ? [{ key: 'forget', label: '', align: 'right' as const, cell: (map: ListingMap) => <Forget map={map} /> }]
      : []),
  ]
  return <DataTable label={t('Mapped listings')} columns={columns} rows={maps} rowKey={({ id }) => id} {...more} />
}

function Forget({ map }: { map: ListingMap }) {
  const { busyId, perform } = useActions('listing-maps')
  const name = listingWords(map)
  const ask = () =>
    perform({
      id: map.id,
      question: {
        title: t('Forget what {name} stands for?', { name }),
        body: t('Lines that are mapped stay so. Those to come have to be mapped again.'),
        confirmLabel: t('Forget the mapping'),
        isDangerous: true,
      },
      call: () => forgetListing(map.id),
      done: t('{name} is not mapped any more', { name }),
      failed: t('The mapping of {name} could not be forgotten', { name }),
    })
  return (
    <Button
      size="xs"
      variant="default"
      loading={busyId === map.id}
      onClick={() => void ask()}
      aria-label={t('Forget the mapping of {name}', { name })}
    >
      {t('Forget')}
    </Button>
  )
}
