import { Anchor, Button, Text } from '@mantine/core'
import { Fragment } from 'react'
import type { Shipment } from '../../../lib/api/api-schema.generated.ts'
import { formatCount } from '../../../lib/format.ts'
import { t } from '../../../lib/i18n/t.ts'
import { Icon } from '../../../ui/icon.tsx'
import { ListRow } from '../../../ui/lists/list-row.tsx'
import { ThingLink } from '../../../ui/thing-link.tsx'
import { Time } from '../../../ui/time.tsx'
import { packingSlipAddress } from '../orders.api.ts'
import type { OrderLine } from './order-lines.ts'

interface ParcelListProps {
  orderId: string
  parcels: readonly Shipment[]
  lines: readonly OrderLine[]
}

/** What left for the order, the first parcel first. */
export function ParcelList({ orderId, parcels, lines }: ParcelListProps) {
  const lineOf = (itemId: string) => lines.find(({ id }) => id === itemId)
  return (
    <ul className="plain-list">
      {parcels.map(({ id, carrier, tracking_number, tracking_url, shipped_at, items }, index) => (
        <ListRow
          key={id}
          title={
            <>
              <Text span fw={600}>
                {t('Parcel {index}', { index: index + 1 })}
              </Text>
              <Time at={shipped_at} as="full" />
            </>
          }
          actions={
            <Button
              component="a"
              size="xs"
              variant="default"
              href={packingSlipAddress(orderId, id)}
              target="_blank"
              rel="noreferrer"
              aria-label={t('Packing slip of parcel {index}', { index: index + 1 })}
              leftSection={<Icon name="file" size={14} />}
            >
              {t('Packing slip')}
            </Button>
          }
        >
          <Text size="sm" c="dimmed">
            {items.map(({ item_id, quantity }, index) => (
              <Fragment key={item_id}>
                {index > 0 && ', '}
                {formatCount(quantity)} ×{' '}
                <ThingLink id={lineOf(item_id)?.product_sku_id}>
                  {lineOf(item_id)?.product_name ?? t('a line')}
                </ThingLink>
              </Fragment>
            ))}
          </Text>
          {(carrier !== '' || tracking_number !== '' || tracking_url !== '') && (
            <Text size="sm">
              {carrier}{' '}
              {tracking_url === '' ? (
                tracking_number
              ) : (
                <Anchor href={tracking_url} target="_blank" rel="noreferrer" size="sm" underline="always">
                  {tracking_number || t('Follow the parcel')}
                </Anchor>
              )}
            </Text>
          )}
        </ListRow>
      ))}
    </ul>
  )
}
