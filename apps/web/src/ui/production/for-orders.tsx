import { Text } from '@mantine/core'
import { Fragment } from 'react'
import type { AssemblyTaskDetail } from '../../lib/api/api-schema.generated.ts'
import { Rich } from '../../lib/i18n/rich.tsx'
import { t } from '../../lib/i18n/t.ts'
import { LinkText } from '../link-text.tsx'
import { Time } from '../time.tsx'

/** Whose units they are, with what the customer wished for. Nothing where they are for no order. */
export function ForOrders({ orders }: { orders: AssemblyTaskDetail['for_orders'] }) {
  if (orders.length === 0) return null
  return (
    <div>
      <Text fw={600} size="sm">
        {t('For orders')}
      </Text>
      {orders.map(({ order_id, order_item_id, order_number, units, ship_by, personalisation }) => (
        <Text key={order_item_id} component="div" size="sm">
          <LinkText to="/orders/$orderId" params={{ orderId: order_id }} inherit>
            {order_number}
          </LinkText>
          {t(', {units, plural, one {# unit} other {# units}}', { units })}
          {ship_by !== null && <Rich text=", leaves {time}" values={{ time: <Time at={ship_by} /> }} />}
          {personalisation.map(({ name, value }) => (
            <Fragment key={name}>
              {' · '}
              {name}: <strong>{value}</strong>
            </Fragment>
          ))}
        </Text>
      ))}
    </div>
  )
}
