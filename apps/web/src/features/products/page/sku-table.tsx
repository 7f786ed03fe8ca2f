import { Button, Menu, Text } from '@mantine/core'
import { useState } from 'react'
import type { Product, Sku } from '../../../lib/api/api-schema.generated.ts'
import { formatCount } from '../../../lib/format.ts'
import { t } from '../../../lib/i18n/t.ts'
import { useMay } from '../../../lib/session.ts'
import { Icon } from '../../../ui/icon.tsx'
import { LinkText } from '../../../ui/link-text.tsx'
import { ColorDot } from '../../../ui/lists/color-dot.tsx'
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx'
import { RowMenu } from '../../../ui/lists/row-menu.tsx'
import { StatusBadge } from '../../../ui/lists/status-badge.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import type { ProductActions } from '../use-product-actions.ts'
import { SkuDialog } from './sku-dialog.tsx'

interface SkuTableProps {
  product: Product
  actions: ProductActions
}

/** The variants of a product. */
export function SkuTable({ product, actions }: SkuTableProps) {
  const mayWrite = useMay('write')
  const [edited, setEdited] = useState<Sku | 'new'>()
  const columns: Column<Sku>[] = [
    {
      key: 'sku',
      label: 'SKU',
      isTitle: true,
      cell: ({ id, sku }) => (
        <LinkText to="/skus/$skuId" params={{ skuId: id }} fw={600}>
          {sku}
        </LinkText>
      ),
    },
    {
      key: 'color',
      label: t('Colour'),
      cell: ({ color, hex_code }) => (
        <span>
          <ColorDot hex={hex_code} />
          {color || '–'}
        </span>
      ),
    },
    { key: 'filament', label: t('Filament'), cell: ({ filament_type }) => filament_type || '–' },
    { key: 'pieces', label: t('Pieces'), align: 'right', cell: ({ quantity }) => formatCount(quantity) },
    { key: 'ready', label: t('Ready'), align: 'right', cell: ({ stock_level }) => formatCount(stock_level) },
    {
      key: 'low',
      label: t('Low at'),
      align: 'right',
      cell: ({ low_stock_threshold }) => formatCount(low_stock_threshold),
    },
    {
      key: 'state',
      label: t('State'),
      cell: ({ is_active }) => (
        <StatusBadge tone={is_active ? 'done' : 'away'}>{is_active ? t('In use') : t('Out of use')}</StatusBadge>
      ),
    },
  ]
  if (mayWrite) {
    columns.push({
      key: 'actions',
      label: t('Actions'),
      align: 'right',
      cell: (sku) => {
        const named = { id: sku.id, name: sku.sku }
        return (
          <RowMenu label={t('Actions for {sku}', { sku: sku.sku })} isBusy={actions.busyId === sku.id}>
            <Menu.Item leftSection={<Icon name="edit" size={16} />} onClick={() => setEdited(sku)}>
              {t('Edit…')}
            </Menu.Item>
            <Menu.Item
              leftSection={<Icon name={sku.is_active ? 'pause' : 'play'} size={16} />}
              onClick={() => void actions.setSkuInUse(named, !sku.is_active)}
            >
              {sku.is_active ? t('Take out of use') : t('Put into use')}
            </Menu.Item>
            <Menu.Item
              color="red"
              leftSection={<Icon name="trash" size={16} />}
              onClick={() => void actions.removeSku(named)}
            >
              {t('Delete…')}
            </Menu.Item>
          </RowMenu>
        )
      },
    })
  }
  return (
    <Panel
      title="SKUs"
      actions={
        mayWrite && (
          <Button
            size="xs"
            variant="default"
            leftSection={<Icon name="plus" size={16} />}
            onClick={() => setEdited('new')}
          >
            {t('Add a SKU')}
          </Button>
        )
      }
    >
      {product.skus.length === 0 ? (
        <Text c="dimmed">{t('No SKU yet. Each variant that is sold has one, with its own stock.')}</Text>
      ) : (
        <DataTable label="SKUs" columns={columns} rows={product.skus} rowKey={({ id }) => id} />
      )}
      {edited && (
        <SkuDialog product={product} {...(edited !== 'new' && { sku: edited })} onClose={() => setEdited(undefined)} />
      )}
    </Panel>
  )
}
