import { Group, Text } from '@mantine/core'
import type { OrderSummary } from '../../lib/api/api-schema.generated.ts'
import type { MorePages } from '../../lib/api/paged-query.ts'
import { t, tc } from '../../lib/i18n/t.ts'
import { formatMoney } from '../../lib/money.ts'
import { LinkText } from '../../ui/link-text.tsx'
import { type Column, DataTable } from '../../ui/lists/data-table.tsx'
import { StatusBadge } from '../../ui/lists/status-badge.tsx'
import { Time } from '../../ui/time.tsx'
import { OrderMarks } from './order-marks.tsx'
import { PriorityBadge } from './order-priority.tsx'
import { placeOf, presentOrderStatus } from './order-state.ts'
import { PromiseMark } from './promise-mark.tsx'
import { ShipMark } from './ship-mark.tsx'
import './orders.css'

const columns: Column<OrderSummary>[] = [
  {
    key: 'order',
    label: tc('of a customer', 'Order'),
    isTitle: true,
    cell: (order) => (
      <div>
        <Group gap="xs">
          <LinkText to="/orders/$orderId" params={{ orderId: order.id }} fw={600}>
            {order.order_number}
          </LinkText>
          <PriorityBadge priority={order.priority} />
        </Group>
        <Text size="sm" c="dimmed" fw={400}>
          {placeOf(order)}
        </Text>
      </div>
    ),
  },
  {
    key: 'status',
    label: t('State'),
    cell: (order) => {
      const { tone, word } = presentOrderStatus(order.status)
      return (
        <span className="order-marks">
          <StatusBadge tone={tone}>{word}</StatusBadge>
          <OrderMarks order={order} />
        </span>
      )
    },
  },
  { key: 'customer', label: t('Customer'), cell: ({ customer_name }) => customer_name || '–' },
  { key: 'ship', label: t('To ship by'), cell: (order) => <ShipMark order={order} /> },
  { key: 'ready', label: t('Ready by'), cell: ({ promise }) => <PromiseMark promise={promise} /> },
  {
    key: 'total',
    label: t('Total'),
    align: 'right',
    cell: ({ total_revenue, currency }) => formatMoney(total_revenue, currency),
  },
  { key: 'date', label: t('Ordered'), cell: ({ order_date }) => <Time at={order_date} as="clock" /> },
]

export function OrderTable({ orders, ...more }: MorePages & { orders: readonly OrderSummary[] }) {
  return <DataTable label={t('Orders')} columns={columns} rows={orders} rowKey={({ id }) => id} {...more} />
}
