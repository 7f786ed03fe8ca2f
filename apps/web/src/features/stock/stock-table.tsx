import { Group, Menu, Text } from '@mantine/core'
import { useState } from 'react'
import type { StockedItem } from '../../lib/api/api-schema.generated.ts'
import type { MorePages } from '../../lib/api/paged-query.ts'
import { formatCount } from '../../lib/format.ts'
import { t } from '../../lib/i18n/t.ts'
import { thumbnailOf } from '../../lib/own-address.ts'
import { Icon } from '../../ui/icon.tsx'
import { LinkText } from '../../ui/link-text.tsx'
import { type Column, DataTable } from '../../ui/lists/data-table.tsx'
import { Picture } from '../../ui/lists/picture.tsx'
import { RowMenu } from '../../ui/lists/row-menu.tsx'
import { StatusBadge } from '../../ui/lists/status-badge.tsx'
import { Time } from '../../ui/time.tsx'
import type { StockChange } from './stock-change.ts'
import { StockDialog } from './stock-dialog.tsx'
import { stockStatuses } from './stock-words.ts'

interface StockTableProps extends MorePages {
  items: readonly StockedItem[]
  /** Printed units that wait for assembly, by the IDs of their SKUs; undefined while that is not known. */
  awaiting: ReadonlyMap<string, number> | undefined
  mayWrite: boolean
}

export function StockTable({ items, awaiting, mayWrite, ...more }: StockTableProps) {
  const [changed, setChanged] = useState<{ item: StockedItem; change: StockChange }>()
  const columns: Column<StockedItem>[] = [
    {
      key: 'sku',
      label: 'SKU',
      isTitle: true,
      cell: ({ id, sku, color, material, image_url }) => (
        <Group gap="sm" wrap="nowrap">
          <Picture address={thumbnailOf(image_url)} icon="stock" size="row" />
          <div>
            <LinkText to="/stock/$itemId" params={{ itemId: id }} fw={600}>
              {sku}
            </LinkText>
            <Text size="sm" c="dimmed" fw={400}>
              {[color, material].filter(Boolean).join(' ')}
            </Text>
          </div>
        </Group>
      ),
    },
    {
      key: 'bin',
      label: t('Bin'),
      cell: ({ bin }) =>
        bin === '' ? (
          '–'
        ) : (
          <LinkText to="/stock" search={{ bin }} inherit>
            {bin}
          </LinkText>
        ),
    },
    { key: 'ready', label: t('Ready'), align: 'right', cell: ({ ready_stock }) => formatCount(ready_stock) },
    { key: 'reserved', label: t('Reserved'), align: 'right', cell: ({ reserved }) => formatCount(reserved) },
    { key: 'available', label: t('Available'), align: 'right', cell: ({ available }) => formatCount(available) },
    {
      key: 'awaiting',
      label: t('Awaiting assembly'),
      align: 'right',
      cell: ({ product_sku_id }) => (awaiting ? formatCount(awaiting.get(product_sku_id) ?? 0) : '–'),
    },
    {
      key: 'low',
      label: t('Low at'),
      align: 'right',
      cell: ({ low_stock_threshold }) => formatCount(low_stock_threshold),
    },
    {
      key: 'state',
      label: t('State'),
      cell: ({ status, is_active }) => {
        const { tone, word } = is_active ? stockStatuses[status] : { tone: 'away' as const, word: t('Out of use') }
        return <StatusBadge tone={tone}>{word}</StatusBadge>
      },
    },
    { key: 'at', label: t('Changed'), cell: ({ updated_at }) => <Time at={updated_at} /> },
  ]
  if (mayWrite) {
    columns.push({
      key: 'actions',
      label: t('Actions'),
      align: 'right',
      cell: (item) => (
        <RowMenu label={t('Actions for {sku}', { sku: item.sku })}>
          <Menu.Item
            leftSection={<Icon name="plus" size={16} />}
            onClick={() => setChanged({ item, change: 'restock' })}
          >
            {t('Restock…')}
          </Menu.Item>
          <Menu.Item
            leftSection={<Icon name="check" size={16} />}
            onClick={() => setChanged({ item, change: 'count' })}
          >
            {t('Count…')}
          </Menu.Item>
          <Menu.Item
            leftSection={<Icon name="edit" size={16} />}
            onClick={() => setChanged({ item, change: 'adjust' })}
          >
            {t('Adjust…')}
          </Menu.Item>
        </RowMenu>
      ),
    })
  }
  return (
    <>
      <DataTable label={t('Stock')} columns={columns} rows={items} rowKey={({ id }) => id} {...more} />
      {changed && <StockDialog {...changed} onClose={() => setChanged(undefined)} />}
    </>
  )
}
