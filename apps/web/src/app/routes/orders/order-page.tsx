import { Alert, Button, Menu, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { OrderCostPanel } from '../../../features/costs/cost-panels.tsx'
import { LabelButton } from '../../../features/labels/label-button.tsx'
import { dueState, isEnded, isOpen, placeOf, presentOrderStatus } from '../../../features/orders/order-state.ts'
import {
  orderDetailsQuery,
  orderQuery,
  packingSlipAddress,
  pickingListAddress,
  picksQuery,
  returnsQuery,
  shipmentsQuery,
} from '../../../features/orders/orders.api.ts'
import { CustomerFacts } from '../../../features/orders/page/customer-facts.tsx'
import { EditOrderDialog } from '../../../features/orders/page/edit-order-dialog.tsx'
import { LineList } from '../../../features/orders/page/line-list.tsx'
import { OrderFacts } from '../../../features/orders/page/order-facts.tsx'
import { listingWords, orderLines } from '../../../features/orders/page/order-lines.ts'
import { ParcelList } from '../../../features/orders/page/parcel-list.tsx'
import { ReturnDialog } from '../../../features/orders/page/return-dialog.tsx'
import { ReturnList } from '../../../features/orders/page/return-list.tsx'
import { ShipDialog } from '../../../features/orders/page/ship-dialog.tsx'
import { useOrderActions } from '../../../features/orders/page/use-order-actions.ts'
import { PlanPanel } from '../../../features/orders/plan/plan-panel.tsx'
import { PromiseWords } from '../../../features/orders/promise-mark.tsx'
import { MapLine } from '../../../features/orders/unmapped/map-line.tsx'
import type { Order, OrderDetails, OrderReturn, Shipment } from '../../../lib/api/api-schema.generated.ts'
import { formatCount } from '../../../lib/format.ts'
import { Rich } from '../../../lib/i18n/rich.tsx'
import { t } from '../../../lib/i18n/t.ts'
import { useMay } from '../../../lib/session.ts'
import { Icon } from '../../../ui/icon.tsx'
import { LinkText } from '../../../ui/link-text.tsx'
import { RowMenu } from '../../../ui/lists/row-menu.tsx'
import { StatusBadge } from '../../../ui/lists/status-badge.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { QueryView } from '../../../ui/page/query-view.tsx'
import { useNowMs } from '../../../ui/time.tsx'

const route = getRouteApi('/member/shell/orders/$orderId')

export function OrderPage() {
  const { orderId } = route.useParams()
  const order = useQuery(orderQuery(orderId))
  const details = useQuery(orderDetailsQuery(orderId))
  const shipments = useQuery(shipmentsQuery(orderId))
  const returns = useQuery(returnsQuery(orderId))
  const all = [order, details, shipments, returns]
  const whole = {
    data:
      order.data && details.data && shipments.data && returns.data
        ? { order: order.data, details: details.data, shipments: shipments.data, returns: returns.data }
        : undefined,
    error: all.find(({ error }) => error !== null)?.error ?? null,
    refetch: () => Promise.all(all.map(({ refetch }) => refetch())),
  }
  return (
    <QueryView query={whole} failed={t('The order could not be read')}>
      {(data) => <OrderView {...data} />}
    </QueryView>
  )
}

interface OrderViewProps {
  order: Order
  details: OrderDetails
  shipments: readonly Shipment[]
  returns: readonly OrderReturn[]
}

type OpenDialog = 'ship' | 'return' | 'edit'

function OrderView({ order, details, shipments, returns }: OrderViewProps) {
  const mayWrite = useMay('write')
  const maySeeCosts = useMay('admin')
  const [dialog, setDialog] = useState<OpenDialog>()
  const close = () => setDialog(undefined)
  const lines = orderLines({ order, details, shipments, returns })
  const unmapped = lines.filter(({ state, open }) => state === 'unmapped' && open > 0)
  const isLate = dueState(details, useNowMs()) === 'late'
  const isToPick = isOpen(order.status) && lines.some(({ state, open }) => state === 'mapped' && open > 0)
  const { tone, word } = presentOrderStatus(order.status)
  return (
    <>
      <PageHeader
        title={t('Order {order_number}', { order_number: order.order_number })}
        badge={<StatusBadge tone={tone}>{word}</StatusBadge>}
        description={
          <>
            <LinkText to="/orders">{t('Orders')}</LinkText> · {placeOf(details)}
          </>
        }
        actions={
          <>
            {mayWrite && lines.some(({ state, open }) => state === 'mapped' && open > 0) && (
              <Button leftSection={<Icon name="ship" size={16} />} onClick={() => setDialog('ship')}>
                {t('Ship')}
              </Button>
            )}
            {mayWrite && lines.some(({ away }) => away > 0) && (
              <Button
                variant="default"
                leftSection={<Icon name="retry" size={16} />}
                onClick={() => setDialog('return')}
              >
                {t('Return')}
              </Button>
            )}
            {mayWrite && (
              <Button variant="default" leftSection={<Icon name="edit" size={16} />} onClick={() => setDialog('edit')}>
                {t('Change')}
              </Button>
            )}
            <Button
              component="a"
              variant="default"
              href={packingSlipAddress(order.id)}
              target="_blank"
              rel="noreferrer"
              leftSection={<Icon name="file" size={16} />}
            >
              {t('Packing slip')}
            </Button>
            {isToPick && (
              <Button
                component="a"
                variant="default"
                href={pickingListAddress(order.id)}
                target="_blank"
                rel="noreferrer"
                leftSection={<Icon name="worklist" size={16} />}
              >
                {t('Picking list')}
              </Button>
            )}
            <LabelButton items={[{ kind: 'order', id: order.id }]} />
            {mayWrite && <OrderMenu order={order} />}
          </>
        }
      />
      <Stack gap="md">
        {isLate && (
          <Alert color="red" variant="light" icon={<Icon name="clock" />}>
            {t('It should have been shipped by now.')}
          </Alert>
        )}
        {!isLate && details.promise?.is_at_risk && (
          <Alert color="yellow" variant="light" icon={<Icon name="clock" />} title={t('At risk')}>
            <Rich
              text="It will probably be ready too late to be shipped in time. {promiseWords}"
              values={{ promiseWords: <PromiseWords promise={details.promise} /> }}
            />
          </Alert>
        )}
        <Panel title={t('Ordered lines')}>
          <Picking orderId={order.id} />
          {unmapped.length > 0 && (
            <Text size="sm" c="dimmed" mb="xs">
              {t('A line that is not mapped is shipped only once it is known which SKU it stands for.')}
            </Text>
          )}
          <LineList
            lines={lines}
            currency={details.currency}
            mapping={
              mayWrite && !isEnded(order.status)
                ? (line) => (
                    <MapLine orderId={order.id} itemId={line.id} name={listingWords(line) || line.product_name} />
                  )
                : undefined
            }
          />
        </Panel>
        {lines.some(({ open }) => open > 0) && isOpen(order.status) && <PlanPanel order={order} />}
        <Panel title={t('The order')}>
          <OrderFacts order={order} details={details} />
        </Panel>
        {maySeeCosts && <OrderCostPanel orderId={order.id} />}
        <Panel title={t('Customer')}>
          <CustomerFacts order={order} />
        </Panel>
        {shipments.length > 0 && (
          <Panel title={t('Parcels')}>
            <ParcelList orderId={order.id} parcels={shipments} lines={lines} />
          </Panel>
        )}
        {returns.length > 0 && (
          <Panel title={t('Returns')}>
            <ReturnList returns={returns} lines={lines} />
          </Panel>
        )}
      </Stack>
      {dialog === 'ship' && <ShipDialog order={order} lines={lines} onClose={close} />}
      {dialog === 'return' && <ReturnDialog order={order} lines={lines} onClose={close} />}
      {dialog === 'edit' && <EditOrderDialog order={order} details={details} onClose={close} />}
    </>
  )
}

/** How far the order is picked, once it can be. */
function Picking({ orderId }: { orderId: string }) {
  const picks = useQuery(picksQuery(orderId)).data
  if (!picks || picks.stage === 'none') return null
  const picked = picks.lines.reduce((sum, line) => sum + line.picked, 0)
  const units = picks.lines.reduce((sum, line) => sum + line.units, 0)
  return (
    <Text size="sm" mb="xs">
      {picks.stage === 'pick'
        ? t('{picked} of {units, plural, one {# unit} other {# units}} picked. ', {
            picked: formatCount(picked),
            units,
          })
        : t('All units are picked and wait to be packed. ')}
      <LinkText to="/worklist" underline="always" inherit>
        {t('To the task')}
      </LinkText>
    </Text>
  )
}

function OrderMenu({ order }: { order: Order }) {
  const actions = useOrderActions()
  return (
    <RowMenu
      label={t('More for order {order_number}', { order_number: order.order_number })}
      isBusy={actions.busyId === order.id}
      shadow="md"
    >
      {(isOpen(order.status) || order.status === 'shipped') && (
        <Menu.Item leftSection={<Icon name="close" size={16} />} onClick={() => void actions.cancel(order)}>
          {t('Cancel the order…')}
        </Menu.Item>
      )}
      {order.status !== 'refunded' && (
        <Menu.Item leftSection={<Icon name="back" size={16} />} onClick={() => void actions.refund(order)}>
          {t('Mark as refunded…')}
        </Menu.Item>
      )}
      <Menu.Item
        color="red"
        leftSection={<Icon name="trash" size={16} />}
        onClick={() => void actions.eraseCustomer(order)}
      >
        {t('Erase the customer…')}
      </Menu.Item>
    </RowMenu>
  )
}
