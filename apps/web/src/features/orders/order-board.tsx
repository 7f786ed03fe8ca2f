import { Button, Group, Text, Title } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useId } from 'react'
import type { OrderSummary } from '../../lib/api/api-schema.generated.ts'
import { morePages, rowsOf } from '../../lib/api/paged-query.ts'
import { formatCount } from '../../lib/format.ts'
import { t } from '../../lib/i18n/t.ts'
import { formatMoney } from '../../lib/money.ts'
import { QueryView } from '../../ui/page/query-view.tsx'
import { ThingLink } from '../../ui/thing-link.tsx'
import { OrderMarks } from './order-marks.tsx'
import { PriorityBadge } from './order-priority.tsx'
import { isOpen, type OrderStatus, placeOf, presentOrderStatus } from './order-state.ts'
import { type OrderFilters, orderListQuery } from './orders.api.ts'
import { PromiseMark } from './promise-mark.tsx'
import { ShipMark } from './ship-mark.tsx'
import './order-board.css'

/** The way of an order. Those that ended otherwise stand in the list. */
const way: readonly OrderStatus[] = ['pending', 'processing', 'printed', 'assembled', 'shipped', 'fulfilled']

/** Orders by how far they are, the latest first in each column. They move by what is printed, put together and packed. */
export function OrderBoard({ filters: { status, ...filters } }: { filters: OrderFilters }) {
  const shown = status === undefined ? way : [status]
  return (
    <div className="order-board">
      {shown.map((each) => (
        <OrderColumn key={each} status={each} filters={filters} />
      ))}
    </div>
  )
}

function OrderColumn({ status, filters }: { status: OrderStatus; filters: OrderFilters }) {
  const list = useInfiniteQuery(orderListQuery({ ...filters, status }))
  const orders = rowsOf(list.data) ?? []
  const { onMore, isLoadingMore } = morePages(list)
  const id = useId()
  const { word } = presentOrderStatus(status)
  const amount = list.data === undefined ? '' : ` (${formatCount(orders.length)}${onMore ? t(' and more') : ''})`
  return (
    <section className="order-column" aria-labelledby={id}>
      <Title order={2} size="h3" id={id} mb="xs">
        {word}
        {amount}
      </Title>
      <QueryView query={list} failed={t('The orders could not be read')}>
        {() =>
          orders.length === 0 ? (
            <Text size="sm" c="dimmed">
              {t('None')}
            </Text>
          ) : (
            <ul className="plain-list">
              {orders.map((order) => (
                <OrderCard key={order.id} order={order} />
              ))}
            </ul>
          )
        }
      </QueryView>
      {onMore && (
        <Button variant="default" fullWidth onClick={onMore} loading={isLoadingMore ?? false}>
          {t('Show more')}
        </Button>
      )}
    </section>
  )
}

function OrderCard({ order }: { order: OrderSummary }) {
  const { id, order_number, customer_name, priority, status, promise, total_revenue, currency } = order
  return (
    <li className="order-card">
      <Group gap="xs">
        <ThingLink id={id} fw={600}>
          {order_number}
        </ThingLink>
        <PriorityBadge priority={priority} />
      </Group>
      <Text size="sm" c="dimmed">
        {[placeOf(order), customer_name].filter(Boolean).join(' · ')}
      </Text>
      <OrderMarks order={order} />
      {isOpen(status) && order.ship_by !== null && (
        <Text component="div" size="sm">
          {t('To ship by')} <ShipMark order={order} />
        </Text>
      )}
      {isOpen(status) && promise !== null && (
        <Text component="div" size="sm">
          {promise.ready_p50_at !== null && !promise.is_ready && `${t('Ready by')} `}
          <PromiseMark promise={promise} />
        </Text>
      )}
      <Text size="sm" ta="right">
        {formatMoney(total_revenue, currency)}
      </Text>
    </li>
  )
}
