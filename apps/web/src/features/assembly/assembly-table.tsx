import { Text } from '@mantine/core'
import type { AssemblyTask } from '../../lib/api/api-schema.generated.ts'
import type { MorePages } from '../../lib/api/paged-query.ts'
import { formatCount } from '../../lib/format.ts'
import { t } from '../../lib/i18n/t.ts'
import { LinkText } from '../../ui/link-text.tsx'
import { type Column, DataTable } from '../../ui/lists/data-table.tsx'
import { StatusBadge } from '../../ui/lists/status-badge.tsx'
import { Time } from '../../ui/time.tsx'
import { assemblyKinds, assemblyStatuses, unitsLeft } from './assembly-words.ts'

interface AssemblyTableProps extends MorePages {
  tasks: readonly AssemblyTask[]
  memberNames: ReadonlyMap<string, string>
}

export function AssemblyTable({ tasks, memberNames, ...more }: AssemblyTableProps) {
  const columns: Column<AssemblyTask>[] = [
    {
      key: 'what',
      label: t('What'),
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
      label: t('Who'),
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
