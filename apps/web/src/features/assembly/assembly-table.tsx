import { Text } from '@mantine/core'
import { Fragment } from 'react'
import type { ListedAssemblyTask } from '../../lib/api/api-schema.generated.ts'
import type { MorePages } from '../../lib/api/paged-query.ts'
import { formatCount } from '../../lib/format.ts'
import { t } from '../../lib/i18n/t.ts'
import { LinkText } from '../../ui/link-text.tsx'
import { type Column, DataTable } from '../../ui/lists/data-table.tsx'
import { StatusBadge } from '../../ui/lists/status-badge.tsx'
import { Time } from '../../ui/time.tsx'
import { assemblyKinds, assemblyStatuses, unitsLeft } from './assembly-words.ts'

interface AssemblyTableProps extends MorePages {
  tasks: readonly ListedAssemblyTask[]
  memberNames: ReadonlyMap<string, string>
}

export function AssemblyTable({ tasks, memberNames, ...more }: AssemblyTableProps) {
  const columns: Column<ListedAssemblyTask>[] = [
    {
      key: 'what',
      label: t('SKU'),
      isTitle: true,
      cell: ({ id, sku, product_name }) => (
        <div>
          <LinkText to="/assembly/$assemblyId" params={{ assemblyId: id }} fw={600}>
            {sku}
          </LinkText>
          <Text size="sm" c="dimmed" fw={400}>
            {product_name}
          </Text>
        </div>
      ),
    },
    { key: 'order', label: t('For'), cell: (task) => <ForOrders task={task} /> },
    { key: 'left', label: t('Left'), align: 'right', cell: (task) => formatCount(unitsLeft(task)) },
    {
      key: 'done',
      label: t('Done'),
      align: 'right',
      cell: ({ quantity_completed, quantity }) =>
        t('{quantity_completed} of {quantity}', {
          quantity_completed: formatCount(quantity_completed),
          quantity: formatCount(quantity),
        }),
    },
    {
      key: 'bad',
      label: t('Rejected'),
      align: 'right',
      cell: ({ quantity_rejected }) => formatCount(quantity_rejected),
    },
    { key: 'kind', label: t('Kind'), cell: ({ kind }) => assemblyKinds[kind] },
    {
      key: 'who',
      label: t('Assignee'),
      cell: ({ assigned_to }) => (assigned_to === null ? '–' : (memberNames.get(assigned_to) ?? t('A former member'))),
    },
    {
      key: 'state',
      label: t('State'),
      cell: ({ status }) => (
        <StatusBadge tone={assemblyStatuses[status].tone}>{assemblyStatuses[status].word}</StatusBadge>
      ),
    },
    { key: 'at', label: t('Asked for'), cell: ({ created_at }) => <Time at={created_at} /> },
  ]
  return <DataTable label={t('Assembly tasks')} columns={columns} rows={tasks} rowKey={({ id }) => id} {...more} />
}

/** Orders that are named in a row; of the others the number is enough. */
const mostNamed = 3

function ForOrders({ task: { kind, for_orders } }: { task: ListedAssemblyTask }) {
  const orders = [...new Map(for_orders.map(({ order_id, order_number }) => [order_id, order_number]))]
  // Printed units are for whichever order is first once they are put together.
  if (orders.length === 0) return kind === 'kit_assembly' ? t('The shelf') : '–'
  return (
    <>
      {orders.slice(0, mostNamed).map(([id, number], index) => (
        <Fragment key={id}>
          {index > 0 && ', '}
          <LinkText to="/orders/$orderId" params={{ orderId: id }}>
            {number}
          </LinkText>
        </Fragment>
      ))}
      {orders.length > mostNamed && t(' and {orders} more', { orders: formatCount(orders.length - mostNamed) })}
    </>
  )
}
